import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { createRefund, stepRefund } from "../refunds/refunds.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createRandomSource } from "../test/money/hand.ts"
import { windUp } from "../test/money/wind-up.ts"
import { createDraftInvoice, createPremiumRun, createPreviewedRun } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-10-02T08:00:00Z" })
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const runPremium = (month: Day, policyId: string) =>
  createPremiumRun({ ...app, manager: app.manager }, month, [policyId])

/** Calculated only from sent documents. */
const readBilled = (policyId: string) =>
  app.sql.rows<{ cents: number }>(sql`
    select sum(cents)::bigint as cents from (
      select l.member_id, l.billed_month, l.total_cents as cents from invoice_lines l join invoices i on i.id = l.invoice_id
      where i.policy_id = ${policyId} and i.status = 'sent'
      union all
      select l.member_id, l.billed_month, -l.net_cents from credit_note_lines l join credit_notes n on n.id = l.credit_note_id
      where n.policy_id = ${policyId} and n.kind = 'correction') documents
    group by member_id, billed_month having sum(cents) <> 0`)

const readBalance = async (policyId: string, account: string) =>
  (await app.sql.row<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from ledger_postings
    where account = ${account} and policy_id = ${policyId}`))!.cents

const creditNotesOf = (policyId: string) =>
  app.sql.rows<{ number: string; cents: number }>(sql`
    select i.number, n.total_cents as cents from credit_notes n join invoices i on i.id = n.invoice_id
    where n.policy_id = ${policyId} order by n.number`)

const threeMembersFromOctober = { startOn: "2026-09-01", billedFromOn: "2026-10-01", premiumCents: 100_00, members: 3 }

async function terminateBeforeOctober(memberId: string): Promise<void> {
  const { version } = await app.manager.members.detail({ memberId })
  await app.manager.members.terminate({ memberId, version, on: "2026-09-30", reason: "Left" })
}

/** One of three members billed for October left before it; November's invoice has the adjustment. */
async function createAdjustedPolicy() {
  app.clock.set("2026-10-02T08:00:00Z")
  const { id: policyId } = await app.policy(threeMembersFromOctober)
  await runPremium("2026-10-01", policyId)
  app.clock.set("2026-10-20T08:00:00Z")
  const [first] = (await app.manager.members.list({ policyId })).rows
  await terminateBeforeOctober(first!.id)
  app.clock.set("2026-11-02T08:00:00Z")
  await runPremium("2026-11-01", policyId)
  const { rows } = await app.manager.billing.list({ policyId, sort: "number", dir: "asc" })
  expect(rows.map(({ totalCents }) => totalCents)).toEqual([345_00, 115_00])
  return { policyId, invoices: rows }
}

test("a policy that ends before its billed months is fully credited, despite an adjustment", async () => {
  const { policyId, invoices } = await createAdjustedPolicy()
  await recordedReceipt(app.manager, { policyId, amountCents: 460_00, receivedOn: "2026-11-02" })
  app.clock.set("2026-11-03T08:00:00Z")
  const { version } = await app.manager.policies.detail({ policyId })
  await app.manager.policies.terminate({ policyId, version, on: "2026-09-30", reason: "Cover ended" })

  const offer = await app.manager.refunds.offer({ policyId, reason: "policy_cancellation" })
  expect(offer).toMatchObject({ correctionCents: 460_00, creditAfterCents: 460_00, parked: null })
  const asked = { policyId, amountCents: 460_00, reason: "policy_cancellation" } as const
  const refund = await createRefund(app.manager, asked, 460_00)
  const second = app.as(app.people.manager2)
  await stepRefund(second, refund.id, "release")
  await stepRefund(app.manager, refund.id, "complete", "2026-11-03")

  expect(await readBilled(policyId)).toEqual([])
  expect(await readBalance(policyId, "premium_debtors")).toBe(0)
  expect(await readBalance(policyId, "unallocated_receipts")).toBe(0)
  expect(await readBalance(policyId, "premium_income")).toBe(0)
  expect(await readBalance(policyId, "vat_output")).toBe(0)
  expect((await createPreviewedRun(app, "2026-11-01", [policyId])).counts).toMatchObject({ parked: 0, waiting: 0 })
  expect(await creditNotesOf(policyId)).toEqual([
    { number: invoices[1]!.number, cents: 115_00 },
    { number: invoices[0]!.number, cents: 345_00 },
  ])
})

test("a run credits an active policy whose members all left", async () => {
  const { policyId } = await createAdjustedPolicy()
  app.clock.set("2026-11-03T08:00:00Z")
  const { rows } = await app.manager.members.list({ policyId, tab: "Active" })
  for (const { id } of rows) await terminateBeforeOctober(id)
  const { counts } = await runPremium("2026-12-01", policyId)
  expect(counts).toMatchObject({ made: 1, parked: 0 })
  expect(await readBilled(policyId)).toEqual([])
  expect(await readBalance(policyId, "premium_debtors")).toBe(0)
})

async function createPolicyExemptFromNovember(name: string) {
  app.clock.set("2026-10-02T08:00:00Z")
  const { productTypes } = app.as(app.people.admin).benefits
  const vatRates = [
    { from: null, percent: 15 },
    { from: "2026-11-01", percent: 0, class: "exempt" as const },
  ]
  const { id: productTypeId } = await productTypes.create({ name, description: "", vatRates })
  const { id: policyId } = await app.policy({ productTypeId, ...threeMembersFromOctober })
  await runPremium("2026-10-01", policyId)
  app.clock.set("2026-11-02T08:00:00Z")
  return policyId
}

test("a run bills exempt lines and credits standard-rated adjustments separately", async () => {
  const policyId = await createPolicyExemptFromNovember("Exempt from November")
  const [first] = (await app.manager.members.list({ policyId })).rows
  await terminateBeforeOctober(first!.id)
  const { id: runId } = await createPremiumRun(app, "2026-11-01", [policyId])
  const { rows } = await app.manager.billing.runs.policies({ runId })
  expect(rows[0]).toMatchObject({ baseCents: 200_00, adjustmentCents: -100_00, vatCents: -15_00, totalCents: 85_00 })
  const { rows: invoices } = await app.manager.billing.list({ policyId, sort: "number", dir: "asc" })
  expect(invoices.map(({ totalCents }) => totalCents)).toEqual([345_00, 200_00])
  expect(await creditNotesOf(policyId)).toEqual([{ number: invoices[0]!.number, cents: 115_00 }])
})

test("a run credits an invoice with negative VAT", async () => {
  const policyId = await createPolicyExemptFromNovember("Exempt since November")
  const [first, second] = (await app.manager.members.list({ policyId })).rows
  const line = { quantity: 1, tierId: null }
  const lines = [
    { ...line, description: "November", unitCents: 200_00, memberId: second!.id, billedMonth: "2026-11-01" },
    { ...line, description: "October", unitCents: -100_00, memberId: first!.id, billedMonth: "2026-10-01" },
  ]
  const invoice = await createDraftInvoice(app.manager, {
    ...{ policyId, month: "2026-11-01", invoiceOn: "2026-11-02" },
    with: { lines },
  })
  const { id: invoiceId, version } = invoice
  const sent = await app.manager.billing.send({ invoiceId, version, idempotencyKey: randomUUID() })
  expect(sent).toMatchObject({ subtotalCents: 100_00, vatCents: -15_00, totalCents: 85_00 })
  const { creditNotes } = await app.manager.billing.credit({
    ...{ invoiceId, idempotencyKey: randomUUID(), amountCents: null, reason: "Made by mistake" },
  })
  expect(creditNotes).toMatchObject([{ vatCents: -15_00, totalCents: 85_00 }])
})

async function runIfPoliciesWait(month: Day, policyId: string): Promise<void> {
  const { id: runId, version, counts } = await createPreviewedRun(app, month, [policyId])
  expect(counts.parked).toBe(0)
  if (counts.waiting === 0) return
  await app.manager.billing.runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "sent" })
  await app.runJobs()
}

const historyCount = Number(process.env.HISTORIES ?? 3)

test("an ended policy can be fully credited after any history of late changes and runs", {
  timeout: historyCount * 60_000,
}, async () => {
  for (let seed = 0; seed < historyCount; seed++) {
    const draw = createRandomSource(23_000 + seed)
    app.clock.set("2026-01-02T08:00:00Z")
    const { id: policyId } = await app.policy({ startOn: "2026-01-01", billedFromOn: "2026-03-01", members: 4 })
    for (let month = 3; month <= 11; month++) {
      app.clock.set(`2026-${String(month).padStart(2, "0")}-02T08:00:00Z`)
      await runIfPoliciesWait(`2026-${String(month).padStart(2, "0")}-01`, policyId)
      app.clock.advance({ hours: 1 })
      const day = `2026-${String(1 + draw.below(month)).padStart(2, "0")}-01`
      const { rows } = await app.manager.members.list({ policyId, tab: "Active" })
      if (draw.below(3) > 0 && rows.length > 0) {
        const { id: memberId } = draw.of(rows)
        const { version, startOn } = await app.manager.members.detail({ memberId })
        const on = startOn !== null && day < startOn ? startOn : day
        await app.manager.members.terminate({ memberId, version, on, reason: "Left" })
      } else await createMember(app.manager, policyId, { startOn: day })
      if (draw.below(2) === 0)
        await recordedReceipt(app.manager, { policyId, amountCents: 402_50 * (1 + draw.below(4)), receivedOn: day })
    }
    app.clock.set("2026-11-20T08:00:00Z")
    await windUp(app, policyId, draw.of(["2026-01-31", "2026-02-28", "2026-05-31", "2026-08-10"]))
    expect(await verifyLedger(app.sql), `seed ${seed}`).toEqual([])
  }
})
