import { expect, type Page } from "@playwright/test"
import { choose, clickNext, createOnePagePdf, dialogOf, formatRand } from "./browser.ts"

export type PageCheck = (page: Page) => Promise<void>
export const noCheck: PageCheck = async () => {}

export async function captureClaim(
  page: Page,
  {
    member,
    requested,
    incidentOn,
  }: { member: readonly [typed: string, option: RegExp]; requested: number; incidentOn: string },
  look: PageCheck = noCheck,
): Promise<string> {
  await page.goto("/claims/new")
  await choose(page, "Member", ...member)
  await clickNext(page)
  await choose(page, "Benefit", "", "Hospital benefit")
  await choose(page, "Claim type", "", "Medical")
  await page.getByRole("textbox", { name: "Requested amount" }).fill(formatRand(requested))
  await clickNext(page)
  await page.getByRole("textbox", { name: "Incident date" }).fill(incidentOn)
  await page.getByRole("textbox", { name: "Description" }).fill("Fell from a ladder at work")
  await page.getByRole("textbox", { name: "Diagnosis" }).fill("Fractured wrist")
  await look(page)
  await clickNext(page)
  await choose(page, "Document type", "", "Medical report")
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "report.pdf", mimeType: "application/pdf", buffer: await createOnePagePdf(page) })
  await expect(page.getByText("Document Uploaded")).toBeVisible()
  await clickNext(page)
  await page.getByRole("button", { name: "Submit claim" }).click()
  await expect(page.getByText("Claim submitted successfully for approval")).toBeVisible()
  await expect(page).toHaveURL(/\/claims(\?|$)/)
  await page.getByRole("link", { name: /CLM-/ }).first().click()
  await page.getByRole("button", { name: "Route for approval" }).click()
  await look(page)
  await dialogOf(page).getByRole("button", { name: "Route for approval" }).click()
  await expect(page.getByText("Pending group administrator").first()).toBeVisible()
  await look(page)
  return new URL(page.url()).pathname
}

export async function judgeClaim(page: Page, cents: number): Promise<void> {
  await page.getByRole("textbox", { name: "Approved amount" }).fill(formatRand(cents))
  await page.getByRole("textbox", { name: "Comment" }).fill("Seen and in order")
  const reduction = page.getByRole("textbox", { name: "Reason for the reduction" })
  if (await reduction.isVisible()) await reduction.fill("The policy pays the scheme tariff")
}

export async function approve(page: Page, look: PageCheck = noCheck): Promise<void> {
  await page.getByRole("button", { name: "Approve", exact: true }).click()
  await look(page)
  await dialogOf(page).getByRole("button", { name: "Approve claim" }).click()
  await expect(page.getByText("Claim approved successfully")).toBeVisible()
}

export async function makePayment(page: Page, payee: string, look: PageCheck = noCheck): Promise<void> {
  await dialogOf(page).getByRole("textbox", { name: "Payee" }).fill(payee)
  await fillPayeeAccount(page)
  await look(page)
  await dialogOf(page).getByRole("button", { name: "Prepare payment" }).click()
}

export async function fillPayeeAccount(page: Page): Promise<void> {
  await dialogOf(page).getByRole("combobox", { name: "Bank", exact: true }).fill("FNB")
  await dialogOf(page).getByRole("textbox", { name: "Branch code" }).fill("250655")
  await dialogOf(page).getByRole("textbox", { name: "Account number" }).fill("62001234567")
}
