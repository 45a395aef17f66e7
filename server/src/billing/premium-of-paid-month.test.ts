import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { differenceSql } from "./difference.queries.ts"

let app: BillingApp
beforeEach(async () => {
  app = await openBillingApp({ now: "2026-08-03T08:00:00Z" })
})
afterEach(() => app.close())

const addVat = (net: Cents) => Math.round(net * 1.15)

async function makeMonthInvoice(month: Day, policyId: string) {
  const { runs } = app.manager.billing
  const { id } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds: [policyId] })
  await app.runJobs()
  const { version, counts } = await runs.detail({ runId: id })
  if (counts.waiting === 0) return { row: null, counts }
  const [preview] = (await runs.policies({ runId: id })).rows
  await runs.make({ runId: id, version, idempotencyKey: randomUUID(), outcome: "sent" })
  await app.runJobs()
  const [row] = (await runs.policies({ runId: id })).rows
  // VAT given back by a concession is not credited again.
  for (const figure of ["baseCents", "adjustmentCents", "vatCents", "totalCents"] as const)
    expect(row![figure], figure).toBe(preview![figure])
  return { row: row!, counts: (await runs.detail({ runId: id })).counts }
}

async function changePremiumFrom(policyId: string, premiumCents: Cents, premiumFromOn: Day) {
  app.clock.advance({ minutes: 1 })
  const { version, coverage } = await app.manager.policies.detail({ policyId })
  const values = { ...coverage, premiumCents, premiumFromOn }
  await app.manager.policies.updateSection({ policyId, version, change: { section: "coverage", values } })
}

async function readStanding(policyId: string, month: Day) {
  const left = await app.sql.rows(differenceSql({ policies: sql`${policyId}::uuid`, month, knownAt: app.clock.now() }))
  const open = await app.sql.row<{ open: Cents }>(sql`
    select coalesce(sum(total_cents - credited_cents - allocated_cents - written_off_cents), 0)::bigint as open
    from invoices where policy_id = ${policyId} and status <> 'cancelled'`)
  const balance = async (account: "premium_debtors" | "unallocated_receipts") =>
    (await app.manager.ledger.postings({ account, policyId })).balanceCents!
  const debtors = await balance("premium_debtors")
  expect(debtors).toBe(open!.open)
  expect(await verifyLedger(app.sql)).toEqual([])
  return { left: left.length, open: open!.open, credit: -(await balance("unallocated_receipts")) }
}

test("a premium change for a paid, partly credited month bills exactly the difference", async () => {
  const policy = await app.policy({ startOn: "2026-08-01", members: 3 })
  const policyId = policy.id
  await makeMonthInvoice("2026-08-01", policyId)
  const [invoice] = await app.sql.rows<{ id: string }>(sql`select id from invoices where policy_id = ${policyId}`)
  await recordedReceipt(app.manager, { policyId, amountCents: addVat(3 * 350_00), receivedOn: "2026-08-03" })
  // A backdated suspension causes a correction of August; a concession of R 30 follows.
  const [gone] = (await app.manager.members.list({ policyId })).rows
  const { version } = await app.manager.members.detail({ memberId: gone!.id })
  await app.manager.members.suspend({ memberId: gone!.id, version, on: "2026-08-01", reason: "Unpaid leave" })
  app.clock.set("2026-08-25T08:00:00Z")
  expect((await makeMonthInvoice("2026-08-01", policyId)).row).toMatchObject({
    creditNotes: 1,
    adjustmentCents: -350_00,
  })
  await app.manager.billing.credit({
    ...{ invoiceId: invoice!.id, idempotencyKey: randomUUID(), kind: "concession", amountCents: 30_00 },
    reason: "Goodwill",
  })
  // The invoice was paid, so its credits become the policy's credit.
  expect(await readStanding(policyId, "2026-08-01")).toEqual({ left: 0, open: 0, credit: addVat(350_00) + 30_00 })

  // R 50 more for two members; the concession is not billed again.
  await changePremiumFrom(policyId, 400_00, "2026-08-01")
  app.clock.set("2026-09-02T08:00:00Z")
  const dearer = await makeMonthInvoice("2026-09-01", policyId)
  expect(dearer.row).toMatchObject({ baseCents: 2 * 400_00, adjustmentCents: 2 * 50_00, members: 2 })
  const { left } = await readStanding(policyId, "2026-09-01")
  expect(left).toBe(0)

  // Credits both invoices, each up to what it billed.
  await changePremiumFrom(policyId, 100_00, "2026-08-01")
  const cheaper = await makeMonthInvoice("2026-09-01", policyId)
  expect(cheaper.row).toMatchObject({ invoiceId: null, adjustmentCents: -2 * 2 * 300_00 })
  const after = await readStanding(policyId, "2026-09-01")
  const billed = addVat(2 * 2 * 100_00)
  const paid = addVat(3 * 350_00)
  expect(after.left).toBe(0)
  // Balance = paid − billed + the concession's share of the August amount that was not credited: R 500 of R 700 were
  // credited.
  expect(after.credit - after.open).toBe(paid - billed + 30_00 - Math.round((30_00 * 500) / 700))
  expect((await makeMonthInvoice("2026-09-01", policyId)).counts).toMatchObject({ waiting: 0, nothing: 1 })
})

test("a paid and fully credited month is owed at the current premium after reinstatement", async () => {
  const { id: policyId } = await app.policy({ startOn: "2026-08-01", members: 1 })
  await makeMonthInvoice("2026-08-01", policyId)
  await recordedReceipt(app.manager, { policyId, amountCents: addVat(350_00), receivedOn: "2026-08-03" })
  const [member] = (await app.manager.members.list({ policyId })).rows
  const act = async (what: "suspend" | "reinstate") => {
    app.clock.advance({ minutes: 1 })
    const { version } = await app.manager.members.detail({ memberId: member!.id })
    await app.manager.members[what]({ memberId: member!.id, version, on: "2026-08-01", reason: "As told" })
  }
  await act("suspend")
  expect((await makeMonthInvoice("2026-08-01", policyId)).row).toMatchObject({
    creditNotes: 1,
    totalCents: -addVat(350_00),
  })
  expect(await readStanding(policyId, "2026-08-01")).toEqual({ left: 0, open: 0, credit: addVat(350_00) })
  await act("reinstate")
  await changePremiumFrom(policyId, 333_33, "2026-08-01")
  const again = await makeMonthInvoice("2026-08-01", policyId)
  expect(again.row).toMatchObject({ baseCents: 333_33, adjustmentCents: 0, totalCents: addVat(333_33) })
  expect((await readStanding(policyId, "2026-08-01")).left).toBe(0)
  expect((await makeMonthInvoice("2026-08-01", policyId)).counts).toMatchObject({ waiting: 0, nothing: 1 })
})
