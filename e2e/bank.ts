import { expect, type Page } from "@playwright/test"
import { accessible, dialog } from "./browser.ts"

/** The house's bank account, as its statements name it. */
const accountNumber = "4050000001"

/** `-1234.50`, as banks write it. */
const amount = (cents: number) => (cents / 100).toFixed(2)

/** A transaction history as FNB's customers download it; the newest line first. */
function transactionHistory(day: string, lines: readonly (readonly [text: string, cents: number])[]): string {
  let balance = 0
  const rows = lines.map(([text, cents]) => {
    balance += cents
    return `${day.replaceAll("-", "/")}, ${amount(cents)}, ${amount(balance)}, ${text}`
  })
  return [
    ...["ACCOUNT TRANSACTION HISTORY", "", "Name:, Milkwood", `Account:, ${accountNumber}, Business Account`],
    ...[`Balance:, ${amount(balance)}, ${amount(balance)}`, "", "Date, Amount, Balance, Description"],
    ...rows.reverse(),
  ].join("\n")
}

/** An administrator adds the bank account in the settings. */
export async function addBankAccount(admin: Page): Promise<void> {
  await admin.goto("/settings")
  await admin.getByRole("button", { name: "Add bank account" }).click()
  const field = (name: string) => dialog(admin).getByRole("textbox", { name, exact: true })
  await field("Name").fill("Premium account")
  await field("Bank").fill("Protea Bank")
  await field("Account number").fill(accountNumber)
  await accessible(admin)
  await dialog(admin).getByRole("button", { name: "Add bank account" }).click()
  await expect(admin.getByText(new RegExp(accountNumber)).first()).toBeVisible()
}

/** The statement of a day comes in, and one line of it is told to be a charge of the bank. */
export async function importStatement(
  page: Page,
  day: string,
  lines: readonly (readonly [text: string, cents: number])[],
  charge: string,
): Promise<void> {
  await page.goto("/invoices/reconciliation/lines")
  await page.getByRole("button", { name: "Import Bank Statement" }).click()
  await accessible(page)
  const buffer = Buffer.from(transactionHistory(day, lines))
  await dialog(page).locator('input[type="file"]').setInputFiles({ name: "history.csv", mimeType: "text/csv", buffer })
  await accessible(page)
  await dialog(page)
    .getByRole("button", { name: `Import ${lines.length} lines` })
    .click()
  await expect(page.getByText(new RegExp(`^${lines.length} lines imported`))).toBeVisible()

  await page.getByRole("button", { name: `Actions for ${charge}` }).click()
  await page.getByRole("menuitem", { name: "Not ours" }).click()
  await dialog(page).getByRole("radio", { name: "Bank charge" }).check()
  await accessible(page)
  await dialog(page).getByRole("button", { name: "Not ours" }).click()
  await expect(page.getByText("The line is marked")).toBeVisible()
}
