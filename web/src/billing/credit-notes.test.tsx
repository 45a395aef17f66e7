import { randomUUID } from "node:crypto"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

async function createCreditNote() {
  const policy = await app.policy({ groupName: "Karoo Wool Mills" })
  const invoice = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-11-01",
    invoiceOn: "2026-11-02",
  })
  const asked = { invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents: 115_00, reason: "Left in October" }
  const { creditNotes } = await app.manager.billing.credit(asked)
  return { policy, invoice, note: creditNotes[0]! }
}

it("a credit note can be found, opened and mailed to a chosen address", async () => {
  const { note, invoice } = await createCreditNote()
  const { user, location } = await openPage(app, app.people.manager, "/invoices/credit-notes")
  const row = await screen.findByRole("row", { name: new RegExp(note.number) })
  for (const said of ["R 115,00", "Left in October", "Correction", invoice.number]) {
    expect(within(row).getByText(said)).toBeTruthy()
  }
  await user.click(within(row).getByRole("link", { name: note.number }))
  await waitFor(() => expect(location()).toBe(`/invoices/credit-notes/${note.id}`))
  expect(await screen.findByText("Not emailed.")).toBeTruthy()
  await user.click(await screen.findByRole("button", { name: /More|Actions/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Send credit note", hidden: true }))
  const to = await screen.findByRole<HTMLInputElement>("textbox", { name: "To" })
  expect(to.value).toBe("hr@acacia.example")
  await user.clear(to)
  await user.type(to, "accounts@karoo.example")
  await user.click(screen.getByRole("button", { name: "Send again" }))
  expect(await screen.findByText(/no mail server is set up/)).toBeTruthy()
  await app.runJobs()
  expect((await app.mails()).map((mail) => mail.to)).toContain("accounts@karoo.example")
})

it("an invoice issued without mail is found by the filter and marked", async () => {
  const { invoice } = await createCreditNote()
  await openPage(app, app.people.manager, `/invoices?undelivered=true&search=${invoice.number}`)
  const row = await screen.findByRole("row", { name: new RegExp(invoice.number) })
  expect(within(row).queryByText(/mail/i)).toBeNull()
  await openPage(app, app.people.manager, `/invoices/${invoice.id}`)
  expect(await screen.findByText(/Issued but not emailed: no mail server is set up/)).toBeTruthy()
})
