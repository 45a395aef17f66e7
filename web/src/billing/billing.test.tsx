import { formatMoney } from "@milkwood/domain/kernel/money"
import { screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { testOrganisation } from "../../../server/src/test/app.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

const novemberInvoice = { month: "2026-11-01", invoiceOn: "2026-11-02" }
const getField = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name })
const findButton = (name: string | RegExp) => screen.findByRole("button", { name })
const findCardAction = async (name: string) =>
  within((await screen.findByRole("heading", { name: "Actions" })).parentElement!).getByRole("button", { name })

describe("the invoice list", () => {
  it("shows an empty state without invoices", async () => {
    const { user } = await openPage(app, app.people.manager, "/invoices")
    expect(await screen.findByText("No invoices found.")).toBeTruthy()
    await user.keyboard("n")
    expect(await screen.findByRole("heading", { name: "Generate invoice" })).toBeTruthy()
  })

  it("shows amounts, tab counts and row actions", async () => {
    const policy = await app.policy({ groupName: "Karoo Wool Mills" })
    await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const sent = await createSentInvoice(app.manager, {
      policyId: policy.id,
      month: "2026-08-01",
      invoiceOn: "2026-08-01",
    })
    const { user, location } = await openPage(app, app.people.manager, "/invoices?search=karoo")
    const row = await screen.findByRole("row", { name: new RegExp(sent.number) })
    expect(within(row).getByText("Overdue")).toBeTruthy()
    expect(within(row).getAllByText("R 402,50")).toHaveLength(2)
    await user.click(screen.getByRole("link", { name: /Drafts/ }))
    await waitFor(() => expect(screen.queryByText(sent.number)).toBeNull())
    expect(location()).toContain("tab=drafts")
    await user.click(await findButton(/Actions for INV-/))
    const items = (await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)
    expect(items.slice(0, 3)).toEqual(["View invoice", "Send invoice", "Approve invoice"])
  })

  it("hides drafts and the Generate button from employer users", async () => {
    const policy = await app.policy({ groupName: "Tafelberg Logistics" })
    await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    await openPage(app, await app.people.groupAdmin(policy.groupId), "/invoices")
    expect(await screen.findByText("No invoices found.")).toBeTruthy()
    expect(screen.queryByText("Generate invoice")).toBeNull()
  })

  it('shows "Addressed to" to users who may not see mail delivery', async () => {
    const policy = await app.policy({ groupName: "Unmailed Wagons" })
    const invoice = await createSentInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    await openPage(app, await app.people.groupAdmin(policy.groupId), `/invoices/${invoice.id}`)
    expect(await screen.findByText("Addressed to")).toBeTruthy()
    expect(screen.queryByRole("heading", { name: "Delivery" })).toBeNull()
  })
})

