import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { memberOf } from "../members/members.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { draftInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { difference } from "./difference.queries.ts"
import { premiumEvidence } from "./premium-standing.queries.ts"

/*
 * A month whose invoice was credited whole. By a correction it was never billed: it is owed again, all of it and once. By a
 * concession it stays billed.
 */

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-08-03T08:00:00Z" })
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})
beforeEach(() => app.clock.set("2026-08-03T08:00:00Z"))

const august = "2026-08-01"

/** A run of a month for one policy, sent at once; its row as it was previewed and as it was made, which are the same. */
async function made(month: Day, policyId: string) {
  const { runs } = app.manager.billing
  const { id } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds: [policyId] })
  await app.runJobs()
  const { version, counts } = await runs.detail({ runId: id })
  if (counts.waiting === 0) return null
  const [preview] = (await runs.policies({ runId: id })).rows
  await runs.make({ runId: id, version, idempotencyKey: randomUUID(), outcome: "sent" })
  await app.runJobs()
  const [row] = (await runs.policies({ runId: id })).rows
  for (const figure of ["baseCents", "adjustmentCents", "vatCents", "totalCents"] as const)
    expect(row![figure], figure).toBe(preview![figure])
  return row!
}

const creditWhole = (invoiceId: string, kind: "correction" | "concession") =>
  app.manager.billing.credit({ invoiceId, idempotencyKey: randomUUID(), kind, amountCents: null, reason: "All of it" })

const invoicesOf = (policyId: string) =>
  app.sql.rows<{ id: string; kind: string; period: Day; cents: Cents }>(sql`
    select id, kind, period_start_on as period, subtotal_cents as cents from invoices
    where policy_id = ${policyId} and status <> 'cancelled' order by number`)

const left = (policyId: string, month: Day = august) =>
  app.sql.rows(difference({ policies: sql`${policyId}::uuid`, month, knownAt: app.clock.now() }))

/** Which months claims say were never billed to a member. */
const neverBilled = async (memberId: string, upTo: Day) =>
  (await app.app.database.transaction("staff", (tx) => premiumEvidence(tx, memberId, upTo))).unbilled

/** Three members, billed for August. */
async function billedOnce() {
  const { id: policyId } = await app.policy({ startOn: august, members: 3 })
  await made(august, policyId)
  const [invoice] = await invoicesOf(policyId)
  app.clock.set("2026-08-10T08:00:00Z")
  return { policyId, invoiceId: invoice!.id }
}

test("a concession of the whole stays billed: a run makes nothing, and bills a late joiner alone", async () => {
  const { policyId, invoiceId } = await billedOnce()
  await creditWhole(invoiceId, "concession")
  expect(await made(august, policyId)).toBeNull()
  await memberOf(app.manager, policyId, { startOn: august })
  expect(await made(august, policyId)).toMatchObject({ baseCents: 0, adjustmentCents: 350_00 })
  expect(await left(policyId)).toEqual([])
})

test("a correction of the whole is billed again as the month itself, once", async () => {
  const { policyId, invoiceId } = await billedOnce()
  await creditWhole(invoiceId, "correction")
  expect(await made(august, policyId)).toMatchObject({ baseCents: 3 * 350_00, adjustmentCents: 0 })
  expect(await made(august, policyId)).toBeNull()
  expect((await invoicesOf(policyId)).map(({ kind, period }) => [kind, period])).toEqual([
    ["premium", august],
    ["premium", august],
  ])
})

test("after a concession of a part, a correction takes back the rest: the month is owed in full again, and the goodwill went with its invoice", async () => {
  const { policyId, invoiceId } = await billedOnce()
  const reason = "Goodwill"
  await app.manager.billing.credit({
    ...{ invoiceId, idempotencyKey: randomUUID(), kind: "concession", amountCents: 115_00, reason },
  })
  await creditWhole(invoiceId, "correction")
  expect(await made(august, policyId)).toMatchObject({ baseCents: 3 * 350_00, vatCents: 3 * 52_50 })
  const debtors = await app.manager.ledger.postings({ account: "premium_debtors", policyId })
  expect(debtors.balanceCents).toBe(3 * 402_50)
  expect(await left(policyId)).toEqual([])
})

