import { randomUUID } from "node:crypto"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createDraftInvoice, createPendingInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const november = { month: "2026-11-02", invoiceOn: "2026-11-02" }
const key = () => randomUUID()

describe("an invoice for a month", () => {
  test("an invoice has a line per paying member and totals from its lines", async () => {
    const policy = await app.policy({ members: 2 })
    await createMember(app.manager, policy.id, {
      firstName: "Šárka",
      lastName: "Müller",
      tier: "Gold",
      startOn: "2026-11-01",
    })
    await createMember(app.manager, policy.id, { startOn: "2026-11-02" })
    const invoice = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })

    expect(invoice.lines).toHaveLength(3)
    expect(invoice.lines.map((line) => line.description)).toContain("Šárka Müller - Gold")
    expect(invoice).toMatchObject({
      status: "draft",
      kind: "premium",
      periodStartOn: "2026-11-01",
      periodEndOn: "2026-11-30",
      dueOn: "2026-12-02",
      subtotalCents: 1050_00,
      vatPercent: 15,
      vatCents: 157_50,
      totalCents: 1207_50,
      policy: { membersCovered: 3 },
      allowedActions: ["edit", "approve", "send", "cancel", "download"],
    })
    expect(invoice.number).toMatch(/^INV-2026-\d{6}$/)
    expect(invoice.lines[0]).toMatchObject({ quantity: 1, unitCents: 350_00, tierName: expect.any(String) })
    expect(invoice.lines.every((line) => line.member?.idNumber)).toBe(true)
  })

  test("refuses invoice dates outside the open and next year; the database refuses implausible dates", async () => {
    const policy = await app.policy()
    const draft = (dates: object) => createDraftInvoice(app.manager, { policyId: policy.id, ...november, with: dates })
    const message = "The date must be between 2026-01-01 and 2027-12-31"
    for (const [invoiceOn, dueOn, path] of [
      ["1800-01-01", "2026-11-30", "invoice.invoiceOn"],
      ["2026-11-02", "2999-12-31", "invoice.dueOn"],
    ]) {
      await expect(draft({ invoiceOn, dueOn })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path, message }] },
      })
    }
    const { id, version, lines, periodStartOn, periodEndOn } = await draft({})
    const dated = {
      kind: "premium" as const,
      lines: lines.map(({ description, quantity, unitCents, memberId }) => ({
        description,
        quantity,
        unitCents,
        memberId,
      })),
      periodStartOn,
      periodEndOn,
      invoiceOn: "2025-12-31",
      dueOn: "2026-11-30",
    }
    await expect(app.manager.billing.update({ invoiceId: id, version, invoice: dated })).rejects.toMatchObject({
      data: { fields: [{ path: "invoice.invoiceOn", message }] },
    })
    await expect(app.sql.run(sql`update invoices set due_on = '2999-12-31' where id = ${id}`)).rejects.toMatchObject({
      constraint: "invoices_dates_are_plausible",
    })
    await app.manager.billing.cancel({ invoiceId: id, version, reason: "A test" })
  })

  test("refuses a billed period unless its invoice is cancelled or fully credited", async () => {
    const policy = await app.policy()
    const first = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const again = () => createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    await expect(again()).rejects.toMatchObject({
      code: "PERIOD_TAKEN",
      status: 409,
      data: { invoiceId: first.id, number: first.number },
    })
    await app.manager.billing.cancel({ invoiceId: first.id, version: first.version, reason: "Wrong premium" })
    const second = await again()
    const sent = await app.manager.billing.send({
      invoiceId: second.id,
      version: second.version,
      idempotencyKey: key(),
    })
    await expect(again()).rejects.toMatchObject({ code: "PERIOD_TAKEN" })
    await app.manager.billing.credit({
      invoiceId: sent.id,
      idempotencyKey: key(),
      amountCents: null,
      reason: "Wrong premium",
    })
    await expect(again()).resolves.toMatchObject({ status: "draft" })
  })

  test("a premium invoice can exist beside another kind of invoice for the same month", async () => {
    const policy = await app.policy()
    await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const fee = {
      kind: "other" as const,
      lines: [{ description: "Medical examination", quantity: 2, unitCents: 99_99 }],
    }
    const other = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      ...november,
      with: { ...fee, discountCents: 5_00, discountReason: "Paid in advance" },
    })
    expect(other).toMatchObject({ subtotalCents: 199_98, vatCents: 30_00, discountCents: 5_00, totalCents: 224_98 })
    expect(other).toMatchObject({ discountPercent: null, discountReason: "Paid in advance" })
    await expect(
      createDraftInvoice(app.manager, { policyId: policy.id, ...november, with: { ...fee, discountCents: 5_00 } }),
    ).rejects.toMatchObject({ data: { fields: [{ path: "invoice.discountReason" }] } })

    // The discount is rounded once, and follows changed lines.
    const percent = { discountPercent: 2.5, discountReason: "Loyalty" }
    const given = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      ...november,
      with: { ...fee, ...percent },
    })
    expect(given).toMatchObject({ discountCents: 5_00, totalCents: 224_98, ...percent })
    const { kind, invoiceOn, dueOn, periodStartOn, periodEndOn } = given
    const lines = [{ description: "Medical examination", quantity: 1, unitCents: 100_00 }]
    const invoice = { kind, invoiceOn, dueOn, periodStartOn, periodEndOn, lines, ...percent }
    const edited = await app.manager.billing.update({ invoiceId: given.id, version: given.version, invoice })
    expect(edited).toMatchObject({ discountCents: 2_50, totalCents: 112_50, ...percent })
    const set = (change: SQL) => app.sql.run(sql`update invoices set ${change} where id = ${given.id}`)
    await expect(set(sql`discount_reason = ' '`)).rejects.toThrow(/a discount must have a reason/)
    await expect(set(sql`discount_percent = 3`)).rejects.toThrow(/invoice_discount_is_its_percentage/)
  })

  test("an edit fails if stored lines differ from sent lines, even with equal subtotals", async () => {
    const policy = await app.policy({ startOn: "2026-11-01", members: 1 })
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const { id, version, kind, invoiceOn, dueOn, periodStartOn, periodEndOn, lines } = draft
    const change = (statement: string) => app.sql.run(sql.raw(statement))
    // A trigger that alters lines after validation.
    await change(`create function one_cent_more() returns trigger language plpgsql as $$
      begin new.unit_cents := new.unit_cents + 1; new.total_cents := new.total_cents + 1; return new; end $$`)
    await change(
      `create trigger one_cent_more before insert on invoice_lines for each row execute function one_cent_more()`,
    )
    try {
      const same = lines.map(({ description, quantity, unitCents, memberId, tierId, billedMonth }) => ({
        ...{ description, quantity, unitCents, memberId, tierId, billedMonth },
      }))
      const invoice = { kind, invoiceOn, dueOn, periodStartOn, periodEndOn, lines: same }
      await expect(app.manager.billing.update({ invoiceId: id, version, invoice })).rejects.toThrow()
      expect(await app.manager.billing.detail({ invoiceId: id })).toMatchObject({ version, lines })
    } finally {
      await change(`drop trigger one_cent_more on invoice_lines`)
      await change(`drop function one_cent_more`)
    }
  })

  test("an invoice needs an active policy, a line, and members of that policy", async () => {
    const draft = await app.policy()
    const other = await app.policy()
    const { lines } = await app.manager.billing.fillLines({ policyId: other.id, ...november })
    const generate = (with_: object) =>
      createDraftInvoice(app.manager, { policyId: draft.id, ...november, with: with_ })
    await expect(generate({ lines })).rejects.toMatchObject({ code: "INVALID", status: 422 })
    await expect(generate({ lines: [] })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "invoice.lines", message: "Please add at least one line item" }] },
    })
    const unknownTier = [{ description: "Premium", quantity: 1, unitCents: 1_00, tierId: randomUUID() }]
    await expect(generate({ lines: unknownTier })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "invoice.lines", message: "A line names a benefit tier that does not exist." }] },
    })
    await expect(generate({ policyId: "" })).rejects.toMatchObject({
      data: { fields: [{ path: "invoice.policyId", message: "Please select a policy" }] },
    })
    const suspended = await app.manager.policies.suspend({
      policyId: draft.id,
      version: draft.version,
      reason: "Arrears",
    })
    expect(suspended.status).toBe("Suspended")
    await expect(generate({})).rejects.toMatchObject({ code: "POLICY_NOT_ACTIVE" })
  })

  test("a draft can be edited, but not with a stale version", async () => {
    const policy = await app.policy()
    const invoice = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const { invoiceOn, dueOn, periodStartOn, periodEndOn } = invoice
    const edit = {
      kind: invoice.kind,
      invoiceOn,
      dueOn,
      periodStartOn,
      periodEndOn,
      notes: "Corrected",
      lines: [{ description: "Premium", quantity: 3, unitCents: 100_00 }],
    }
    const edited = await app.manager.billing.update({
      invoiceId: invoice.id,
      version: invoice.version,
      invoice: edit,
    })
    expect(edited).toMatchObject({ number: invoice.number, totalCents: 345_00, notes: "Corrected", version: 2 })
    expect(edited.timeline[0]).toMatchObject({ sentence: "edited the invoice", actor: "Max Manager" })
    const [first] = invoice.lines
    expect(edited.timeline[0]!.changes).toContainEqual({
      field: "lines",
      before: [`${first!.description}: 1 × ${formatMoney(first!.unitCents, "ZAR")}`],
      after: [`Premium: 3 × ${formatMoney(100_00, "ZAR")}`],
    })
    await expect(
      app.manager.billing.update({ invoiceId: invoice.id, version: 1, invoice: edit }),
    ).rejects.toMatchObject({ code: "STALE", data: { version: 2 } })
    const pending = await app.manager.billing.approve({ invoiceId: invoice.id, version: 2 })
    expect(pending).toMatchObject({ status: "pending", allowedActions: ["send", "cancel", "download"] })
    await expect(
      app.manager.billing.update({ invoiceId: invoice.id, version: 3, invoice: edit }),
    ).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })
})

