import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  type BankDesk,
  createBankAccount,
  createFnbHistory,
  importSampleStatement,
  premiumAccount,
} from "../../../server/src/banking/banking.samples.ts"
import { openPage, openTestApp } from "../test/page.tsx"

let desk: BankDesk
beforeAll(async () => {
  const app = await openTestApp()
  desk = { app, server: await app.serve() }
})
afterAll(() => desk.app.close())

const address = "/invoices/reconciliation/lines"
const lines = [
  { day: "2026-11-01", text: "EFT SOWETO RETAIL INV-2026-000012", amountCents: 5_000_00 },
  { day: "2026-11-02", text: "#MONTHLY ACCOUNT FEE", amountCents: -75_00 },
]

test("an administrator adds a bank account in the settings; a manager must ask one", async () => {
  const { people } = desk.app
  const { unmount } = await openPage(desk.app, people.manager, address)
  expect(await screen.findByText(/Ask an administrator to add one in Settings, General/)).toBeDefined()
  expect(screen.queryByRole("button", { name: "Import Bank Statement" })).toBe(null)
  unmount()

  const { user } = await openPage(desk.app, people.admin, "/settings")
  await user.click(await screen.findByRole("button", { name: "Add bank account" }))
  const dialog = await screen.findByRole("dialog", { hidden: true })
  const field = (name: RegExp) => within(dialog).getByRole("textbox", { name })
  await user.type(field(/^Name/), "Claims account")
  await user.type(field(/^Bank/), "Absa")
  await user.type(field(/^Account number/), "405")
  await user.click(within(dialog).getByRole("button", { name: "Add bank account" }))
  expect(await within(dialog).findByText("Enter an account number of 5 to 16 digits")).toBeDefined()
  await user.type(field(/^Account number/), "0000001")
  await user.click(within(dialog).getByRole("button", { name: "Add bank account" }))
  expect(await screen.findByText(/Absa, 4050000001, main account/)).toBeDefined()
}, 60_000)

test("lists imported lines with the statement and ledger balances", async () => {
  const { admin, manager } = desk.app.people
  const account = await createBankAccount(desk.app.as(admin))
  const content = createFnbHistory(premiumAccount.accountNumber, 1_000_00, lines)
  const statement = await importSampleStatement(desk, manager, account.id, content)
  const { unmount } = await openPage(desk.app, manager, address)
  expect((await screen.findAllByText("INV-2026-000012")).length).toBeGreaterThan(0)
  expect(screen.getAllByText(/^EFT SOWETO RETAIL/).length).toBeGreaterThan(0)
  const card = await screen.findByRole("link", { name: /Premium account/ })
  expect(card.textContent).toMatch(/R\s5\s925,00.*2 lines to match/)
  unmount()
  const reconciling = await openPage(desk.app, manager, "/invoices/reconciliation")
  const waiting = await screen.findByRole("link", { name: /^Lines to match/ })
  await waitFor(() => expect(waiting.textContent).toBe("Lines to match2"))
  await reconciling.user.click(screen.getByRole("button", { name: "Export Report" }))
  const paper = await screen.findByRole("menuitem", { name: "PDF" })
  expect(paper.getAttribute("href")).toMatch(/^\/api\/reconciliation\.pdf\?/)
  reconciling.unmount()
  await openPage(desk.app, manager, `/invoices/reconciliation/statements/${statement.id}`)
  expect(await screen.findByText("#MONTHLY ACCOUNT FEE")).toBeDefined()
  expect(screen.getByText("imported 2 lines from statement.csv")).toBeDefined()
  expect(screen.getByRole("link", { name: "statement.csv" }).getAttribute("href")).toBe(
    `/api/bank-statements/${statement.id}/file`,
  )
  const match = await screen.findByRole("link", { name: "Match 2 lines" })
  expect(match.getAttribute("href")).toBe(`/invoices/reconciliation/match?statementId=${statement.id}`)
}, 60_000)

test("a line is marked as a charge and then undone", async () => {
  const { user } = await openPage(desk.app, desk.app.people.manager, address)
  await user.click(await screen.findByRole("button", { name: /Actions for #MONTHLY ACCOUNT FEE/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Not a premium or claim payment" }))
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  await user.click(within(dialog).getByRole("radio", { name: "Unknown" }))
  await user.click(within(dialog).getByRole("button", { name: "Not a premium or claim payment" }))
  expect((await within(dialog).findAllByText("Enter a note")).length).toBeGreaterThan(0)
  await user.click(within(dialog).getByRole("radio", { name: "Bank charge" }))
  await user.click(within(dialog).getByRole("button", { name: "Not a premium or claim payment" }))
  expect(await screen.findByText("Line marked")).toBeDefined()
  const manager = desk.app.as(desk.app.people.manager)
  const { rows } = await manager.banking.lines({ tab: "posted" })
  expect(rows).toMatchObject([{ text: "#MONTHLY ACCOUNT FEE", state: "charge" }])
  await user.click(await screen.findByRole("link", { name: /Charges and interest/ }))
  await user.click(await screen.findByRole("button", { name: /Actions for #MONTHLY ACCOUNT FEE/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Undo" }))
  await waitFor(async () => expect((await manager.banking.lines({ tab: "posted" })).total).toBe(0))
}, 60_000)

test("the import dialog asks for the account and accepts bank files", async () => {
  const { user } = await openPage(desk.app, desk.app.people.manager, address)
  await user.click(await screen.findByRole("button", { name: "Import Bank Statement" }))
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  expect(await within(dialog).findByText("Choose the bank account first.")).toBeDefined()
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.queryByRole("dialog", { hidden: true })).toBe(null))
}, 60_000)

test("an administrator corrects an opening balance in the settings, with a reason", async () => {
  const { user } = await openPage(desk.app, desk.app.people.admin, "/settings")
  const { banking } = desk.app.as(desk.app.people.admin)
  const opened = async () => (await banking.accounts({})).find(({ openedOn }) => openedOn !== null)!
  const { name, openingCents } = await opened()
  await user.click(await screen.findByRole("button", { name: new RegExp(`Correct opening balance.*${name}`) }))
  const dialog = await screen.findByRole("dialog", { hidden: true })
  const balance = within(dialog).getByRole("textbox", { name: /^Balance before the first line/ })
  await user.clear(balance)
  await user.type(balance, "2500")
  await user.click(within(dialog).getByRole("button", { name: "Correct balance" }))
  expect(await within(dialog).findByText("Enter a reason")).toBeDefined()
  await user.type(within(dialog).getByRole("textbox", { name: /^Reason/ }), "Typed wrongly")
  await user.click(within(dialog).getByRole("button", { name: "Correct balance" }))
  expect(await screen.findByText(/\(corrected\)/)).toBeDefined()
  expect((await opened()).corrections).toMatchObject([
    { beforeCents: openingCents, afterCents: 2_500_00, reason: "Typed wrongly" },
  ])
}, 60_000)
