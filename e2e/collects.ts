import { expect, type Page } from "@playwright/test"
import { accessible, dialog, rand, twoViews } from "./browser.ts"
import type { MailServer } from "./mail-server.ts"

interface Owed {
  group: string
  owedCents: number
  contact: string
}

const tomorrow = (): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date(Date.now() + 86_400_000))

export async function collects(manager: Page, mail: MailServer, { group, owedCents, contact }: Owed): Promise<void> {
  await manager.goto("/invoices/collection?month=all")
  const row = manager.getByRole("row").filter({ hasText: group })
  await expect(row).toContainText(rand(owedCents))
  await expect(row).toContainText("Current")
  await manager.getByRole("link", { name: /^Collected/ }).click()
  await expect(manager.getByText(group)).toHaveCount(0)
  await manager.getByRole("link", { name: /^Outstanding/ }).click()
  await expect(row).toContainText("0 %")
  await twoViews(manager)
  await callsAndReminds(manager, mail, { group, owedCents, contact })
}

export async function callsAndReminds(
  manager: Page,
  mail: MailServer,
  { group, owedCents, contact }: Owed,
): Promise<string> {
  await manager.getByRole("row").filter({ hasText: group }).getByRole("link", { name: group }).click()
  await manager.getByRole("button", { name: "Call", exact: true }).click()
  await expect(dialog(manager)).toContainText(`Owes ${rand(owedCents)}`)
  await expect(dialog(manager).getByRole("link", { name: "0215550100" })).toHaveAttribute("href", "tel:0215550100")
  await dialog(manager).getByRole("radio", { name: "Promise to pay" }).click()
  await dialog(manager).getByRole("textbox", { name: "Amount promised" }).fill(rand(owedCents))
  await dialog(manager).getByRole("textbox", { name: "By", exact: true }).fill(tomorrow())
  await dialog(manager).getByRole("textbox", { name: "Note" }).fill("The salary run is tomorrow")
  await accessible(manager)
  await dialog(manager).getByRole("button", { name: "Log call" }).click()
  await expect(dialog(manager)).toBeHidden()
  await expect(manager.getByText("Promise open")).toBeVisible()

  await manager.getByRole("button", { name: "Email", exact: true }).click()
  const text = dialog(manager).getByRole("textbox", { name: "Text" })
  await expect(text).toHaveValue(/The attached statement of account/)
  await text.fill(`${await text.inputValue()}\n\nThank you for your promise.`)
  await accessible(manager)
  await dialog(manager).getByRole("button", { name: "Send reminder" }).click()
  const sent = await mail.mailTo(contact, (raw) => raw.includes("Premiums outstanding"))
  expect(sent).toContain("application/pdf")
  expect(sent).toContain("Thank you for your promise.")
  await expect(manager.getByText("Delivered").first()).toBeVisible({ timeout: 30_000 })
  await twoViews(manager)
  return sent
}

export async function keptPromise(
  manager: Page,
  policy: string,
  { owedCents, creditCents }: { owedCents: number; creditCents: number },
) {
  await manager.goto(`${policy}?tab=collection`)
  await expect(manager.getByText("Promise kept")).toBeVisible()
  await manager.getByRole("link", { name: "Statement of account" }).click()
  const statement = manager.getByRole("table", { name: "Statement of account" })
  await expect(statement.getByRole("row", { name: /Closing balance/ })).toContainText(`-${rand(creditCents)}`)
  await expect(statement.getByRole("row", { name: /Invoice INV-/ })).toContainText(rand(owedCents))
  await expect(manager.getByText(rand(creditCents)).first()).toBeVisible()
  await accessible(manager)
}
