import { expect, type Page } from "@playwright/test"
import { choose, clickNext, dialogOf, groupThousands } from "./browser.ts"

export interface Scheme {
  group: string
  startOn: string
  email: string
  phone?: string
  /** As typed: "420,50". The form's default if omitted. */
  premium?: string
}

export async function makeProductType(page: Page): Promise<void> {
  await page.goto("/benefits")
  await page.getByRole("button", { name: "Add Product Type" }).first().click()
  await dialogOf(page).getByRole("textbox", { name: "Name" }).fill("Group Health")
  await dialogOf(page).getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Product type created successfully")).toBeVisible()
}

export async function makeBenefit(page: Page, tiers: readonly string[]): Promise<void> {
  await page.goto("/benefits?tab=benefits")
  await page.getByRole("button", { name: "Add Benefit" }).first().click()
  await dialogOf(page).getByRole("textbox", { name: "Name" }).fill("Hospital benefit")
  await dialogOf(page).getByRole("checkbox", { name: "Medical" }).check()
  await dialogOf(page).getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Benefit created successfully")).toBeVisible()

  await page.getByRole("link", { name: "Configuration" }).click()
  for (const tier of tiers) {
    await page.getByRole("button", { name: "Add Configuration" }).first().click()
    await choose(page, /^Product type/i, "", "Group Health")
    await choose(page, /^Benefit(?! tier)/i, "", "Hospital benefit")
    await choose(page, /^Benefit tier/i, "", tier)
    await dialogOf(page).getByRole("textbox", { name: "Cover amount" }).fill("80 000,00")
    await dialogOf(page).getByRole("button", { name: "Save" }).click()
    await expect(dialogOf(page)).toBeHidden()
  }
}

export async function createDraftPolicy(page: Page, { group, startOn, email, phone, premium }: Scheme): Promise<void> {
  await page.goto("/policies/new")
  await page.getByText("New group", { exact: true }).click()
  await page.getByRole("textbox", { name: "Group name" }).fill(group)
  await choose(page, "Product type", "", "Group Health")
  await page.getByRole("textbox", { name: "Start date" }).fill(startOn)
  await choose(page, "Coverage type", "", /health/i)
  if (premium) await page.getByRole("textbox", { name: "Premium", exact: true }).fill(premium)
  await page.getByRole("textbox", { name: "Full name" }).fill("Human Resources")
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  if (phone) await page.getByRole("textbox", { name: "Telephone" }).fill(phone)
  await page.getByRole("button", { name: "Save Draft" }).click()
  await expect(page.getByText("Draft saved")).toBeVisible()
}

export async function importStaff(page: Page, group: string, members: number, csv: string): Promise<void> {
  await page.goto("/members/import")
  await choose(page, "Group policy", group, new RegExp(group))
  const file = { name: "staff.csv", mimeType: "text/csv", buffer: Buffer.from(csv) }
  await page.locator('input[type="file"]').setInputFiles(file)
  const counted = groupThousands(members).replace(/\D/g, ".?")
  await page.getByRole("button", { name: new RegExp(`^Check ${counted} rows?`) }).click()
  await page.getByRole("button", { name: new RegExp(`^Import ${counted} members?`) }).click({ timeout: 60_000 })
  await dialogOf(page)
    .getByRole("button", { name: /^Import members?/ })
    .click()
  await expect(page.getByText("Completed").first()).toBeVisible({ timeout: 60_000 })
}

export async function openPolicy(page: Page, group: string): Promise<void> {
  await page.goto("/policies")
  await page
    .getByRole("link", { name: new RegExp(group) })
    .first()
    .click()
  await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}/)
}

export async function activatePolicy(page: Page, group: string): Promise<void> {
  await openPolicy(page, group)
  await page.getByRole("button", { name: "Activate Policy" }).click()
  await dialogOf(page)
    .getByRole("button", { name: /Activate/ })
    .click()
  await expect(page.getByText("Policy Activated Successfully")).toBeVisible()
}

export async function goToMembers(page: Page): Promise<void> {
  await clickNext(page)
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible()
}
