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
let accountId: string
beforeAll(async () => {
  const app = await openTestApp()
  desk = { app, server: await app.serve() }
  accountId = (await createBankAccount(app.as(app.people.admin))).id
})
afterAll(() => desk.app.close())

const importStatement = (openingCents: number, day: string, text: string) =>
  importSampleStatement(
    desk,
    desk.app.people.manager,
    accountId,
    createFnbHistory(premiumAccount.accountNumber, openingCents, [{ day, text, amountCents: -75_00 }]),
  )

test("shows a gap before a statement and undoes its import", async () => {
  await importStatement(1_000_00, "2026-10-05", "SECURITY COMPANY")
  const { id, number } = await importStatement(2_000_00, "2026-10-20", "CLEANING COMPANY")
  const list = await openPage(desk.app, desk.app.people.manager, "/invoices/reconciliation/statements")
  expect((await screen.findAllByText("Earlier lines missing")).length).toBe(1)
  list.unmount()
  const { user } = await openPage(desk.app, desk.app.people.manager, `/invoices/reconciliation/statements/${id}`)
  expect(await screen.findByText(/does not follow on from the previous one/)).toBeDefined()
  expect(screen.getByText(/lines of R\s1\s075,00 are missing/)).toBeDefined()
  await user.click(screen.getByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Undo import" }))
  const asked = await screen.findByRole("dialog", { name: `Undo the import of ${number}?`, hidden: true })
  await user.click(within(asked).getByRole("button", { name: "Undo import" }))
  expect(
    await screen.findByText("The import was undone and its lines were removed.", {}, { timeout: 20_000 }),
  ).toBeDefined()
  expect(screen.getByText("undid the import of statement.csv and removed 1 line")).toBeDefined()
}, 90_000)

test("lists learned payers, including those of lines that are not ours, and forgets them", async () => {
  const { banking } = desk.app.as(desk.app.people.manager)
  const { rows } = await banking.lines({ accountId, tab: "open" })
  const why = { reason: "unknown" as const, note: "Not a premium or claim payment" }
  await banking.notOurs({ lineIds: [rows[0]!.id], idempotencyKey: crypto.randomUUID(), why })
  const { user } = await openPage(desk.app, desk.app.people.manager, "/invoices/reconciliation/payers?tab=notOurs")
  await user.click(await screen.findByRole("button", { name: "Actions for SECURITY COMPANY" }))
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }))
  await waitFor(() => expect(screen.queryAllByText("SECURITY COMPANY")).toEqual([]), { timeout: 20_000 })
  expect(await banking.payers({})).toEqual([])
}, 90_000)