describe("generating an invoice", () => {
  it("a new invoice has default dates and marks missing fields", async () => {
    const { user } = await openPage(app, app.people.manager, "/invoices/generate")
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Invoice date" })).value).toBe("2026-11-02")
    expect(getField("Due date").value).toBe("2026-12-02")
    expect(getField("Period start").value).toBe("2026-11-02")
    expect(getField("Period end").value).toBe("2026-12-02")
    expect(screen.getByRole("button", { name: "Remove line 1" })).toHaveProperty("disabled", true)
    await user.click(await findButton("Generate invoice"))
    expect(await screen.findAllByText("Please select a policy")).toHaveLength(2)
    expect(screen.getByText("Please add at least one line item")).toBeTruthy()
  })

  it("the policy field finds active policies by employer and shows number and premium", async () => {
    const policy = await app.policy({ groupName: "Picked Peaches", premiumCents: 1_000_00 })
    await createDraftPolicy(app.manager, { groupName: "Picked Pears" })
    const { user } = await openPage(app, app.people.manager, "/invoices/generate")
    await user.type(await screen.findByRole("combobox", { name: "Policy" }), "Picked")
    await user.click(
      await screen.findByRole("option", {
        name: `Picked Peaches · ${policy.number} · ${formatMoney(1_000_00, "ZAR")}`,
      }),
    )
    expect(screen.queryByRole("option", { name: /Pears/ })).toBeNull()
    expect(await screen.findByRole("button", { name: "Fill from members" })).toBeTruthy()
  })

  it("a new invoice fills lines from members, updates totals, saves and opens", async () => {
    const policy = await app.policy({ groupName: "Bright Spark", members: 2, startOn: "2026-11-01" })
    const { user, location } = await openPage(app, app.people.manager, `/invoices/generate?policyId=${policy.id}`)
    await user.click(await findButton("Fill from members"))
    expect(await screen.findByText("2 members are billed for 2026-11-01 to 2026-11-30.")).toBeTruthy()
    expect(getField("Period end").value).toBe("2026-11-30")
    expect(getField("Description, line 1").value).toMatch(/ - Standard$/)
    expect(screen.getByText("R 805,00")).toBeTruthy()

    await user.click(await findButton("Add line"))
    await user.type(getField("Description, line 3"), "Joining fee")
    await user.clear(getField("Unit price, line 3"))
    await user.type(getField("Unit price, line 3"), "100")
    expect(screen.getByText("R 920,00")).toBeTruthy()
    await user.click(await findButton("Remove line 2"))
    expect(screen.getByText("R 517,50")).toBeTruthy()
    await user.click(await findButton("Generate invoice"))

    expect(await screen.findByText(/^Invoice INV-2026-\d{6} generated successfully$/)).toBeTruthy()
    expect(await screen.findByText("DRAFT")).toBeTruthy()
    const [made] = (await app.manager.billing.list({ policyId: policy.id })).rows
    expect(location()).toBe(`/invoices/${made!.id}`)
    expect(made).toMatchObject({ totalCents: 517_50, kind: "premium", periodStartOn: "2026-11-01" })
  })

  it("refuses to save an unreadable discount", async () => {
    const policy = await app.policy({ groupName: "Ten Percent", startOn: "2026-11-01" })
    const { user } = await openPage(app, app.people.manager, `/invoices/generate?policyId=${policy.id}`)
    await user.click(await findButton("Fill from members"))
    expect(await screen.findByText("1 member is billed for 2026-11-01 to 2026-11-30.")).toBeTruthy()
    await user.clear(getField("Discount"))
    await user.type(getField("Discount"), "10%")
    await user.click(await findButton("Generate invoice"))
    expect(await screen.findByText("Enter an amount in rand, such as 1 234,50")).toBeTruthy()
    await expect(screen.findByText(/generated successfully/, {}, { timeout: 1_500 })).rejects.toThrow()
    expect(getField("Discount").value).toBe("10%")
    expect((await app.manager.billing.list({ policyId: policy.id })).total).toBe(0)
  })

  it("accepts a percentage discount with a reason", async () => {
    const policy = await app.policy({ groupName: "In Advance", startOn: "2026-11-01", premiumCents: 1_000_00 })
    const { user, location } = await openPage(app, app.people.manager, `/invoices/generate?policyId=${policy.id}`)
    await user.click(await findButton("Fill from members"))
    expect(await screen.findByText("1 member is billed for 2026-11-01 to 2026-11-30.")).toBeTruthy()
    await user.click(screen.getByRole("radio", { name: "Per cent" }))
    await user.type(getField("Discount"), "2,5")
    expect(await screen.findByText("Discount (2,5%)")).toBeTruthy()
    expect(screen.getByText("-R 25,00")).toBeTruthy()
    expect(screen.getByText("R 1 125,00")).toBeTruthy()
    await user.click(await findButton("Generate invoice"))
    expect(await screen.findAllByText("Enter the reason for the discount")).not.toHaveLength(0)
    await user.type(getField("Reason for the discount"), "Paid in advance")
    await user.click(await findButton("Generate invoice"))
    await waitFor(() => expect(location()).toMatch(/^\/invoices\/[0-9a-f-]{36}/))
    expect(await screen.findByText("Paid in advance")).toBeTruthy()
    const { rows } = await app.manager.billing.list({ policyId: policy.id })
    const saved = await app.manager.billing.detail({ invoiceId: rows[0]!.id })
    expect(saved).toMatchObject({ discountCents: 25_00, discountPercent: 2.5, discountReason: "Paid in advance" })
  })

  it("keeps the input when the period is already billed", async () => {
    const policy = await app.policy({ groupName: "Twice Billed", startOn: "2026-11-01" })
    const first = await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const { user } = await openPage(app, app.people.manager, `/invoices/generate?policyId=${policy.id}`)
    await waitFor(() => expect(getField("Period start").value).toBe("2026-12-01"))
    expect(getField("Period end").value).toBe("2026-12-31")
    for (const [name, day] of [
      ["Period start", "2026-11-01"],
      ["Period end", "2026-11-30"],
    ] as const) {
      await user.clear(getField(name))
      await user.type(getField(name), day)
      await user.tab()
    }
    await user.click(await findButton("Fill from members"))
    expect(await screen.findByText(/already bills part of this month/)).toBeTruthy()
    await user.click(await findButton("Generate invoice"))
    expect(await screen.findByText("Failed to generate invoice")).toBeTruthy()
    expect(screen.getByText(`${first.number} already bills ${policy.number} for part of this period.`)).toBeTruthy()
    expect(getField("Description, line 1").value).toMatch(/ - Standard$/)
  })
})

