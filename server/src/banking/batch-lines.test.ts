import { randomUUID } from "node:crypto"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createBatch, stepInputOf } from "../payouts/batches.samples.ts"
import { createPayout, samplePayee } from "../payouts/payouts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { createBankAccount, createLineImporter, type LineImporter } from "./banking.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let manager: Client
let other: Client
let bring: LineImporter
let accountId: string
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Batch Mills")
  app.clock.set("2026-11-02T06:00:00Z")
  manager = app.as(app.people.manager)
  other = app.as(app.people.manager2)
  const account = await createBankAccount(app.as(app.people.admin))
  accountId = account.id
  bring = createLineImporter({ app, server: await app.serve() }, account)
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
}, 120_000)
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const advisedPayee = { ...samplePayee, payeeEmail: "payee@example.test" }

async function countMessages(made: readonly { id: string; claimId: string }[]): Promise<[number, number]> {
  const of = (ids: string[]) => sql`any (${sql.param(ids)}::uuid[])`
  const told = await app.sql.row<{ notifications: number; mails: number }>(sql`
    select (select count(*)::int from notifications where record_id = ${of(made.map(({ claimId }) => claimId))}
        and kind = 'claim_decided' and detail ->> 'outcome' = 'paid') as notifications,
      (select count(*)::int from mails where about_id = ${of(made.map(({ id }) => id))}) as mails`)
  return [told!.notifications, told!.mails]
}

async function createOpenBatch(...amounts: number[]) {
  app.clock.set("2026-11-02T06:00:00Z")
  const made = []
  for (const requestedAmountCents of amounts) {
    const claim = await createApprovedClaim(scene.cast, { ...scene.sample, requestedAmountCents })
    made.push({ claimId: claim.id, ...(await createPayout(manager, claim.id, advisedPayee)) })
  }
  const batch = await createBatch(
    manager,
    accountId,
    made.map(({ id }) => id),
  )
  return { batch, made }
}

async function createSentBatch(...amounts: number[]) {
  const { batch, made } = await createOpenBatch(...amounts)
  await other.payouts.batches.release(stepInputOf(batch))
  await app.runJobs()
  app.clock.set("2026-11-20T10:00:00Z")
  return { batch, made, cents: -made.reduce((sum, { amountCents }) => sum + amountCents, 0) }
}
const readStatuses = async (made: readonly { id: string }[]) => {
  const found = await Promise.all(made.map(({ id }) => manager.payouts.detail({ payoutId: id })))
  return found.map(({ status }) => status)
}
const confirmMatch = (lineId: string, parts: LinePart[]) =>
  manager.banking.confirm({ lineId, parts: partInputs(parts), idempotencyKey: randomUUID() })
const undoMatches = (...lineIds: string[]) => manager.banking.undo({ lineIds, idempotencyKey: randomUUID() })
const readSuggestions = async (lineId: string, search = "") =>
  (await manager.banking.suggestions({ lineIds: [lineId], search }))[0]!.candidates
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("one debit completes all payments of a batch, and undo makes them pending again", async () => {
  const { batch, made, cents } = await createSentBatch(1_200_00, 340_50, 99_99)
  const [line, silent] = await bring(
    { text: `ELECTRONIC BATCH ${batch.number}-1`, amountCents: cents },
    { text: "ELECTRONIC DEBIT", amountCents: cents },
  )
  const [first] = await readSuggestions(line!.id)
  const part = { as: "batch" as const, id: batch.id, amountCents: cents }
  expect(first).toMatchObject({ kind: "batch", parts: [{ ...part, label: batch.number, name: "3 payments" }] })
  expect(first!.reasons.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([`${batch.number} is in the line`, "Its payments add up to this amount"]),
  )
  expect((await readSuggestions(silent!.id))[0]).toMatchObject({ kind: "batch", parts: [part] })

  expect(await confirmMatch(line!.id, first!.parts)).toMatchObject([{ state: "payout", matchCount: 3 }])
  expect(await readStatuses(made)).toEqual(["completed", "completed", "completed"])
  for (const { claimId } of made) {
    expect(await manager.claims.detail({ claimId })).toMatchObject({ status: "paid", paymentOn: line!.day })
  }
  expect(await manager.payouts.batches.detail({ batchId: batch.id })).toMatchObject({ underway: 0, completed: 3 })
  await expectEquation("paid")
  await expect(confirmMatch(silent!.id, [part])).rejects.toMatchObject({
    code: "NOT_THIS_PAYMENT",
    message: /has no payments left to match/,
  })

  await undoMatches(line!.id)
  expect(await readStatuses(made)).toEqual(["processing", "processing", "processing"])
  for (const { claimId } of made) expect(await manager.claims.detail({ claimId })).toMatchObject({ status: "approved" })
  await expectEquation("not paid")
  const told = await countMessages(made)
  expect(told).toEqual([expect.any(Number), 3])
  expect(told[0]).toBeGreaterThan(0)
  await confirmMatch(silent!.id, [part])
  await expectEquation("paid by the other line")
  expect(await countMessages(made), "told again after undo and redo").toEqual(told)
}, 120_000)