test("billed again beside an adjustment that stands: whoever stands on it is not billed twice, and the month has its premium invoice", async () => {
  const { policyId, invoiceId } = await billedOnce()
  const late = await memberOf(app.manager, policyId, { startOn: august })
  expect(await made(august, policyId)).toMatchObject({ adjustmentCents: 350_00 })
  app.clock.set("2026-08-11T08:00:00Z")
  await creditWhole(invoiceId, "correction")
  // By hand: three are left to bill, and not the fourth.
  const filled = await app.manager.billing.fillLines({ policyId, month: august, invoiceOn: august })
  expect(filled).toMatchObject({ members: 3, subtotalCents: 3 * 350_00, takenBy: null })
  expect(filled.lines.map(({ memberId }) => memberId)).not.toContain(late.id)
  expect(await app.manager.billing.nextPeriod({ policyId })).toMatchObject({ periodStartOn: august })

  expect(await made(august, policyId)).toMatchObject({ baseCents: 0, adjustmentCents: 3 * 350_00 })
  expect((await invoicesOf(policyId)).map(({ kind, period, cents }) => [kind, period, cents])).toEqual([
    ["premium", august, 3 * 350_00],
    ["other", august, 350_00],
    ["premium", august, 3 * 350_00],
  ])
  expect(await left(policyId)).toEqual([])
  expect(await made(august, policyId)).toBeNull()
  const { rows } = await app.manager.members.list({ policyId })
  for (const { id } of rows) expect(await neverBilled(id, august)).toEqual([])
})

test("billed again on the next month's invoice: neither claims nor the next invoice take the month for unbilled", async () => {
  const { policyId, invoiceId } = await billedOnce()
  await creditWhole(invoiceId, "correction")
  const [member] = (await app.manager.members.list({ policyId })).rows
  expect(await neverBilled(member!.id, august)).toEqual([august])
  app.clock.set("2026-09-02T08:00:00Z")
  expect(await made("2026-09-01", policyId)).toMatchObject({ baseCents: 3 * 350_00, adjustmentCents: 3 * 350_00 })
  expect(await left(policyId, "2026-09-01")).toEqual([])
  expect(await neverBilled(member!.id, "2026-09-01")).toEqual([])
  expect(await app.manager.billing.nextPeriod({ policyId })).toMatchObject({ periodStartOn: "2026-10-01" })
  // Nobody is left to fill an invoice of August by hand with.
  const filled = await app.manager.billing.fillLines({ policyId, month: august, invoiceOn: august })
  expect(filled).toMatchObject({ members: 0, lines: [] })
})

test("a draft that is filled anew bills what it billed, and only the rest of what others billed", async () => {
  const { id: policyId } = await app.policy({ startOn: august, members: 2 })
  const [member] = (await app.manager.members.list({ policyId })).rows
  const line = { description: "A part of August", quantity: 1, memberId: member!.id, tierId: null }
  await draftInvoice(app.manager, {
    ...{ policyId, month: august, invoiceOn: august },
    with: { kind: "other", lines: [{ ...line, unitCents: 100_00, billedMonth: august }] },
  })
  const draft = await draftInvoice(app.manager, { policyId, month: august, invoiceOn: august })
  expect(draft.subtotalCents).toBe(2 * 350_00 - 100_00)
  const asked = { policyId, month: august, invoiceOn: august, invoiceId: draft.id }
  expect(await app.manager.billing.fillLines(asked)).toMatchObject({ members: 2, subtotalCents: 2 * 350_00 - 100_00 })
  expect(await left(policyId)).toEqual([])
})
