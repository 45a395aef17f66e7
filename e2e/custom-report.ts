import { expect, type Page } from "@playwright/test"
import readExcel from "read-excel-file/node"
import { checkEveryView, choose, dialogOf, expectAccessible } from "./browser.ts"
import type { MailServer } from "./mail-server.ts"
import { people } from "./people.ts"

interface Invoiced {
  group: string
  amountCents: number
}

function attachmentIn(raw: string, ending: string): Buffer {
  const part = raw.split(/\r?\n--/).find((one) => new RegExp(`filename="?[^"\\r\\n]*${ending}`).test(one))
  if (!part) throw new Error(`no file ${ending} in the mail`)
  const body = part.slice(part.search(/\r?\n\r?\n/))
  return Buffer.from(body.replace(/\s/g, ""), "base64")
}

export async function createOwnReport(page: Page, mail: MailServer, { group, amountCents }: Invoiced): Promise<void> {
  const name = "=Invoices / of groups"
  await page.goto("/reports")
  await page.getByRole("button", { name: "Custom Report" }).click()
  const form = dialogOf(page)
  await form.getByRole("textbox", { name: "Report Name" }).fill(name)
  await choose(page, "Report Type", "", "Financial")
  await choose(page, "Format", "", "Excel")
  await choose(page, "Date Range", "", "Custom range")
  for (const field of ["Group name", "Invoice number", "Amount", "Due date"])
    await form.getByRole("checkbox", { name: field }).check()
  await form.getByRole("button", { name: "Add filter" }).click()
  await choose(page, "Field of filter 1", "", "Group name")
  await form.getByRole("textbox", { name: "Value of filter 1" }).fill(group.slice(0, 5).toLowerCase())
  await expect(form.getByText("1 invoice", { exact: true })).toBeVisible()
  await checkEveryView(page)
  await form.getByRole("button", { name: "Save to My Reports" }).click()
  await expect(form).toBeHidden()

  await page.getByRole("link", { name: "My Reports" }).click()
  await page.getByRole("link", { name }).click()
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible()
  await expect(page.getByRole("row")).toHaveCount(2)
  await checkEveryView(page)

  await page.getByRole("button", { name: "Schedule" }).click()
  await form.getByRole("textbox", { name: "Schedule Name" }).fill("My invoices")
  await form.getByRole("textbox", { name: "Recipients" }).fill(people.admin.email)
  await expectAccessible(page)
  await form.getByRole("button", { name: "Create Schedule" }).click()
  await expect(page.getByText("Report schedule created successfully.")).toBeVisible()
  await page.goto("/reports/scheduled")
  await page.getByRole("button", { name: "Actions for My invoices" }).click()
  await page.getByRole("menuitem", { name: "Run now" }).click()

  const sent = await mail.mailTo(people.admin.email, (raw) => raw.includes("Subject: My invoices"))
  const [sheet] = await readExcel(attachmentIn(sent, ".xlsx"))
  const [heads, invoice, totals] = sheet!.data
  expect(heads).toEqual(["Group name", "Invoice number", "Amount", "Due date"])
  expect(invoice!.slice(0, 3)).toEqual([group, expect.stringMatching(/^INV-\d{4}-000001$/), amountCents / 100])
  expect(invoice![3]).toBeInstanceOf(Date)
  expect(totals!.slice(0, 3)).toEqual(["Total", null, amountCents / 100])
}