test("notifies payee and submitter again when a failed payment is released again and completed", async () => {
  const { made, cents } = await createSentBatch(410_00)
  const [wrong] = await bring({ text: "BATCH DEBIT 410", amountCents: cents })
  const part = { as: "payout" as const, id: made[0]!.id, amountCents: cents }
  await confirmMatch(wrong!.id, [part])
  const told = await countMessages(made)
  await undoMatches(wrong!.id)
  const step = async () => {
    const { id, version } = await manager.payouts.detail({ payoutId: made[0]!.id })
    return { payoutId: id, version, idempotencyKey: randomUUID() }
  }
  app.clock.advance({ minutes: 1 })
  await manager.payouts.fail({ ...(await step()), reason: "Account closed" })
  await manager.payouts.retry(await step())
  await other.payouts.release(await step())
  await manager.payouts.complete({ ...(await step()), completedOn: "2026-11-20" })
  expect(await countMessages(made)).toEqual(told.map((times) => 2 * times))
}, 120_000)

test("excludes failed payments from the debit and refuses a different amount", async () => {
  const { batch, made, cents } = await createSentBatch(500_00, 600_00, 701_00)
  const failing = await manager.payouts.detail({ payoutId: made[0]!.id })
  await manager.payouts.fail({
    payoutId: failing.id,
    version: failing.version,
    reason: "Account closed",
    idempotencyKey: randomUUID(),
  })
  const left = cents + made[0]!.amountCents
  const [whole, net] = await bring(
    { text: "EFT BATCH DEBIT", amountCents: cents },
    { text: "EFT BATCH DEBIT NET", amountCents: left },
  )
  const part = { as: "batch" as const, id: batch.id }
  await expect(confirmMatch(whole!.id, [{ ...part, amountCents: cents }])).rejects.toMatchObject({
    code: "NOT_THIS_PAYMENT",
    message: /2 payments of R\s1\s301,00 together/,
  })
  const [first] = await readSuggestions(net!.id)
  expect(first).toMatchObject({ kind: "batch", parts: [{ ...part, amountCents: left, name: "2 payments" }] })
  await confirmMatch(net!.id, first!.parts)
  expect(await readStatuses(made)).toEqual(["failed", "completed", "completed"])
  await expectEquation("net")
}, 120_000)

test("matches a batch's debit although one of its payments was returned manually", async () => {
  const { batch, made, cents } = await createSentBatch(1_010_00, 1_020_00, 1_030_00)
  const [back] = made as [(typeof made)[number]]
  const step = async () => {
    const { version } = await manager.payouts.detail({ payoutId: back.id })
    return { payoutId: back.id, version, idempotencyKey: randomUUID() }
  }
  await manager.payouts.complete({ ...(await step()), completedOn: "2026-11-03" })
  await manager.payouts.return({ ...(await step()), returnedOn: "2026-11-04", reason: "Account closed" })
  const [returned, debit] = await bring(
    { text: `RETURNED ${back.number}`, amountCents: back.amountCents },
    { text: "EFT BATCH DEBIT", amountCents: cents },
  )
  // The line names the payment, so the return is offered; it can be confirmed only after the debit is matched.
  const [early] = await readSuggestions(returned!.id)
  expect(early).toMatchObject({ kind: "cameBack", parts: [{ id: back.id, amountCents: back.amountCents }] })
  await expect(confirmMatch(returned!.id, early!.parts)).rejects.toMatchObject({
    code: "NOT_THIS_PAYMENT",
    message: `First match the bank line that paid ${back.number}.`,
  })

  const [first] = await readSuggestions(debit!.id)
  expect(first).toMatchObject({
    kind: "batch",
    parts: [{ id: batch.id, amountCents: cents, name: "2 payments and 1 returned since" }],
  })
  expect(await confirmMatch(debit!.id, first!.parts)).toMatchObject([{ state: "payout", matchCount: 3 }])
  expect(await readStatuses(made)).toEqual(["returned", "completed", "completed"])
  await expectEquation("the batch with its return")
  const matched = await app.sql.row<{ cents: number }>(
    sql`select sum(amount_cents)::bigint as cents from bank_matches where line_id = ${debit!.id} and undone_at is null`,
  )
  expect(matched!.cents).toBe(cents)
  await confirmMatch(returned!.id, early!.parts)
  await expectEquation("and the return")
  await undoMatches(returned!.id)
  await undoMatches(debit!.id)
  expect(await readStatuses(made)).toEqual(["returned", "processing", "processing"])
  await expectEquation("undone")
  expect(await manager.payouts.detail({ payoutId: back.id })).toMatchObject({ status: "returned" })
  await confirmMatch(debit!.id, first!.parts)
  await expectEquation("and again")
}, 120_000)

