import { expect, type Page } from "@playwright/test"
import { choose, dialogOf, expectAccessible } from "./browser.ts"
import { noCheck, type PageCheck } from "./claims.ts"

export const setUpAccount = "0012345678"
export const addedAccount = "4050000001"

const formatCents = (cents: number) => (cents / 100).toFixed(2)

export interface Statement {
  opening?: number
  lines: readonly (readonly [day: string, text: string, cents: number])[]
}

/** FNB's downloaded history: newest line first. */
function createTransactionHistory(accountNumber: string, { opening = 0, lines }: Statement): string {
  let balance = opening
  const rows = lines.map(([day, text, cents]) => {
    balance += cents
    return `${day.replaceAll("-", "/")}, ${formatCents(cents)}, ${formatCents(balance)}, ${text}`
  })
  return [
    ...["ACCOUNT TRANSACTION HISTORY", "", "Name:, Milkwood", `Account:, ${accountNumber}, Business Account`],
    ...[`Balance:, ${formatCents(balance)}, ${formatCents(balance)}`, "", "Date, Amount, Balance, Description"],
    ...rows.reverse(),
  ].join("\n")
}

export async function addBankAccount(admin: Page): Promise<void> {
  await admin.goto("/settings")
  await admin.getByRole("button", { name: "Add bank account" }).click()
  const field = (name: string) => dialogOf(admin).getByRole("textbox", { name, exact: true })
  await field("Name").fill("Premium account")
  await field("Bank").fill("Protea Bank")
  await field("Account number").fill(addedAccount)
  await field("Branch code").fill("250655")
  await expectAccessible(admin)
  await dialogOf(admin).getByRole("button", { name: "Add bank account" }).click()
  await expect(admin.getByText(new RegExp(addedAccount)).first()).toBeVisible()
}

export async function importStatement(
  page: Page,
  accountNumber: string,
  statement: Statement,
  look: PageCheck = noCheck,
): Promise<void> {
  const { length } = statement.lines
  await page.goto("/invoices/reconciliation/lines")
  await page.getByRole("button", { name: "Import Bank Statement" }).click()
  await look(page)
  const chosen = dialogOf(page).getByRole("combobox", { name: "Bank account" })
  if ((await chosen.inputValue()) === "") await choose(page, "Bank account", "", new RegExp(accountNumber))
  const buffer = Buffer.from(createTransactionHistory(accountNumber, statement))
  await dialogOf(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: "history.csv", mimeType: "text/csv", buffer })
  const bring = dialogOf(page).getByRole("button", { name: `Import ${length} ${length === 1 ? "line" : "lines"}` })
  await expect(bring).toBeVisible()
  await look(page)
  await bring.click()
  await expect(page.getByText(new RegExp(`^${length} lines? imported`))).toBeVisible()
}

export async function markAsNotOurs(page: Page, reason: string, look: PageCheck = noCheck): Promise<void> {
  await dialogOf(page).getByRole("radio", { name: reason }).check()
  await look(page)
  await dialogOf(page).getByRole("button", { name: "Not a premium or claim payment" }).click()
}