describe("an invoice", () => {
  it("sending an invoice previews the use of credit and uses it if ticked", async () => {
    const policy = await app.policy({ premiumCents: 1_000_00 })
    await createUnallocatedReceipt(app.manager, { policyId: policy.id, amountCents: 900_00, receivedOn: "2026-11-01" })
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const { user } = await openPage(app, app.people.manager, `/invoices/${draft.id}`)
    await user.click(await findCardAction("Send Invoice"))
    const question = within(await screen.findByRole("dialog", { name: `Send ${draft.number}?` }))
    const use = await question.findByRole("checkbox", { name: "Use the policy's credit" })
    expect(question.getByText("R 900,00 of credit is available; it stays unallocated.")).toBeTruthy()
    await user.click(use)
    expect(question.getByText("R 900,00 of credit will be used; R 250,00 remain due.")).toBeTruthy()
    await user.click(question.getByRole("button", { name: "Send invoice" }))
    expect(await screen.findByText(/R 900,00 of credit was used; R 250,00 is still due\.$/)).toBeTruthy()
    expect(await screen.findByRole("heading", { name: "Payments" })).toBeTruthy()
  })

  it('shows "not found" for an unknown id', async () => {
    await openPage(app, app.people.manager, `/invoices/${crypto.randomUUID()}`)
    expect(await screen.findByText("Invoice not found")).toBeTruthy()
  })

  it("an invoice without a bank account shows a warning and is not sent", async () => {
    const policy = await app.policy({ groupName: "Unpayable Umbrellas" })
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const words = /^The organisation has no bank account, so the invoice cannot show how to pay/
    await app.sql.run(sql`
      update settings set value = jsonb_set(value, '{bankAccount,accountNumber}', '""') where key = 'organisation'`)
    const { user } = await openPage(app, app.people.admin, `/invoices/${draft.id}`)
    await user.click((await screen.findAllByRole("button", { name: "Send Invoice" }))[0]!)
    const question = within(await screen.findByRole("dialog", { name: `Send ${draft.number}?` }))
    expect(question.getByText(words).getAttribute("role")).toBeNull()
    expect(question.getByRole("link", { name: "Open Settings" }).getAttribute("href")).toBe("/settings")
    await user.click(question.getByRole("button", { name: "Send invoice" }))
    await waitFor(() => expect(question.getAllByText(words)).toHaveLength(2))
    await app.sql.run(sql`
      update settings set value = ${JSON.stringify(testOrganisation)}::jsonb where key = 'organisation'`)
    expect((await app.manager.billing.detail({ invoiceId: draft.id })).status).toBe("draft")
  })

  it("an invoice is sent after confirmation and then offers a receipt and a credit note", async () => {
    const policy = await app.policy({ groupName: "Émile & Söhne" })
    const draft = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      ...novemberInvoice,
      with: { discountCents: 2_50, discountReason: "Paid in advance" },
    })
    const { user } = await openPage(app, app.people.manager, `/invoices/${draft.id}`)
    expect(await screen.findByText("VAT (15%)")).toBeTruthy()
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      ...["Description", "Qty", "Unit Price", "Total"],
    ])
    expect(screen.getByText("Subtotal").nextSibling?.textContent).toBe(formatMoney(350_00, "ZAR"))
    expect(screen.getByText("-R 2,50")).toBeTruthy()
    expect(screen.getByText("Total Amount").nextSibling?.textContent).toBe(formatMoney(400_00, "ZAR"))
    expect(screen.getByText("Paid in advance")).toBeTruthy()
    expect(screen.getByText("Will be sent to").nextSibling?.textContent).toContain("@")
    const panel = (heading: string) => screen.getByRole("heading", { name: heading }).parentElement!
    const saysOf = (heading: string, fact: string) => within(panel(heading)).getByText(fact).nextSibling?.textContent
    expect(saysOf("Bill to", "Group name")).toBe("Émile & Söhne")
    expect(saysOf("Bill to", "Policy number")).toBe(policy.number)
    expect(saysOf("Bill to", "Invoice date")).toBe("2026-11-02")
    expect(saysOf("Bill to", "Due date")).toBe(draft.dueOn)
    expect(saysOf("Bill to", "Period")).toBe("2026-11-01 to 2026-11-30")
    expect(saysOf("Summary", "Amount")).toBe(formatMoney(400_00, "ZAR"))
    expect(saysOf("Summary", "Status")).toBe("Draft")
    expect(saysOf("Summary", "Due date")).toBe(draft.dueOn)
    expect(saysOf("Policy Information", "Group name")).toBe("Émile & Söhne")
    expect(saysOf("Policy Information", "Policy number")).toBe(policy.number)
    expect(saysOf("Policy Information", "Premium amount")).toBe(formatMoney(350_00, "ZAR"))
    expect(saysOf("Policy Information", "Members covered")).toBe("1")
    await user.click(await findCardAction("Send Invoice"))
    const question = within(await screen.findByRole("dialog", { name: `Send ${draft.number}?` }))
    await user.click(question.getByRole("button", { name: "Send invoice" }))
    // Without a mail server the message must not claim that the invoice was mailed.
    expect(await screen.findByText(/^Not emailed: no mail server is set up/)).toBeTruthy()
    expect(screen.queryByText("Invoice sent successfully")).toBeNull()
    expect(await screen.findByText("SENT")).toBeTruthy()
    expect(saysOf("Summary", "Issued")).toMatch(/^2026-11-02 /)
    // Only the Delivery panel names the addressee and the outcome.
    expect(screen.getAllByText("hr@acacia.example")).toHaveLength(1)
    expect(within(panel("Delivery")).getByText("Not delivered")).toBeTruthy()
    expect(screen.getByText("Record receipt").closest("a")?.getAttribute("href")).toContain(policy.id)
    await user.click(await findButton("More"))
    const pdf = await screen.findByRole("menuitem", { name: "Download PDF" })
    expect(pdf.getAttribute("href")).toBe(`/api/invoices/${draft.id}/pdf`)
    expect(screen.queryByRole("menuitem", { name: "Edit Invoice" })).toBeNull()

    await user.click(screen.getByRole("menuitem", { name: "Credit invoice" }))
    const dialog = within(await screen.findByRole("dialog", { name: `Credit ${draft.number}` }))
    await user.click(dialog.getByLabelText("Part of the amount"))
    await user.type(dialog.getByRole("textbox", { name: "Amount, incl. VAT" }), "9999")
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Left before the 1st")
    await user.click(dialog.getByRole("button", { name: "Credit invoice" }))
    expect(await dialog.findByText("Enter at most R 400,00, the amount left to credit")).toBeTruthy()
    await user.clear(dialog.getByRole("textbox", { name: "Amount, incl. VAT" }))
    await user.type(dialog.getByRole("textbox", { name: "Amount, incl. VAT" }), "100")
    await user.click(dialog.getByRole("button", { name: "Credit invoice" }))
    expect(await screen.findByText(`Invoice ${draft.number} credited successfully`)).toBeTruthy()
    expect(await screen.findAllByText("CN-2026-000001")).not.toHaveLength(0)
  })

  it("an invoice keeps its payment term when its date changes", async () => {
    const policy = await app.policy({ groupName: "Backdated" })
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const { user } = await openPage(app, app.people.manager, `/invoices/${draft.id}/edit`)
    const date = await screen.findByRole<HTMLInputElement>("textbox", { name: "Invoice date" })
    await user.clear(date)
    await user.type(date, "2026-10-01")
    const due = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Due date" }).value
    await waitFor(() => expect(due()).toBe("2026-10-31"))
  })

  it("an invoice keeps edits when another user has saved in the meantime", async () => {
    const policy = await app.policy({ groupName: "Two Editors" })
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const { user } = await openPage(app, app.people.manager, `/invoices/${draft.id}/edit`)
    await user.type(await screen.findByRole("textbox", { name: "Notes" }), "mine")
    const { kind, invoiceOn, dueOn, periodStartOn, periodEndOn } = draft
    await app.as(app.people.manager2).billing.update({
      invoiceId: draft.id,
      version: draft.version,
      invoice: {
        ...{ kind, invoiceOn, dueOn, periodStartOn, periodEndOn },
        lines: [{ description: "Theirs", quantity: 1, unitCents: 1_00 }],
      },
    })
    await user.click(await findButton("Save changes"))
    expect(await screen.findByText(/it now has 1 line and a total of R 1,15/)).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe("mine")
    await user.click(await findButton("Save changes"))
    expect(await screen.findByText(`Invoice ${draft.number} updated successfully`)).toBeTruthy()
    expect(await app.manager.billing.detail({ invoiceId: draft.id })).toMatchObject({
      notes: "mine",
      totalCents: 402_50,
      version: 3,
    })
  })

  it("a policy holder sees an invoice with masked ID numbers and no edit actions", async () => {
    const policy = await app.policy({ groupName: "Signatory Ltd" })
    const sent = await createSentInvoice(app.manager, { policyId: policy.id, ...novemberInvoice })
    const { user } = await openPage(app, await app.people.policyHolder(policy.groupId), `/invoices/${sent.id}`)
    expect(await screen.findByText("SENT")).toBeTruthy()
    expect(screen.queryByText(new RegExp(sent.lines[0]!.member!.idNumber!))).toBeNull()
    expect(screen.queryByText("Send Invoice")).toBeNull()
    await user.click(await findButton("More"))
    await screen.findByRole("menuitem", { name: "Download PDF" })
    expect(screen.getAllByRole("menuitem")).toHaveLength(1)
  })
})

describe("the trial balance", () => {
  it("the trial balance adds up and opens an account's postings", async () => {
    const { user, location } = await openPage(app, app.people.manager, "/finance/trial-balance")
    expect(await screen.findByText(/Debits equal credits at the end of/)).toBeTruthy()
    const total = within(screen.getByRole("row", { name: /^Total/ })).getAllByText(/R /)
    expect(total).toHaveLength(2)
    expect(total[0]!.textContent).toBe(total[1]!.textContent)
    await user.click(screen.getByRole("link", { name: "Premium debtors" }))
    expect(await screen.findByRole("heading", { name: "Premium debtors" })).toBeTruthy()
    expect((await screen.findAllByRole("link", { name: /^Invoice INV-2026-\d+ sent$/ })).length).toBeGreaterThan(1)
    expect(location()).toBe("/finance/trial-balance/premium_debtors")
  })

  it("an underwriter cannot open the trial balance", async () => {
    await openPage(app, app.people.underwriter, "/finance/trial-balance")
    expect(await screen.findByText("You do not have access to this page")).toBeTruthy()
  })
})
