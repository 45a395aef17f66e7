import { expect, test } from "@playwright/test"
import { choose, dialogOf, formatRand } from "./browser.ts"
import { collectPremium, expectKeptPromise } from "./collects.ts"
import { createOwnReport } from "./custom-report.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { fillSetup, submitSignIn } from "./people.ts"
import { activatePolicy, createDraftPolicy, importStaff, makeProductType } from "./schemes.ts"

/** A debtor promises, is reminded with a statement, and pays. The statement's closing balance equals the ledger. */

const group = "Baobab Logistics"
const contact = "hr@baobab.example"
const staffCsv = "First name,Last name,Passport,Email,Group\nAnn,Nkosi,A1234567,ann@baobab.example,Baobab Logistics\n"
/** One member at R 350,00 with 15 % VAT. */
const owedCents = 402_50
const creditCents = 100_00

let { app, mail, admin } = {} as Installation
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test("a debtor is called, promises, is reminded with a statement and keeps the promise", async () => {
  test.slow()
  await fillSetup(admin, app)
  await submitSignIn(admin)

  await test.step("a policy with one member", async () => {
    await makeProductType(admin)
    await createDraftPolicy(admin, { group, startOn: "2026-01-01", email: contact, phone: "0215550100" })
    await importStaff(admin, group, 1, staffCsv)
    await activatePolicy(admin, group)
  })

  await test.step("an invoice is sent", async () => {
    await admin.goto("/invoices/generate")
    await choose(admin, "Policy", "Baobab", new RegExp(group))
    await expect(admin.getByRole("textbox", { name: "Period start" })).toHaveValue("2026-01-01")
    await admin.getByRole("button", { name: "Fill from members" }).click()
    await expect(admin.getByText(/is billed for/).first()).toBeVisible()
    await admin.getByRole("button", { name: "Generate invoice" }).click()
    await expect(admin.getByText(/Invoice INV-\d{4}-000001 generated successfully/)).toBeVisible()
    await admin.getByRole("button", { name: "Send Invoice" }).first().click()
    await dialogOf(admin).getByRole("button", { name: /Send/ }).click()
    await expect(admin.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
  })
  const invoice = new URL(admin.url()).pathname

  await test.step("the debtor is called, promises and is reminded", () =>
    collectPremium(admin, mail, { group, owedCents, contact }))
  const policy = new URL(admin.url()).pathname

  await test.step("the payment keeps the promise, and the statement equals the ledger", async () => {
    await admin.goto(invoice)
    await admin.getByRole("link", { name: "Record receipt" }).click()
    await admin.getByRole("textbox", { name: "Amount" }).fill(formatRand(owedCents + creditCents))
    await expect(admin.getByText(`Unallocated credit ${formatRand(creditCents)}`)).toBeVisible()
    await admin.getByRole("button", { name: "Create Receipt" }).click()
    await expect(admin.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
    await expectKeptPromise(admin, policy, { owedCents, creditCents })
  })

  await test.step("a custom report is saved, scheduled and sent with the invoice in its file", () =>
    createOwnReport(admin, mail, { group, amountCents: owedCents }))
})
