import { randomUUID } from "node:crypto"
import { checkKeys, moneyChecks } from "@milkwood/domain/month-end/checklist"
import { ORPCError } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { statementFaults } from "../collection/statement.samples.ts"
import { memberOf } from "../members/members.samples.ts"
import { madeRefund, stepRefund } from "../refunds/refunds.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { draftInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { difference } from "./difference.queries.ts"

let app: BillingApp
const policyIds: string[] = []
beforeAll(async () => {
  app = await openBillingApp()
  for (const premiumCents of [350_00, 99_99, 1_234_56]) policyIds.push((await app.policy({ premiumCents })).id)
})
afterAll(() => app.close())

/** The same sequence for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, of: <T>(all: readonly T[]): T | undefined => all[below(all.length)] }
}

/** What the contracts of these rooms may answer; anything else is a defect. */
const expected = new Set([
  "PERIOD_TAKEN",
  "WRONG_STATUS",
  "STALE",
  "NOTHING_TO_CREDIT",
  "CREDIT_TOO_LARGE",
  "NOT_OPEN",
  "OVER_ALLOCATED",
  "REVERSED",
  "BUSY",
  "NOTHING_OPEN",
  "MORE_THAN_OPEN",
  "WRITE_OFF_WAITS",
  "WRITE_OFF_STATE",
  "NOTHING_TO_BILL",
  "NOT_ALLOCATED",
  "NOTHING_TO_ALLOCATE",
  "ALLOCATED",
  "REFUNDED",
  "NOT_ENOUGH_CREDIT",
  "CHANGED",
  "NOT_CORRECTABLE",
  "FOUR_EYES",
  "CLOSED",
  "NOT_NEXT",
  "NOT_LAST_CLOSED",
])

let worker: Promise<unknown> = Promise.resolve()
/** Jobs have a worker of their own, and not one for each client. */
function jobsDone(): Promise<unknown> {
  worker = worker.then(() => app.runJobs())
  return worker
}

/** A premium run of a month of 2026, from its preview until its invoices stand; answers its id. */
async function runOf(month: number, of: string[], random: ReturnType<typeof randomFrom>): Promise<string> {
  const { runs } = app.manager.billing
  const { id: runId } = await runs.start({
    idempotencyKey: randomUUID(),
    month: `2026-${String(month).padStart(2, "0")}-01`,
    policyIds: of,
  })
  await jobsDone()
  const { version } = await runs.detail({ runId })
  const outcome = random.of(["draft", "pending", "sent"] as const)!
  await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome })
  await jobsDone()
  return runId
}

