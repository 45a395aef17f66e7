import { expect, type Page } from "@playwright/test"
import { checkTwoViews, dialogOf, expectAccessible, formatRand } from "./browser.ts"
import type { MailServer } from "./mail-server.ts"

interface CollectionCase {
  group: string
  owedCents: number
  contact: string
}

const tomorrowInSouthAfrica = (): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date(Date.now() + 86_400_000))

export async function collectPremium(
  manager: Page,
  mail: MailServer,
  { group, owedCents, contact }: CollectionCase,
): Promise<void> {
  await manager.goto("/invoices/collection?month=all")
  const row = manager.getByRole("row").filter({ hasText: group })
  await expect(row).toContainText(formatRand(owedCents))
  await expect(row).toContainText("Current")
  await manager.getByRole("link", { name: /^Collected/ }).click()
  await expect(manager.getByText(group)).toHaveCount(0)
  await manager.getByRole("link", { name: /^Outstanding/ }).click()
  await expect(row).toContainText("0 %")
  await checkTwoViews(manager)
  await callAndRemind(manager, mail, { group, owedCents, contact })
}

export async function callAndRemind(
  manager: Page,
  mail: MailServer,
  { group, owedCents, contact }: CollectionCase,
): Promise<string> {
  await manager.getByRole("row").filter({ hasText: group }).getByRole("link", { name: group }).click()
  await manager.getByRole("button", { name: "Call", exact: true }).click()
  await expect(dialogOf(manager)).toContainText(`Owes ${formatRand(owedCents)}`)
  await expect(dialogOf(manager).getByRole("link", { name: "0215550100" })).toHaveAttribute("href", "tel:0215550100")
  await dialogOf(manager).getByRole("radio", { name: "Promise to pay" }).click()
  await dialogOf(manager).getByRole("textbox", { name: "Amount promised" }).fill(formatRand(owedCents))
  await dialogOf(manager).getByRole("textbox", { name: "Payment date", exact: true }).fill(tomorrowInSouthAfrica())
  await dialogOf(manager).getByRole("textbox", { name: "Note" }).fill("The salary run is tomorrow")
  await expectAccessible(manager)
  await dialogOf(manager).getByRole("button", { name: "Log call" }).click()
  await expect(dialogOf(manager)).toBeHidden()
  await expect(manager.getByText("Promise open")).toBeVisible()

  await manager.getByRole("button", { name: "Email", exact: true }).click()
  const text = dialogOf(manager).getByRole("textbox", { name: "Text" })
  await expect(text).toHaveValue(/The attached statement of account/)
  await text.fill(`${await text.inputValue()}\n\nThank you for your promise.`)
  await expectAccessible(manager)
  await dialogOf(manager).getByRole("button", { name: "Send reminder" }).click()
  const sent = await mail.mailTo(contact, (raw) => raw.includes("Premiums outstanding"))
  expect(sent).toContain("application/pdf")
  expect(sent).toContain("Thank you for your promise.")
  await expect(manager.getByText("Delivered").first()).toBeVisible({ timeout: 30_000 })
  await checkTwoViews(manager)
  return sent
}

export async function expectKeptPromise(
  manager: Page,
  policy: string,
  { owedCents, creditCents }: { owedCents: number; creditCents: number },
) {
  await manager.goto(`${policy}?tab=collection`)
  await expect(manager.getByText("Promise kept")).toBeVisible()
  await manager.getByRole("link", { name: "Statement of account" }).click()
  const statement = manager.getByRole("table", { name: "Statement of account" })
  await expect(statement.getByRole("row", { name: /Closing balance/ })).toContainText(`-${formatRand(creditCents)}`)
  await expect(statement.getByRole("row", { name: /Invoice INV-/ })).toContainText(formatRand(owedCents))
  await expect(manager.getByText(formatRand(creditCents)).first()).toBeVisible()
  await expectAccessible(manager)
}
