import { expect, type Page, test } from "@playwright/test"
import { choose, dialog, next, openPage, rand } from "./browser.ts"
import { collects, keptPromise } from "./collects.ts"
import { openTestApp, type RunningServer } from "./house.ts"
import { type MailServer, openMailServer } from "./mail-server.ts"
import { enter, fillSetup } from "./people.ts"

/** Who owes is called and promises, is reminded with a statement, and pays: the statement ends where the ledger does. */

const group = "Baobab Logistics"
const contact = "hr@baobab.example"
const staff = "First name,Last name,Passport,Email,Group\nAnn,Nkosi,A1234567,ann@baobab.example,Baobab Logistics\n"
/** One member at the default premium of R 350,00, with VAT of 15 %. */
const owedCents = 402_50
const creditCents = 100_00

let app: RunningServer
let mail: MailServer
let admin: Page

test.beforeAll(async ({ browser }) => {
  mail = await openMailServer()
  app = await openTestApp({ SMTP_URL: mail.url })
  admin = await openPage(browser, app.url)
})
test.afterAll(async () => {
  await app?.close()
  await mail?.close()
})

test("who owes is called, promises, is reminded with a statement, and keeps the promise", async () => {
  test.slow()
  await fillSetup(admin, app)
  await enter(admin)

  await test.step("a policy with one member", async () => {
    await admin.goto("/benefits")
    await admin.getByRole("button", { name: "Add Product Type" }).first().click()
    await dialog(admin).getByRole("textbox", { name: "Name" }).fill("Group Health")
    await dialog(admin).getByRole("button", { name: "Save" }).click()
    await expect(admin.getByText("Product type created successfully")).toBeVisible()

    await admin.goto("/policies/new")
    await admin.getByText("New group", { exact: true }).click()
    await admin.getByRole("textbox", { name: "Group name" }).fill(group)
    await choose(admin, "Product type", "", "Group Health")
    await admin.getByRole("textbox", { name: "Start date" }).fill("2026-01-01")
    await choose(admin, "Coverage type", "", /health/i)
    await admin.getByRole("textbox", { name: "Full name" }).fill("Human Resources")
    await admin.getByRole("textbox", { name: "Email" }).fill(contact)
    await admin.getByRole("textbox", { name: "Telephone" }).fill("0215550100")
    await admin.getByRole("button", { name: "Save Draft" }).click()
    await expect(admin.getByText("Draft saved")).toBeVisible()
    await next(admin)
    await expect(admin.getByRole("heading", { name: "Members" })).toBeVisible()

    await admin.goto("/members/import")
    await choose(admin, "Group policy", "Baobab", new RegExp(group))
    const file = { name: "staff.csv", mimeType: "text/csv", buffer: Buffer.from(staff) }
    await admin.locator('input[type="file"]').setInputFiles(file)
    await admin.getByRole("button", { name: /^Check 1 row/ }).click()
    await admin.getByRole("button", { name: /^Import 1 member/ }).click({ timeout: 60_000 })
    await dialog(admin)
      .getByRole("button", { name: /^Import member/ })
      .click()
    await expect(admin.getByText("Completed").first()).toBeVisible({ timeout: 60_000 })

    await admin.goto("/policies")
    await admin
      .getByRole("link", { name: new RegExp(group) })
      .first()
      .click()
    await admin.getByRole("button", { name: "Activate Policy" }).click()
    await dialog(admin)
      .getByRole("button", { name: /Activate/ })
      .click()
    await expect(admin.getByText("Policy Activated Successfully")).toBeVisible()
  })

  await test.step("an invoice is sent", async () => {
    await admin.goto("/invoices/generate")
    await choose(admin, "Policy", "Baobab", new RegExp(group))
    await expect(admin.getByRole("textbox", { name: "Period start" })).toHaveValue("2026-01-01")
    await admin.getByRole("button", { name: "Fill from members" }).click()
    await expect(admin.getByText(/pays? for/).first()).toBeVisible()
    await admin.getByRole("button", { name: "Generate invoice" }).click()
    await expect(admin.getByText(/Invoice INV-\d{4}-000001 generated successfully/)).toBeVisible()
    await admin.getByRole("button", { name: "Send Invoice" }).first().click()
    await dialog(admin).getByRole("button", { name: /Send/ }).click()
    await expect(admin.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
  })
  const invoice = new URL(admin.url()).pathname

  await test.step("who owes is called and promises, and is reminded with a statement", () =>
    collects(admin, mail, { group, owedCents, contact }))
  const policy = new URL(admin.url()).pathname

  await test.step("the money comes in: the promise is kept, and the statement is the ledger's", async () => {
    await admin.goto(invoice)
    await admin.getByRole("link", { name: "Record receipt" }).click()
    await admin.getByRole("textbox", { name: "Amount" }).fill(rand(owedCents + creditCents))
    await expect(admin.getByText(`Unallocated credit ${rand(creditCents)}`)).toBeVisible()
    await admin.getByRole("button", { name: "Create Receipt" }).click()
    await expect(admin.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
    await keptPromise(admin, policy, { owedCents, creditCents })
  })
})