/** One step of somebody who works with money and does not look too closely. Answers what was done. */
async function step(random: ReturnType<typeof randomFrom>): Promise<string> {
  const { billing, receipts, refunds } = app.manager
  const policyId = random.of(policyIds)!
  const idempotencyKey = randomUUID()
  const invoice = random.of((await billing.list({ policyId })).rows)
  const receipt = random.of((await receipts.list({ policyId })).rows)
  const act = random.below(20)
  const version = invoice?.version ?? 1
  switch (act) {
    case 0:
    case 1: {
      const month = `2026-${String(1 + random.below(10)).padStart(2, "0")}-01`
      await draftInvoice(app.manager, {
        policyId,
        month,
        invoiceOn: month,
        with: { discountCents: random.below(3) * 1_11, discountReason: "At random" },
      })
      return "generate"
    }
    case 2:
    case 3:
      if (invoice) await billing.send({ invoiceId: invoice.id, version, idempotencyKey, useCredit: act === 2 })
      return "send"
    case 4:
      if (invoice) await billing.cancel({ invoiceId: invoice.id, version, reason: "At random" })
      return "cancel"
    case 5: {
      const amountCents = random.below(4) === 0 ? null : 1 + random.below(300_00)
      if (invoice) await billing.credit({ invoiceId: invoice.id, idempotencyKey, amountCents, reason: "At random" })
      return "credit"
    }
    case 6:
      await receipts.record({
        idempotencyKey,
        policyId,
        number: "",
        amountCents: 1 + random.below(900_00),
        method: "bank_transfer",
        receivedOn: "2026-11-01",
        reference: "",
        notes: "",
      })
      return "receipt"
    case 7: {
      if (!receipt) return "nothing"
      const open = (await receipts.openInvoices({ policyId })).invoices
      const target = random.of(open)
      if (!target) return "nothing"
      const { version: read } = await receipts.detail({ receiptId: receipt.id })
      const amountCents = 1 + random.below(target.outstandingCents)
      await receipts.allocate({
        idempotencyKey,
        receiptId: receipt.id,
        version: read,
        allocations: [{ invoiceId: target.id, amountCents }],
      })
      return "allocate"
    }
    case 8: {
      const amountCents = random.below(2) === 0 ? null : 1 + random.below(400_00)
      if (!invoice) return "nothing"
      const [waiting] = await receipts.writeOff({
        invoiceId: invoice.id,
        idempotencyKey,
        amountCents,
        reason: "At random",
      })
      await app
        .as(app.people.manager2)
        .receipts.confirmWriteOff({ writeOffId: waiting!.id, idempotencyKey: randomUUID() })
      return "write off"
    }
    case 9: {
      const given = invoice && random.of(await receipts.writeOffs({ invoiceId: invoice.id }))
      if (!given) return "nothing"
      await receipts.reverseWriteOff({ writeOffId: given.id, idempotencyKey, reason: "At random" })
      return "take up again"
    }
    case 10:
      // Half of the time of all policies: then of those, too, that somebody else bills in this moment.
      await runOf(random.below(10) + 1, random.below(2) === 0 ? policyIds : [policyId], random)
      return "run"
    case 11: {
      const day = `2026-${String(1 + random.below(10)).padStart(2, "0")}-${String(1 + random.below(28)).padStart(2, "0")}`
      // The first of them stays, so that every month has somebody to bill.
      const { rows } = await app.manager.members.list({ policyId, tab: "Active", sort: "number", dir: "asc" })
      const member = random.of(rows.slice(1))
      if (!member || random.below(3) > 0) await memberOf(app.manager, policyId, { startOn: day })
      else
        await app.manager.members.terminate({
          memberId: member.id,
          version: member.version,
          on: day < member.startOn ? member.startOn : day,
          reason: "At random",
        })
      return "member"
    }
    case 13: {
      // Whatever is left undone is left with a reason; that money differs is a defect, and no reason helps.
      const { next } = await app.manager.monthEnd.month({})
      const month = next ?? `2026-${String(1 + random.below(6)).padStart(2, "0")}-01`
      if (month > "2026-10-01") return "nothing"
      const reasons = Object.fromEntries(checkKeys.map((key) => [key, "At random"]))
      await app.manager.monthEnd.close({ idempotencyKey, month, reasons })
      return "close"
    }
    case 14: {
      const { closedTo } = await app.manager.monthEnd.month({})
      if (closedTo === null) return "nothing"
      const month = `${closedTo.slice(0, 7)}-01`
      await app.as(app.people.admin).monthEnd.reopen({ idempotencyKey, month, reason: "At random" })
      return "reopen"
    }
    case 15: {
      if (!receipt) return "nothing"
      const { version: read, allocations } = await receipts.detail({ receiptId: receipt.id })
      const one = random.of(allocations.filter(({ releasedOn }) => releasedOn === null))
      if (!one) return "nothing"
      await receipts.unallocate({ idempotencyKey, receiptId: receipt.id, version: read, allocationIds: [one.id] })
      return "take back"
    }
    case 16: {
      if (!receipt) return "nothing"
      const { id: receiptId, version: read, ...was } = await receipts.detail({ receiptId: receipt.id })
      const { method, receivedOn, reference } = was
      const form = { policyId: was.policyId, method, receivedOn, reference, notes: "At random" }
      const amountCents = random.below(2) === 0 ? was.amountCents : 1 + random.below(900_00)
      await receipts.update({ receiptId, version: read, ...form, amountCents })
      return "correct"
    }
    case 17:
    case 18: {
      const reason = random.of(["overpayment", "policy_cancellation", "pro_rata_refund", "other"] as const)!
      const offer = await refunds.offer({ policyId, reason })
      const amountCents = 1 + random.below(Math.max(1, offer.creditAfterCents))
      const method = random.of(["bank_transfer", "credit_note"] as const)!
      await madeRefund(app.manager, { policyId, amountCents, method, reason }, offer.correctionCents)
      return "refund"
    }
    case 19: {
      const refund = random.of((await refunds.list({ policyId })).rows.filter(({ payoutId }) => payoutId !== null))
      if (!refund) return "nothing"
      const step = random.of(["release", "complete", "fail", "retry", "cancel", "return"] as const)!
      await stepRefund(app.as(app.people.manager2), refund.id, step)
      return "step of a refund"
    }
    default: {
      if (!receipt) return "nothing"
      const { version: read } = await receipts.detail({ receiptId: receipt.id })
      await receipts.reverse({ idempotencyKey, receiptId: receipt.id, version: read, reason: "At random" })
      return "reverse"
    }
  }
}

