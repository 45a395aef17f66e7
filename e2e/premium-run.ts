import { expect, type Locator, type Page } from "@playwright/test"
import { choose, dialogOf, formatRand } from "./browser.ts"
import { openPolicy } from "./schemes.ts"

const monthAbbreviations = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

export const monthText = (month: string): string =>
  `${monthAbbreviations[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

export const runRow = (page: Page, group: string): Locator => page.getByRole("row").filter({ hasText: group })

export async function previewMonth(page: Page, month: string): Promise<void> {
  await page.goto("/invoices/run")
  await choose(page, "Month to bill", "", monthText(month))
  await page.getByRole("button", { name: `Preview ${monthText(month)}` }).click()
  await expect(page).toHaveURL(/runId=/)
  await expect(page.getByRole("button", { name: "Preview again" })).toBeEnabled({ timeout: 30_000 })
}

export async function makeRun(page: Page, outcome: string, policies: number): Promise<void> {
  await page.getByRole("button", { name: "Create invoices" }).click()
  await dialogOf(page).getByRole("radio", { name: outcome }).check()
  const earlier = dialogOf(page).getByRole("checkbox", { name: "Bill the earlier months too" })
  if (await earlier.isVisible()) await earlier.check()
  await dialogOf(page).getByRole("button", { name: "Create invoices" }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(page.getByRole("table").getByText("Billed", { exact: true })).toHaveCount(policies, { timeout: 60_000 })
}

export async function sendRun(page: Page, invoices: number): Promise<void> {
  await page.getByRole("button", { name: "Send all" }).click()
  await expect(dialogOf(page)).toContainText(`Send ${invoices} invoices?`)
  await dialogOf(page).getByRole("button", { name: "Send all" }).click()
  await expect(page.getByRole("button", { name: "Send all" })).toBeHidden({ timeout: 60_000 })
}

export async function recordReceipt(page: Page, group: string, cents: number): Promise<void> {
  await openPolicy(page, group)
  await page.getByRole("button", { name: "More", exact: true }).click()
  await page.getByRole("menuitem", { name: "Record receipt" }).click()
  await page.getByRole("textbox", { name: "Amount" }).fill(formatRand(cents))
  await page.getByRole("button", { name: "Create Receipt" }).click()
  await expect(page.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
}