describe("a sent invoice", () => {
  test("a sent invoice is posted, and mailed to the main contact with its PDF", async () => {
    const policy = await app.policy({ contactEmail: "pay@employer.example" })
    const pending = await createPendingInvoice(app.manager, { policyId: policy.id, ...november })
    const sent = await app.manager.billing.send({
      invoiceId: pending.id,
      version: pending.version,
      idempotencyKey: key(),
    })
    expect(sent).toMatchObject({
      status: "sent",
      sentTo: "pay@employer.example",
      openCents: 402_50,
      allowedActions: ["credit", "receive", "writeOff", "mail", "download"],
    })
    const said = await app.manager.reports.recentActivity({ limit: 50 })
    expect(said.filter(({ sentence }) => sentence === "issued the invoice; it was not emailed")).not.toEqual([])
    const [mail, ...others] = (await app.mails()).filter(({ to }) => to === "pay@employer.example")
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: "pay@employer.example",
      subject: `Invoice ${sent.number} from Milkwood`,
      attachments: [{ name: `${sent.number}.pdf` }],
    })
    const { url, headersOf } = await app.serve()
    const attached = (mailId: string, who = app.people.admin) =>
      fetch(`${url}/api/settings/outbox/${mailId}/attachments/${mail!.attachments[0]!.fileId}`, {
        headers: headersOf(who),
      })
    const opened = await attached(mail!.id)
    expect(opened.headers.get("content-disposition")).toContain(`${sent.number}.pdf`)
    expect((await opened.text()).startsWith("%PDF-")).toBe(true)
    expect((await attached(crypto.randomUUID())).status).toBe(404)
    const postings = await app.sql.rows(sql`
      select account, amount_cents as cents from ledger_postings
      where entry_id = (select id from ledger_entries where source = ${`invoice:${sent.id}:sent`}) order by line`)
    expect(postings).toEqual([
      { account: "premium_debtors", cents: 402_50 },
      { account: "premium_income", cents: -350_00 },
      { account: "vat_output", cents: -52_50 },
    ])
    await expect(
      app.manager.billing.send({ invoiceId: sent.id, version: sent.version, idempotencyKey: key() }),
    ).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })

  test("a receipt pays a sent invoice, its reversal reopens it, and it becomes overdue", async () => {
    const policy = await app.policy()
    const { id } = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const detail = () => app.manager.billing.detail({ invoiceId: id })
    const receipt = await app.manager.receipts.record({
      idempotencyKey: key(),
      oldestFirst: true,
      policyId: policy.id,
      number: "",
      amountCents: 500_00,
      method: "bank_transfer",
      receivedOn: "2026-11-02",
      reference: "",
      notes: "",
    })
    expect(await detail()).toMatchObject({
      status: "paid",
      openCents: 0,
      allocatedCents: 402_50,
      paidOn: "2026-11-02",
      payments: [{ receiptNumber: receipt.number, amountCents: 402_50 }],
    })
    const { version } = await app.manager.receipts.detail({ receiptId: receipt.id })
    await app.manager.receipts.reverse({ receiptId: receipt.id, version, reason: "Bounced", idempotencyKey: key() })
    expect(await detail()).toMatchObject({ status: "sent", openCents: 402_50, paidOn: null, payments: [] })
    app.clock.set("2026-12-02T21:59:00Z")
    expect(await detail()).toMatchObject({ status: "sent" })
    app.clock.set("2026-12-02T22:01:00Z") // midnight in Johannesburg: the due date is over
    expect(await detail()).toMatchObject({ status: "overdue" })
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("credit notes correct a sent invoice, and overpayment becomes the policy's credit", async () => {
    const policy = await app.policy()
    const { id, totalCents } = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    await app.manager.receipts.record({
      idempotencyKey: key(),
      oldestFirst: true,
      policyId: policy.id,
      number: "",
      amountCents: totalCents,
      method: "cash",
      receivedOn: "2026-11-02",
      reference: "",
      notes: "",
    })
    const credit = (amountCents: number | null) =>
      app.manager.billing.credit({ invoiceId: id, idempotencyKey: key(), amountCents, reason: "Left before the 1st" })
    expect(await credit(100_00)).toMatchObject({
      status: "paid",
      creditedCents: 100_00,
      allocatedCents: 302_50,
      creditNotes: [{ totalCents: 100_00, vatCents: 13_04, netCents: 86_96 }],
    })
    expect(await app.manager.receipts.openInvoices({ policyId: policy.id })).toMatchObject({ creditCents: 100_00 })
    await expect(credit(302_51)).rejects.toMatchObject({ code: "CREDIT_TOO_LARGE", data: { leftCents: 302_50 } })
    expect(await credit(null)).toMatchObject({
      status: "credited",
      allocatedCents: 0,
      allowedActions: ["mail", "download"],
    })
    await expect(credit(null)).rejects.toMatchObject({ code: "NOTHING_TO_CREDIT" })
    expect(await app.manager.receipts.openInvoices({ policyId: policy.id })).toMatchObject({ creditCents: 402_50 })
  })

  test("the database protects a sent invoice, and an empty invoice cannot be sent", async () => {
    const policy = await app.policy()
    const { id } = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const change = (query: ReturnType<typeof sql>) => app.transaction(app.people.manager, (cx) => cx.tx.run(query))
    await expect(change(sql`update invoices set total_cents = 1 where id = ${id}`)).rejects.toThrow()
    await expect(change(sql`update invoices set notes = 'x' where id = ${id}`)).rejects.toThrow(/never changed/)
    await expect(change(sql`delete from invoices where id = ${id}`)).rejects.toThrow(/permission denied/)
    await expect(change(sql`delete from invoice_lines where invoice_id = ${id}`)).rejects.toThrow(/while it is a draft/)
    const nothing = { lines: [{ description: "Nothing", quantity: 1, unitCents: 0 }] }
    const free = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      month: "2026-12-01",
      invoiceOn: "2026-11-02",
      with: nothing,
    })
    await expect(
      app.manager.billing.send({ invoiceId: free.id, version: free.version, idempotencyKey: key() }),
    ).rejects.toMatchObject({ code: "NOTHING_TO_SEND" })
  })
})
