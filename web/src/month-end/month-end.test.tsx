import { screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  createBankAccount,
  createFnbHistory,
  storeStatementUpload,
} from "../../../server/src/banking/banking.samples.ts"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { openPage } from "../test/page.tsx"

const october = "2026-10-01"
let app: BillingApp
let billed: { id: string; number: string }
let unbilled: { id: string; number: string }
let receipt: { id: string; number: string }
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  billed = await app.policy({ groupName: "Billed Bakery", premiumCents: 1_000_00 })
  unbilled = await app.policy({ groupName: "Unbilled Bakery" })
  await createSentInvoice(app.manager, { policyId: billed.id, month: october, invoiceOn: october })
  receipt = await createUnallocatedReceipt(app.manager, {
    policyId: billed.id,
    amountCents: 55_00,
    receivedOn: "2026-10-20",
  })
})
afterAll(() => app.close())

test("the checklist shows each check's state, both figures and a link to its open items", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/finance/month-end?month=2026-10")
  const checks = await screen.findByRole("list", { name: "Checklist" }, { timeout: 20_000 })
  expect(within(checks).getAllByRole("heading")).toHaveLength(11)
  const policies = within(checks).getByRole("link", { name: /^Policies:/ })
  expect(within(policies.closest("li") as HTMLElement).getByRole("img", { name: "Not done" })).toBeDefined()
  const ageing = within(checks)
    .getByRole("link", { name: /^Debtors' ageing:/ })
    .closest("li") as HTMLElement
  expect(within(ageing).getByRole("img", { name: "Done" })).toBeDefined()
  const reserves = within(checks).getByRole("link", { name: /^Reserves by month:/ })
  expect(reserves.getAttribute("href")).toBe("/reports/claim-reserves?from=2026-10-01&to=2026-10-31")
  await user.click(policies)
  await waitFor(() => expect(location()).toContain("/finance/month-end/policies?month=2026-10"))
  expect((await screen.findAllByText("Unbilled Bakery")).length).toBeGreaterThan(0)
}, 90_000)

test("says from which day a month that is not over can be closed", async () => {
  await openPage(app, app.people.manager, "/finance/month-end?month=2026-11")
  const words = (_: string, element: Element | null) =>
    element?.tagName === "P" && /Nov 2026 can be closed from 2026-12-01\./.test(element.textContent ?? "")
  expect(await screen.findByText(words, {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.queryByRole("button", { name: "Close month" })).toBeNull()
}, 90_000)

test("an address with an invalid month opens the default month and is corrected", async () => {
  const { location, unmount } = await openPage(app, app.people.manager, "/finance/month-end?month=2026-13")
  expect(await screen.findByRole("list", { name: "Checklist" }, { timeout: 20_000 })).toBeDefined()
  expect(location()).toBe("/finance/month-end")
  unmount()
  const bank = await openPage(app, app.people.manager, "/finance/month-end/bank?month=2026-13")
  expect(await screen.findByText("2026-10-31", {}, { timeout: 20_000 })).toBeDefined()
  expect(bank.location()).toBe("/finance/month-end/bank")
}, 90_000)

test("a month with differing amounts names the failing check instead of asking for reasons", async () => {
  const meddle = (cents: number) =>
    app.sql.run(
      sql.raw(`do $$ begin
        alter table invoices disable trigger user;
        update invoices set allocated_cents = allocated_cents + ${cents} where status = 'sent' and invoice_on = '${october}';
        set constraints all immediate;
        alter table invoices enable trigger user;
      end $$`),
    )
  await meddle(1)
  const { user } = await openPage(app, app.people.manager, "/finance/month-end?month=2026-10")
  const words = (_: string, element: Element | null) =>
    element?.tagName === "P" &&
    /Oct 2026 can be closed once this check passes: Premium debtors agree/.test(element.textContent ?? "")
  expect(await screen.findByText(words, {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.queryByRole("button", { name: "Close month" })).toBeNull()
  await meddle(-1)
  await user.click(screen.getByRole("button", { name: "Check again" }))
  expect(await screen.findByRole("button", { name: "Close month" }, { timeout: 20_000 })).toBeDefined()
}, 90_000)

test("a policy is excused with a reason, and credit is marked as deliberate", async () => {
  const { user, unmount } = await openPage(app, app.people.manager, "/finance/month-end/policies?month=2026-10")
  await user.click(await screen.findByRole("button", { name: `Actions for Unbilled Bakery, ${unbilled.number}` }))
  await user.click(await screen.findByRole("menuitem", { name: "Excuse" }))
  const dialog = await screen.findByRole("dialog", { name: "Excuse policy", hidden: true })
  await user.click(within(dialog).getByRole("button", { name: "Excuse" }))
  expect(await within(dialog).findByText("Enter a reason")).toBeDefined()
  await user.type(within(dialog).getByRole("textbox"), "Billed by its broker")
  await user.click(within(dialog).getByRole("button", { name: "Excuse" }))
  await waitFor(() => expect(screen.queryAllByText("Unbilled Bakery")).toEqual([]), { timeout: 20_000 })
  expect(screen.getByRole("link", { name: /^Excused\s*1$/ })).toBeDefined()
  unmount()
  await openPage(app, app.people.manager, "/finance/month-end/credits?month=2026-10")
  expect((await screen.findAllByText(receipt.number)).length).toBeGreaterThan(0)
}, 90_000)

test("the month's VAT is shown by class beside the ledger's", async () => {
  await openPage(app, app.people.manager, "/finance/month-end/vat?month=2026-10")
  expect(await screen.findByText("The two agree", {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.getByRole("link", { name: "PDF" }).getAttribute("href")).toBe("/api/vat-return/2026-10/pdf")
  expect((await screen.findAllByText("Standard-rated")).length).toBeGreaterThan(0)
}, 90_000)

test("the bank reconciliation shows statement, outstanding receipt, unposted line and ledger of each account", async () => {
  const { id, accountNumber } = await createBankAccount(app.as(app.people.admin))
  const line = { day: "2026-10-05", text: "EFT UNKNOWN", amountCents: 500_00 }
  const uploadId = await storeStatementUpload(
    app,
    app.people.manager,
    id,
    createFnbHistory(accountNumber, 1_000_00, [line]),
  )
  await app.manager.banking.import({ uploadId, idempotencyKey: crypto.randomUUID() })
  await openPage(app, app.people.manager, "/finance/month-end/bank?month=2026-10")
  const account = await screen.findByRole("region", { name: "Premium account" }, { timeout: 20_000 })
  const rowOf = (words: RegExp) =>
    within(account).getByText(words).closest("tr")!.textContent!.replaceAll("\u00a0", " ")
  expect(rowOf(/^Statement balance/)).toContain("R 1 500,00")
  expect(rowOf(/^Outstanding deposits \(1\)/)).toContain("R 55,00")
  expect(rowOf(/^EFT UNKNOWN/)).toContain("-R 500,00")
  expect(rowOf(/^Expected ledger balance/)).toContain("R 1 055,00")
  expect(rowOf(/^Unexplained difference/)).toContain("R 0,00")
  expect(within(account).getByRole("link", { name: receipt.number })).toBeDefined()
  // The page's header loads after its body.
  const pdf = await screen.findByRole("link", { name: "PDF" })
  expect(pdf.getAttribute("href")).toBe("/api/month-end/bank/2026-10/pdf")
}, 90_000)

test("closing needs reasons for incomplete checks, and only an administrator can reopen the month", async () => {
  const { user, unmount } = await openPage(app, app.people.manager, "/finance/month-end?month=2026-10")
  await user.click(await screen.findByRole("button", { name: "Close month" }, { timeout: 20_000 }))
  const dialog = await screen.findByRole("dialog", { name: "Close Oct 2026", hidden: true })
  await user.click(within(dialog).getByRole("button", { name: "Close month" }))
  expect((await within(dialog).findAllByText("Enter a reason")).length).toBeGreaterThan(0)
  for (const field of within(dialog).getAllByRole("textbox")) await user.type(field, "Agreed")
  await user.click(within(dialog).getByRole("button", { name: "Close month" }))
  expect(await screen.findByText(/^Closed by Max Manager/, {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.queryByRole("button", { name: "Reopen" })).toBeNull()
  unmount()
  await openPage(app, app.people.admin, "/finance/month-end?month=2026-10")
  expect(await screen.findByRole("button", { name: "Reopen" }, { timeout: 20_000 })).toBeDefined()
}, 120_000)
