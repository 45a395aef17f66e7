import { expect, type Page } from "@playwright/test"
import { statementFiles } from "../server/src/banking/statement-files.samples.ts"
import { accessible, dialog } from "./browser.ts"

/** The house's bank account, as its statements name it. */
const accountNumber = "4050000001"

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
  const written = lines.map(([text, amountCents]) => ({ day, text, reference: "", amountCents }))
  await page.goto("/invoices/reconciliation")
  await page.getByRole("button", { name: "Import Bank Statement" }).click()
  await accessible(page)
  const buffer = Buffer.from(statementFiles.fnb({ accountNumber, openingCents: 0, lines: written }))
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