test("offers each payment its own line, and one line for the remaining payments", async () => {
  const { batch, made, cents } = await createSentBatch(810_00, 820_00, 830_00)
  const [one, rest] = await bring(
    { text: `EFT ${made[0]!.number}`, amountCents: -made[0]!.amountCents },
    { text: "EFT THE OTHERS", amountCents: cents + made[0]!.amountCents },
  )
  const [first] = await readSuggestions(one!.id)
  expect(first).toMatchObject({ kind: "payout", parts: [{ as: "payout", id: made[0]!.id }] })
  await confirmMatch(one!.id, first!.parts)
  expect(await readStatuses(made)).toEqual(["completed", "processing", "processing"])
  const [found] = await readSuggestions(rest!.id, batch.number)
  expect(found).toMatchObject({ kind: "batch", parts: [{ id: batch.id, name: "2 payments" }] })
  await confirmMatch(rest!.id, found!.parts)
  expect(await readStatuses(made)).toEqual(["completed", "completed", "completed"])
  await undoMatches(rest!.id)
  expect(await readStatuses(made)).toEqual(["completed", "processing", "processing"])
  await expectEquation("the rest undone")
}, 120_000)

test("links payments completed before their debit, but not to another account's line", async () => {
  const { batch, made, cents } = await createSentBatch(901_00, 902_00)
  for (const { id } of made) {
    const { version } = await manager.payouts.detail({ payoutId: id })
    await manager.payouts.complete({ payoutId: id, version, completedOn: "2026-11-03", idempotencyKey: randomUUID() })
  }
  const [line] = await bring({ text: "EFT BATCH", amountCents: cents })
  const part = { as: "batch" as const, id: batch.id, amountCents: cents }
  expect((await readSuggestions(line!.id))[0]).toMatchObject({ kind: "batch", parts: [part] })
  await confirmMatch(line!.id, [part])
  await expectEquation("linked")
  await undoMatches(line!.id)
  expect(await readStatuses(made)).toEqual(["completed", "completed"])
  await expectEquation("not linked")

  const form = { accountNumber: "62000000077", name: "Claims account" }
  const second = await createBankAccount(app.as(app.people.admin), form)
  const bringThere = createLineImporter({ app, server: await app.serve() }, second)
  const [there] = await bringThere({ text: "EFT BATCH", amountCents: cents })
  expect((await readSuggestions(there!.id)).filter(({ kind }) => kind === "batch")).toEqual([])
  await expect(confirmMatch(there!.id, [part])).rejects.toMatchObject({ message: /paid from another bank account/ })
}, 120_000)

test("a batch of any size is released and completed in a fixed number of queries", async () => {
  const statements = async (work: () => Promise<unknown>) => {
    const asked = vi.spyOn(pg.Client.prototype, "query")
    await work()
    const count = asked.mock.calls.length
    asked.mockRestore()
    return count
  }
  const asItIs = async (...amounts: number[]) => {
    const { batch, made } = await createOpenBatch(...amounts)
    const release = await statements(() => other.payouts.batches.release(stepInputOf(batch)))
    await app.runJobs()
    app.clock.set("2026-11-20T10:00:00Z")
    const amountCents = -batch.amountCents
    const [line] = await bring({ text: `ELECTRONIC BATCH ${batch.number}-1`, amountCents })
    const complete = await statements(() => confirmMatch(line!.id, [{ as: "batch", id: batch.id, amountCents }]))
    expect(new Set(await readStatuses(made))).toEqual(new Set(["completed"]))
    return { release, complete }
  }
  expect(await asItIs(11_00, 12_00, 13_00, 14_00, 15_00)).toEqual(await asItIs(21_00, 22_00))
}, 120_000)

test("the database refuses new matches on an existing placement", async () => {
  const { batch, cents } = await createSentBatch(77_00, 88_00)
  const [line] = await bring({ text: `ELECTRONIC BATCH ${batch.number}-1`, amountCents: cents })
  await confirmMatch(line!.id, [{ as: "batch", id: batch.id, amountCents: cents }])
  const { made } = await createSentBatch(33_00)
  const added = app.sql.run(sql`
    insert into bank_matches (id, placement_id, line_id, group_id, kind, payout_id, amount_cents)
    select gen_random_uuid(), m.placement_id, m.line_id, o.group_id, 'paid', o.id, -o.amount_cents
    from bank_matches m, payouts o where m.line_id = ${line!.id} and o.id = ${made[0]!.id} limit 1`)
  await expect(added).rejects.toMatchObject({ constraint: "bank_matches_sum" })
}, 60_000)
