import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { billedByMonth } from "./billed.queries.ts"
import { createDraftInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

/** Lines such as "number month: cents", in order. */
async function createBilledInvoice(policyId: string, month: Day = "2027-12-01"): Promise<string[]> {
  const rows = await app.sql.rows<{ said: string }>(sql`
    select m.number || ' ' || to_char(b.month, 'YYYY-MM') || ': ' || sum(b.cents) as said
    from (${billedByMonth({ policies: sql`select ${policyId}::uuid`, month })}) b join members m on m.id = b.member_id
    group by m.number, b.month having sum(b.cents) <> 0 order by 1`)
  return rows.map(({ said }) => said)
}

const invoiceOn = "2026-11-02"
const creditPart = (invoiceId: string, more: object) =>
  app.manager.billing.credit({ invoiceId, idempotencyKey: randomUUID(), amountCents: null, reason: "x", ...more })

test("a draft invoice counts as billed until it is cancelled", async () => {
  const policy = await app.policy({ members: 2 })
  const draft = await createDraftInvoice(app.manager, { policyId: policy.id, month: "2026-09-01", invoiceOn })
  expect(draft.lines.map(({ billedMonth, vatClass, vatPercent }) => [billedMonth, vatClass, vatPercent])).toEqual([
    ["2026-09-01", "standard", 15],
    ["2026-09-01", "standard", 15],
  ])
  expect(draft.vat).toEqual([{ class: "standard", percent: 15, netCents: 700_00, vatCents: 105_00 }])
  expect(await createBilledInvoice(policy.id)).toHaveLength(2)
  expect(await createBilledInvoice(policy.id, "2026-08-31")).toEqual([])
  await app.manager.billing.cancel({ invoiceId: draft.id, version: draft.version, reason: "Wrong" })
  expect(await createBilledInvoice(policy.id)).toEqual([])
})

test("a line correction reduces the member's billed amount, a concession does not", async () => {
  const policy = await app.policy({ members: 2 })
  const sent = await createSentInvoice(app.manager, { policyId: policy.id, month: "2026-09-01", invoiceOn })
  const [first, second] = await createBilledInvoice(policy.id)
  expect([first, second].every((said) => said?.endsWith("2026-09: 35000"))).toBe(true)

  const line = sent.lines[1]!
  const corrected = await creditPart(sent.id, { lines: [{ invoiceLineId: line.id, netCents: 350_00 }] })
  expect(corrected.creditNotes).toMatchObject([
    { kind: "correction", netCents: 350_00, vatCents: 52_50, totalCents: 402_50, discountCents: 0 },
  ])
  expect(corrected.creditNotes[0]!.lines).toEqual([
    { invoiceLineId: line.id, memberId: line.memberId, billedMonth: "2026-09-01", netCents: 350_00, vatCents: 52_50 },
  ])
  expect(await createBilledInvoice(policy.id)).toHaveLength(1)

  const given = await creditPart(sent.id, { kind: "concession", amountCents: 100_00 })
  expect(given).toMatchObject({ creditedCents: 502_50, openCents: 302_50 })
  expect(await createBilledInvoice(policy.id)).toHaveLength(1)
})

test("a full concession leaves the month billed, a full correction releases it", async () => {
  const policy = await app.policy()
  const month = { policyId: policy.id, month: "2026-09-01", invoiceOn }
  const first = await createSentInvoice(app.manager, month)
  expect(await creditPart(first.id, { kind: "concession" })).toMatchObject({ status: "credited" })
  expect(await createBilledInvoice(policy.id)).toHaveLength(1)
  await expect(createDraftInvoice(app.manager, month)).rejects.toMatchObject({ code: "PERIOD_TAKEN" })

  const other = await app.policy()
  const again = await createSentInvoice(app.manager, { ...month, policyId: other.id })
  expect(await creditPart(again.id, {})).toMatchObject({ status: "credited" })
  expect(await createBilledInvoice(other.id)).toEqual([])
  await createDraftInvoice(app.manager, { ...month, policyId: other.id })
})

test("a correction names lines of the invoice or an amount, within what is left", async () => {
  const policy = await app.policy()
  const sent = await createSentInvoice(app.manager, { policyId: policy.id, month: "2026-09-01", invoiceOn })
  const lines = [{ invoiceLineId: sent.lines[0]!.id, netCents: 350_01 }]
  await expect(creditPart(sent.id, { lines })).rejects.toMatchObject({
    code: "CREDIT_TOO_LARGE",
    data: { leftCents: 350_00 },
  })
  for (const wrong of [{ kind: "concession" }, { amountCents: 1 }]) {
    await expect(creditPart(sent.id, { lines, ...wrong })).rejects.toMatchObject({ code: "INVALID" })
  }
  const elsewhere = [{ invoiceLineId: randomUUID(), netCents: 1 }]
  await expect(creditPart(sent.id, { lines: elsewhere })).rejects.toMatchObject({ code: "CREDIT_TOO_LARGE" })
})

test("a line's VAT rate is that of its month, otherwise of the invoice date", async () => {
  const admin = app.as(app.people.admin)
  const { id } = await admin.benefits.productTypes.create({
    ...{ name: "Taxed anew", description: "" },
    vatRates: [
      { from: null, percent: 14 },
      { from: "2026-10-01", percent: 15 },
    ],
  })
  const policy = await app.policy({ productTypeId: id })
  const member = await createMember(app.manager, policy.id, { startOn: "2026-01-01" })
  const typed = { quantity: 1, unitCents: 3, memberId: member.id, tierId: null }
  const draft = await createDraftInvoice(app.manager, {
    ...{ policyId: policy.id, month: "2026-10-01", invoiceOn },
    with: {
      lines: [
        { ...typed, description: "October" },
        { ...typed, description: "September", billedMonth: "2026-09-01" },
        { ...typed, description: "A card", memberId: null },
      ],
    },
  })
  expect(draft.lines.map(({ billedMonth, vatPercent }) => [billedMonth, vatPercent])).toEqual([
    ["2026-10-01", 15],
    ["2026-09-01", 14],
    [null, 15],
  ])
  expect(draft).toMatchObject({ subtotalCents: 9, vatCents: 1, totalCents: 10 })
  expect(draft.vat.map(({ netCents, vatCents }) => [netCents, vatCents])).toEqual([
    [6, 1],
    [3, 0],
  ])
})

test("the database refuses changed and added credit note lines", async () => {
  const policy = await app.policy()
  const sent = await createSentInvoice(app.manager, { policyId: policy.id, month: "2026-09-01", invoiceOn })
  await creditPart(sent.id, { amountCents: 10_00 })
  await expect(app.sql.run(sql`update credit_note_lines set net_cents = 1`)).rejects.toThrow()
  await expect(
    app.sql.run(sql`
      insert into credit_note_lines select gen_random_uuid(), l.group_id, c.credit_note_id, 9, l.id, l.member_id, l.billed_month,
        1, l.vat_class, l.vat_percent, 0
      from credit_note_lines c join invoice_lines l on l.id = c.invoice_line_id limit 1`),
  ).rejects.toThrow()
})