/** Equalities of money that do not hold, of every month that is open; those of closed ones are kept (`verifyLedger`). */
async function monthFaults(): Promise<string[]> {
  const faults: string[] = []
  for (let month = 1; month <= 11; month++) {
    const first = `2026-${String(month).padStart(2, "0")}-01`
    const { state, checks } = await app.manager.monthEnd.month({ month: first })
    const wrong = checks.filter(({ key, isDone }) => moneyChecks.includes(key) && !isDone)
    if (state === "open") faults.push(...wrong.map(({ key, notes }) => `${first} ${key}: ${notes.join(" ")}`))
  }
  return faults
}

async function walk(seed: number, steps: number): Promise<Map<string, number>> {
  const random = randomFrom(seed)
  const done = new Map<string, number>()
  for (let count = 0; count < steps; count++) {
    try {
      const act = await step(random)
      done.set(act, (done.get(act) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof ORPCError && expected.has(error.code))) {
        throw new Error(`seed ${seed}, step ${count}`, { cause: error })
      }
    }
  }
  return done
}

test("whatever is done in whatever order, the ledger is what the records say", async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const done = new Map<string, number>()
  for (let round = 0; round < 6; round++) {
    for (const [act, count] of await walk(seed + round, 25)) done.set(act, (done.get(act) ?? 0) + count)
    expect(await verifyLedger(app.sql), `seed ${seed}`).toEqual([])
  }
  // After a last run, what a policy was billed is what it owes, but for those that cannot be billed and say why.
  await runOf(11, policyIds, randomFrom(seed)).catch((error) => {
    if (!(error instanceof ORPCError && error.code === "NOTHING_TO_BILL")) throw error
  })
  const parked = await app.sql.rows<{ id: string }>(sql`
    select policy_id as id from billing_run_policies where state = 'parked'
      and run_id = (select id from billing_runs order by created_at desc, number desc limit 1)`)
  const open = await app.sql.rows<{ id: string }>(sql`
    select distinct policy_id as id from (${difference({
      policies: sql`select unnest(${sql.param(policyIds)}::uuid[])`,
      month: "2026-11-01",
      knownAt: app.clock.now(),
    })}) d`)
  const left = open.filter(({ id }) => !parked.some((one) => one.id === id))
  expect(left, `seed ${seed}`).toEqual([])
  expect(await verifyLedger(app.sql), `seed ${seed}`).toEqual([])
  expect(await monthFaults(), `seed ${seed}`).toEqual([])
  // What a policy is told of its account is what the ledger has, on any day.
  const days = ["2026-01-01", "2026-05-31", "2026-10-01", "2026-11-01", "2026-11-02", "2027-01-01"]
  expect(await statementFaults(app, policyIds, days), `seed ${seed}`).toEqual([])
  // The balance after a posting is the sum of all up to it, on every page, both ways, searched and of one policy.
  for (const account of ["bank", "premium_debtors", "premium_income"] as const) {
    for (const policyId of [undefined, policyIds[0]!]) {
      const after = new Map<string, number>()
      const all = await app.sql.rows<{ id: string; cents: number }>(sql`
        select p.id, p.amount_cents as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where p.account = ${account} and (${policyId ?? null}::uuid is null or p.policy_id = ${policyId ?? null})
        order by e.effective_on, e.seq, p.line`)
      all.reduce((sum, { id, cents }) => after.set(id, sum + cents).get(id)!, 0)
      for (const asked of [
        {},
        { dir: "asc" },
        { page: 2 },
        { search: "rec" },
        { search: "1", pageSize: 100 },
      ] as const) {
        const input = { account, policyId, asOf: "2027-12-31", ...asked }
        const { rows } = await app.manager.ledger.postings(input)
        const wrong = rows.filter((row) => row.balanceCents !== after.get(row.id))
        expect(wrong, `${JSON.stringify(input)}, seed ${seed}`).toEqual([])
      }
    }
  }
  for (const act of ["generate", "send", "receipt", "run", "member", "close"])
    expect(done.get(act), `${act}, seed ${seed}`).toBeGreaterThan(0)
}, 240_000)

test("20 clients at once change nothing about that", async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  await Promise.all(Array.from({ length: 20 }, (_, client) => walk(seed + 1_000 * client, 8)))
  expect(await verifyLedger(app.sql), `seed ${seed}`).toEqual([])
  expect(await monthFaults(), `seed ${seed}`).toEqual([])
  const balance = await app.manager.ledger.trialBalance({})
  expect(balance.balanced).toBe(true)
}, 120_000)
