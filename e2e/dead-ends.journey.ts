import { expect, test } from "@playwright/test"
import { choose, clickNext, dialogOf, expectAccessible, formatRand } from "./browser.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { fillSetup, submitSignIn } from "./people.ts"

/** Places where users were stuck or misled. One administrator, no mail server. */

const group = "Karoo Clinics"
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())
const firstOfMonthAgo = (months: number) => {
  const at = new Date(`${today.slice(0, 7)}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at.toISOString().slice(0, 10)
}
/** The policy began two months ago: three months to bill. */
const start = firstOfMonthAgo(-2)

let { app, admin } = {} as Installation
useOwnInstallation(
  (house) => {
    ;({ app, admin } = house)
  },
  { withMail: false },
)

test.describe.configure({ mode: "serial" })

const field = (name: string) => admin.getByRole("textbox", { name, exact: true })

test("an administrator sets up the server and a policy", async () => {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  await admin.goto("/benefits")
  await admin.getByRole("button", { name: "Add Product Type" }).first().click()
  await dialogOf(admin).getByRole("textbox", { name: "Name" }).fill("Group Health")
  await dialogOf(admin).getByRole("button", { name: "Save" }).click()
  await expect(admin.getByText("Product type created successfully")).toBeVisible()
})

async function createDraftPolicy() {
  await admin.goto("/policies/new")
  await expect(admin.getByRole("radio", { name: "New group" })).toBeChecked()
  await expect(field("Premium")).toHaveValue("350,00")
  await admin.getByRole("textbox", { name: "Group name" }).fill(group)
  await choose(admin, "Product type", "", "Group Health")
  await field("Start date").fill(start)
  await choose(admin, "Coverage type", "", /health/i)
  await field("Full name").fill("Thandi Nkosi")
  await admin.getByRole("textbox", { name: "Email" }).fill("thandi@karooclinics.example")
  await field("Company address").fill("4 Karoo Road, Beaufort West")
  await admin.getByRole("button", { name: "Save Draft" }).click()
  await expect(admin.getByText("Draft saved")).toBeVisible()
}

test("a mistaken draft is deleted together with its employer", async () => {
  await createDraftPolicy()
  await admin.goto("/policies")
  await admin
    .getByRole("link", { name: new RegExp(group) })
    .first()
    .click()
  await expect(admin.getByRole("link", { name: "Continue draft" })).toHaveAttribute("href", /tab=members/)
  await admin.getByRole("button", { name: "More", exact: true }).click()
  await admin.getByRole("menuitem", { name: "Delete draft" }).click()
  await expect(dialogOf(admin)).toBeVisible()
  await expectAccessible(admin)
  await dialogOf(admin).getByRole("button", { name: "Delete draft" }).click()
  await expect(admin.getByText(/and its employer group deleted/)).toBeVisible()
  await expect(admin.getByText("No policies yet")).toBeVisible()
})

test("a member is added without a phone, ended by mistake and reinstated", async () => {
  await createDraftPolicy()
  await clickNext(admin)
  await admin.getByRole("link", { name: "Add member" }).first().click()
  await field("First name").fill("Sipho")
  await field("Last name").fill("Dlamini")
  await field("ID number").fill("8001015009087")
  await clickNext(admin)
  await admin.getByRole("textbox", { name: "Email" }).fill("sipho@karooclinics.example")
  await clickNext(admin)
  await clickNext(admin)
  await choose(admin, "Benefit tier", "", "Standard")
  await clickNext(admin)
  await admin.getByRole("button", { name: "Save member" }).click()
  await expect(admin.getByText("Member created successfully")).toBeVisible()
  await expect(admin).toHaveURL(/\/policies\/[0-9a-f-]{36}/)
  await admin.getByRole("button", { name: "Activate Policy" }).click()
  await dialogOf(admin)
    .getByRole("button", { name: /Activate/ })
    .click()
  await expect(admin.getByText("Policy Activated Successfully")).toBeVisible()

  await admin.goto("/members")
  await admin.getByRole("button", { name: /^Actions for M-/ }).click()
  await admin.getByRole("menuitem", { name: "Terminate" }).click()
  await dialogOf(admin).getByRole("textbox", { name: "Last day" }).fill(firstOfMonthAgo(-1))
  await dialogOf(admin).getByRole("textbox", { name: "Reason" }).fill("Wrong person")
  await dialogOf(admin).getByRole("button", { name: "Terminate member" }).click()
  await expect(admin.getByText("Terminated", { exact: true }).first()).toBeVisible()
  await admin.getByRole("button", { name: /^Actions for M-/ }).click()
  await admin.getByRole("menuitem", { name: "Reinstate" }).click()
  const dayAfter = `${firstOfMonthAgo(-1).slice(0, 8)}02`
  await dialogOf(admin).getByRole("textbox", { name: "Reinstated from" }).fill(dayAfter)
  await dialogOf(admin).getByRole("textbox", { name: "Reason" }).fill("It was somebody else")
  await expectAccessible(admin)
  await dialogOf(admin).getByRole("button", { name: "Reinstate member" }).click()
  await expect(admin.getByText("Member reinstated")).toBeVisible()
})

test("billing offers the oldest unbilled month and does not call an undelivered invoice sent", async () => {
  await admin.goto("/invoices/generate")
  await choose(admin, "Policy", "Karoo", new RegExp(group))
  await expect(field("Period start")).toHaveValue(start)
  await admin.getByRole("button", { name: "Fill from members" }).click()
  await expect(admin.getByText(/member is billed for/)).toBeVisible()
  await admin.getByRole("button", { name: "Generate invoice" }).click()
  await expect(admin.getByText(/generated successfully/)).toBeVisible()
  await admin.getByRole("button", { name: "Send Invoice" }).first().click()
  await dialogOf(admin).getByRole("button", { name: /Send/ }).click()
  await expect(admin.getByText(/Not emailed: no mail server is set up/)).toBeVisible({ timeout: 30_000 })
  await expect(admin.getByText("Not delivered")).toBeVisible()
  await expectAccessible(admin)

  await admin.getByRole("link", { name: "Record receipt" }).first().click()
  await expect(field("Amount")).toHaveValue(formatRand(402_50).replace(/^R\s/, ""))
  await admin.getByRole("textbox", { name: "Reference Number" }).fill("KAROO")
  await admin.getByRole("button", { name: "Cancel" }).click()
  await dialogOf(admin).getByRole("button", { name: "Keep editing" }).click()
  await admin.getByRole("button", { name: "Create Receipt" }).click()
  await expect(admin.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()

  await admin.goto("/invoices/generate")
  await choose(admin, "Policy", "Karoo", new RegExp(group))
  await expect(field("Period start")).toHaveValue(firstOfMonthAgo(-1))
})

test("choosing a claim's member warns if the claim would have no approver", async () => {
  await admin.goto("/claims/new")
  await choose(admin, "Member", "Dlamini", /Dlamini/)
  await expect(
    admin.getByText(
      "This claim would have no approver: Karoo Clinics has no group administrator; there is no active underwriter; " +
        "Karoo Clinics has no policy holder. Add a group administrator, an underwriter and a policy holder " +
        "for Karoo Clinics in Settings, Users.",
    ),
  ).toBeVisible()
  await expectAccessible(admin)
})

test("unknown addresses show a not-found page", async () => {
  for (const [path, words] of [
    ["/claims/00000000-0000-4000-8000-000000000000", "Claim not found"],
    ["/members/00000000-0000-4000-8000-000000000000", "Member not found"],
    ["/policies/00000000-0000-4000-8000-000000000000", "Policy not found"],
    ["/invoices/00000000-0000-4000-8000-000000000000", "Invoice not found"],
    ["/policies/nowhere", "Oops! Page not found"],
    ["/invoices/nowhere", "Oops! Page not found"],
    ["/invoices/credit-notes/nowhere", "Oops! Page not found"],
    ["/finance/receipting/nowhere", "Oops! Page not found"],
    ["/nowhere", "Oops! Page not found"],
    ["/settings/nowhere", "Oops! Page not found"],
    ["/finance/nowhere", "Oops! Page not found"],
  ] as const) {
    await admin.goto(path)
    await expect(admin.getByText(words).first()).toBeVisible()
  }
})
