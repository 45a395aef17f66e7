import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createDraftInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { differenceSql } from "./difference.queries.ts"
import { loadPremiumEvidence } from "./premium-standing.queries.ts"

/* A fully corrected month is owed again, once. After a full concession it stays billed. */

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

/** Makes the run; expects the result to equal the preview. */
async function makeInvoiceOf(month: Day, policyId: string) {
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

const creditWholeInvoice = (invoiceId: string, kind: "correction" | "concession") =>
  app.manager.billing.credit({ invoiceId, idempotencyKey: randomUUID(), kind, amountCents: null, reason: "All of it" })

const invoicesOf = (policyId: string) =>
  app.sql.rows<{ id: string; kind: string; period: Day; cents: Cents }>(sql`
    select id, kind, period_start_on as period, subtotal_cents as cents from invoices
    where policy_id = ${policyId} and status <> 'cancelled' order by number`)

const readDifference = (policyId: string, month: Day = august) =>
  app.sql.rows(differenceSql({ policies: sql`${policyId}::uuid`, month, knownAt: app.clock.now() }))

const readUnbilledMonths = async (memberId: string, upTo: Day) =>
  (await app.app.database.transaction("staff", (tx) => loadPremiumEvidence(tx, memberId, upTo))).unbilled

async function createBilledPolicy() {
  const { id: policyId } = await app.policy({ startOn: august, members: 3 })
  await makeInvoiceOf(august, policyId)
  const [invoice] = await invoicesOf(policyId)
  app.clock.set("2026-08-10T08:00:00Z")
  return { policyId, invoiceId: invoice!.id }
}

test("after a full concession a month stays billed; only late joiners are billed", async () => {
  const { policyId, invoiceId } = await createBilledPolicy()
  await creditWholeInvoice(invoiceId, "concession")
  expect(await makeInvoiceOf(august, policyId)).toBeNull()
  await createMember(app.manager, policyId, { startOn: august })
  expect(await makeInvoiceOf(august, policyId)).toMatchObject({ baseCents: 0, adjustmentCents: 350_00 })
  expect(await readDifference(policyId)).toEqual([])
})

test("a run bills a fully corrected month again, once", async () => {
  const { policyId, invoiceId } = await createBilledPolicy()
  await creditWholeInvoice(invoiceId, "correction")
  expect(await makeInvoiceOf(august, policyId)).toMatchObject({ baseCents: 3 * 350_00, adjustmentCents: 0 })
  expect(await makeInvoiceOf(august, policyId)).toBeNull()
  expect((await invoicesOf(policyId)).map(({ kind, period }) => [kind, period])).toEqual([
    ["premium", august],
    ["premium", august],
  ])
})

test("correcting the rest after a partial concession makes the whole month owed again", async () => {
  const { policyId, invoiceId } = await createBilledPolicy()
  const reason = "Goodwill"
  await app.manager.billing.credit({
    ...{ invoiceId, idempotencyKey: randomUUID(), kind: "concession", amountCents: 115_00, reason },
  })
  await creditWholeInvoice(invoiceId, "correction")
  expect(await makeInvoiceOf(august, policyId)).toMatchObject({ baseCents: 3 * 350_00, vatCents: 3 * 52_50 })
  const debtors = await app.manager.ledger.postings({ account: "premium_debtors", policyId })
  expect(debtors.balanceCents).toBe(3 * 402_50)
  expect(await readDifference(policyId)).toEqual([])
})

test("billing a corrected month again skips members that a remaining adjustment bills", async () => {
  const { policyId, invoiceId } = await createBilledPolicy()
  const late = await createMember(app.manager, policyId, { startOn: august })
  expect(await makeInvoiceOf(august, policyId)).toMatchObject({ adjustmentCents: 350_00 })
  app.clock.set("2026-08-11T08:00:00Z")
  await creditWholeInvoice(invoiceId, "correction")
  const filled = await app.manager.billing.fillLines({ policyId, month: august, invoiceOn: august })
  expect(filled).toMatchObject({ members: 3, subtotalCents: 3 * 350_00, takenBy: null })
  expect(filled.lines.map(({ memberId }) => memberId)).not.toContain(late.id)
  expect(await app.manager.billing.nextPeriod({ policyId })).toMatchObject({ periodStartOn: august })

  expect(await makeInvoiceOf(august, policyId)).toMatchObject({ baseCents: 0, adjustmentCents: 3 * 350_00 })
  expect((await invoicesOf(policyId)).map(({ kind, period, cents }) => [kind, period, cents])).toEqual([
    ["premium", august, 3 * 350_00],
    ["other", august, 350_00],
    ["premium", august, 3 * 350_00],
  ])
  expect(await readDifference(policyId)).toEqual([])
  expect(await makeInvoiceOf(august, policyId)).toBeNull()
  const { rows } = await app.manager.members.list({ policyId })
  for (const { id } of rows) expect(await readUnbilledMonths(id, august)).toEqual([])
})

test("a corrected month counts as billed if the next invoice bills it", async () => {
  const { policyId, invoiceId } = await createBilledPolicy()
  await creditWholeInvoice(invoiceId, "correction")
  const [member] = (await app.manager.members.list({ policyId })).rows
  expect(await readUnbilledMonths(member!.id, august)).toEqual([august])
  app.clock.set("2026-09-02T08:00:00Z")
  expect(await makeInvoiceOf("2026-09-01", policyId)).toMatchObject({
    baseCents: 3 * 350_00,
    adjustmentCents: 3 * 350_00,
  })
  expect(await readDifference(policyId, "2026-09-01")).toEqual([])
  expect(await readUnbilledMonths(member!.id, "2026-09-01")).toEqual([])
  expect(await app.manager.billing.nextPeriod({ policyId })).toMatchObject({ periodStartOn: "2026-10-01" })
  const filled = await app.manager.billing.fillLines({ policyId, month: august, invoiceOn: august })
  expect(filled).toMatchObject({ members: 0, lines: [] })
})

test("refilling a draft ignores the draft's own lines and subtracts lines of other invoices", async () => {
  const { id: policyId } = await app.policy({ startOn: august, members: 2 })
  const [member] = (await app.manager.members.list({ policyId })).rows
  const line = { description: "A part of August", quantity: 1, memberId: member!.id, tierId: null }
  await createDraftInvoice(app.manager, {
    ...{ policyId, month: august, invoiceOn: august },
    with: { kind: "other", lines: [{ ...line, unitCents: 100_00, billedMonth: august }] },
  })
  const draft = await createDraftInvoice(app.manager, { policyId, month: august, invoiceOn: august })
  expect(draft.subtotalCents).toBe(2 * 350_00 - 100_00)
  const asked = { policyId, month: august, invoiceOn: august, invoiceId: draft.id }
  expect(await app.manager.billing.fillLines(asked)).toMatchObject({ members: 2, subtotalCents: 2 * 350_00 - 100_00 })
  expect(await readDifference(policyId)).toEqual([])
})
