import { fileURLToPath } from "node:url"
import AxeBuilder from "@axe-core/playwright"
import { formatRand, lineTotal, percentOf } from "@milkwood/domain/kernel/money"
import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test"
import answers from "../server/src/members/fixtures/answers.json" with { type: "json" }
import { openHouse, type RunningHouse } from "./house.ts"
import { linkIn, openMailServer } from "./mail-server.ts"

/**
 * The main job from the printed setup link to the trial balance: a staff list becomes a policy with insured members,
 * its invoice is made, sent and paid, one claim is captured, approved by three people and paid, and the ledger agrees.
 * Five people, each in a browser context of their own; the interface alone; links out of real mail.
 */

const fixture = fileURLToPath(new URL("../server/src/members/fixtures/1-plain.csv", import.meta.url))
const list = answers["1-plain.csv"]
const group = list.group
const password = "Under-the-milkwood-26"
const people = {
  admin: { name: "Ayesha Khan", email: "ayesha@milkwood.example" },
  manager: { name: "Megan Jacobs", email: "megan@milkwood.example", role: "Manager" },
  underwriter: { name: "Hendrik Venter", email: "hendrik@milkwood.example", role: "Underwriter" },
  group_admin: { name: "Thandi Mokoena", email: "thandi@sowetoretail.example", role: "Group administrator" },
  policy_holder: { name: "Nomsa Radebe", email: "nomsa@sowetoretail.example", role: "Policy holder" },
} as const

/** Worked out here, by hand as it were: 1 200 rows less 36 refused, R 350 each, VAT of 15 % once on the subtotal. */
const insured = list.rows - Object.keys(list.errors).length
const subtotal = lineTotal(insured, 350_00)
const vat = percentOf(subtotal, 15)
const invoiced = subtotal + vat
const received = invoiced + 1_000_00
const claimed = 42_000_00
const approvedBy = { group_admin: claimed, underwriter: 40_000_00, policy_holder: 40_000_00 }
const paid = 40_000_00

let house: RunningHouse
let mail: Awaited<ReturnType<typeof openMailServer>>

test.beforeAll(async () => {
  mail = await openMailServer()
  house = await openHouse({ SMTP_URL: mail.url })
})
test.afterAll(async () => {
  await house?.close()
  await mail?.close()
})

async function pageOf(browser: Browser): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ baseURL: house.url })
  const page = await context.newPage()
  page.on("pageerror", (error) => {
    throw error
  })
  return page
}

async function accessible(page: Page): Promise<void> {
  // A page on its way in has no heading yet.
  await expect(page.locator("h1").first()).toBeAttached()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
    [],
  )
}

const choose = async (page: Page, label: string | RegExp, typed: string, option: string | RegExp): Promise<void> => {
  const field = page
    .getByRole("combobox", { name: label })
    .or(page.getByRole("textbox", { name: label }))
    .first()
  await field.click()
  if (typed) await field.fill(typed)
  await page.getByRole("option", { name: option }).first().click()
}

const next = (page: Page) => page.getByRole("button", { name: "Next" }).click()
const dialog = (page: Page) => page.getByRole("dialog")

test("a staff list becomes a policy, its invoice is paid, a claim is paid, and the ledger agrees", async ({
  browser,
}) => {
  test.slow()
  const admin = await pageOf(browser)
  const manager = await pageOf(browser)

  await test.step("the administrator sets the house up by the printed link", async () => {
    await admin.goto(house.setupLink)
    await admin.getByRole("textbox", { name: "Full name" }).fill(people.admin.name)
    await admin.getByRole("textbox", { name: "Email" }).fill(people.admin.email)
    await admin.getByLabel("Password", { exact: true }).fill(password)
    await admin.getByLabel("Confirm password").fill(password)
    await admin.getByRole("textbox", { name: "Name", exact: true }).fill("Milkwood Group Assurance")
    await admin.getByRole("textbox", { name: "VAT number" }).fill("4123456789")
    await admin.getByRole("textbox", { name: "Address" }).fill("12 Protea Avenue, Newlands, Cape Town")
    await admin.getByRole("textbox", { name: "Bank", exact: true }).fill("Protea Bank")
    await admin.getByRole("textbox", { name: "Account holder" }).fill("Milkwood Group Assurance")
    await admin.getByRole("textbox", { name: "Account number" }).fill("0012345678")
    await admin.getByRole("textbox", { name: "Branch code" }).fill("051001")
    await accessible(admin)
    await admin.locator('button[type="submit"]').click()
    await expect(admin.getByRole("heading", { name: "Dashboard" })).toBeVisible()
    await accessible(admin)
  })

  await test.step("and makes the benefits", async () => {
    await admin.goto("/benefits")
    await admin.getByRole("button", { name: "Add Product Type" }).first().click()
    await dialog(admin).getByRole("textbox", { name: "Name" }).fill("Group Health")
    await accessible(admin)
    await dialog(admin).getByRole("button", { name: "Save" }).click()
    await expect(admin.getByText("Product type created successfully")).toBeVisible()

    await admin.getByRole("link", { name: "Benefits", exact: true }).last().click()
    await admin.getByRole("button", { name: "Add Benefit" }).first().click()
    await dialog(admin).getByRole("textbox", { name: "Name" }).fill("Hospital benefit")
    await dialog(admin).getByRole("button", { name: "Save" }).click()
    await expect(admin.getByText("Benefit created successfully")).toBeVisible()

    await admin.getByRole("link", { name: "Configuration" }).click()
    for (const tier of ["Standard", "Silver", "Gold", "Platinum"]) {
      await admin.getByRole("button", { name: "Add Configuration" }).first().click()
      await choose(admin, /^Product type/i, "", "Group Health")
      await choose(admin, /^Benefit(?! tier)/i, "", "Hospital benefit")
      await choose(admin, /^Benefit tier/i, "", tier)
      await dialog(admin).getByRole("textbox", { name: "Cover amount" }).fill("80 000,00")
      await dialog(admin).getByRole("button", { name: "Save" }).click()
      await expect(dialog(admin)).toBeHidden()
    }
    await expect(admin.getByText(formatRand(80_000_00)).first()).toBeVisible()
  })

  const invite = async (who: Exclude<keyof typeof people, "admin">): Promise<void> => {
    await admin.goto("/settings/users")
    await admin.getByRole("button", { name: "Invite user" }).first().click()
    await dialog(admin).getByRole("textbox", { name: "Email" }).fill(people[who].email)
    await choose(admin, "Role", "", people[who].role)
    if (who === "group_admin" || who === "policy_holder") {
      await choose(admin, "Groups", "Soweto", group)
      await admin.keyboard.press("Escape")
    }
    await dialog(admin).getByRole("button", { name: "Send invitation" }).click()
    await dialog(admin).getByRole("button", { name: "Done" }).click()
  }
  const accept = async (page: Page, who: Exclude<keyof typeof people, "admin">): Promise<void> => {
    const { email, name } = people[who]
    await page.goto(
      linkIn(await mail.mailTo(email, (raw) => raw.includes("invitation")), `${house.url}/accept-invitation`),
    )
    await page.getByRole("textbox", { name: "Full name" }).fill(name)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByLabel("Confirm password").fill(password)
    await page.locator('button[type="submit"]').click()
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible()
  }

  await test.step("the manager is invited by mail and signs in", async () => {
    await invite("manager")
    await accept(manager, "manager")
  })

  await test.step("a policy is drafted for the employer", async () => {
    await manager.goto("/policies/new")
    await manager.getByText("New group", { exact: true }).click()
    await manager.getByRole("textbox", { name: "Group name" }).fill(group)
    await choose(manager, "Product type", "", "Group Health")
    await manager.getByRole("textbox", { name: "Start date" }).fill("2026-01-01")
    await choose(manager, "Coverage type", "", /health/i)
    await manager.getByRole("textbox", { name: "Full name" }).fill("Human Resources")
    await manager.getByRole("textbox", { name: "Email" }).fill("hr@sowetoretail.example")
    await manager.getByRole("button", { name: "Save Draft" }).click()
    await expect(manager.getByText("Draft saved")).toBeVisible()
    await manager.getByRole("textbox", { name: "Description" }).fill("Staff scheme")
    await expect(manager.getByText(/^Saved \d\d:\d\d/)).toBeVisible()
    await accessible(manager)
    await next(manager)
    await expect(manager.getByRole("heading", { name: "Members" })).toBeVisible()
  })

  await test.step("the staff list is imported: refused rows are exactly those known", async () => {
    await manager.goto("/members/import")
    await choose(manager, "Group policy", "Soweto", new RegExp(group))
    await manager.locator('input[type="file"]').setInputFiles(fixture)
    await manager.getByRole("button", { name: /^Check 1.?200 rows/ }).click()
    const commit = manager.getByRole("button", {
      name: new RegExp(`^Import ${String(insured)[0]}.?${String(insured).slice(1)} members`),
    })
    await expect(commit).toBeVisible({ timeout: 60_000 })
    await accessible(manager)
    await commit.click()
    await dialog(manager).getByRole("button", { name: "Import members" }).click()
    await expect(manager.getByText("Completed").first()).toBeVisible({ timeout: 90_000 })
  })

  await test.step("the policy is activated", async () => {
    await manager.goto("/policies")
    await manager
      .getByRole("link", { name: new RegExp(group) })
      .first()
      .click()
    await manager.getByRole("button", { name: "Activate Policy" }).click()
    await dialog(manager)
      .getByRole("button", { name: /Activate/ })
      .click()
    await expect(manager.getByText("Policy Activated Successfully")).toBeVisible()
    await expect(manager.getByText("Active", { exact: true }).first()).toBeVisible()
    await accessible(manager)
  })

  await test.step("its invoice is made, sent with its PDF by mail", async () => {
    await manager.goto("/invoices/generate")
    await choose(manager, "Policy", "Soweto", new RegExp(group))
    await manager.getByRole("button", { name: "Fill from members" }).click()
    await expect(manager.getByText(/members pay for/)).toBeVisible()
    await manager.getByRole("button", { name: "Generate invoice" }).click()
    await expect(manager.getByText(/Invoice INV-\d{4}-000001 generated successfully/)).toBeVisible()
    await expect(manager.getByText(formatRand(subtotal)).first()).toBeVisible()
    await expect(manager.getByText(formatRand(vat)).first()).toBeVisible()
    await expect(manager.getByText(formatRand(invoiced)).first()).toBeVisible()
    await manager.getByRole("button", { name: "Send Invoice" }).first().click()
    await dialog(manager).getByRole("button", { name: /Send/ }).click()
    await expect(manager.getByText("Invoice sent successfully")).toBeVisible({ timeout: 30_000 })
    await accessible(manager)
    const sent = await mail.mailTo("hr@sowetoretail.example", (raw) => raw.includes("INV-"))
    expect(sent).toContain("application/pdf")
  })

  await test.step("the money comes in: the invoice is paid, the rest is credit", async () => {
    await manager.getByRole("link", { name: "Record receipt" }).click()
    await manager.getByRole("textbox", { name: "Amount" }).fill(formatRand(received))
    await manager.getByRole("textbox", { name: "Reference Number" }).fill("SOWETO NOV")
    await expect(manager.getByText(`Credit of the policy ${formatRand(1_000_00)}`)).toBeVisible()
    await accessible(manager)
    await manager.getByRole("button", { name: "Create Receipt" }).click()
    await expect(manager.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
    await accessible(manager)
    await manager.getByRole("link", { name: /INV-/ }).click()
    await expect(manager.getByText("PAID").first()).toBeVisible()
  })

  const three = {
    group_admin: await pageOf(browser),
    underwriter: await pageOf(browser),
    policy_holder: await pageOf(browser),
  }
  await test.step("the three approvers are invited and sign in", async () => {
    for (const who of ["group_admin", "underwriter", "policy_holder"] as const) {
      await invite(who)
      await accept(three[who], who)
    }
  })

  let claimUrl = ""
  await test.step("a claim is captured with a document, submitted and routed", async () => {
    await manager.goto("/claims/new")
    await choose(manager, "Member", "Hendrik O'Reilly", /O'Reilly/)
    await next(manager)
    await choose(manager, "Benefit", "", "Hospital benefit")
    await choose(manager, "Claim type", "", "Medical")
    await manager.getByRole("textbox", { name: "Requested amount" }).fill(formatRand(claimed))
    await next(manager)
    await manager.getByRole("textbox", { name: "Incident date" }).fill("2026-10-20")
    await manager.getByRole("textbox", { name: "Description" }).fill("Fell from a ladder at work")
    await manager.getByRole("textbox", { name: "Diagnosis" }).fill("Fractured wrist")
    await accessible(manager)
    await next(manager)
    await choose(manager, "Document type", "", "Medical report")
    await manager
      .locator('input[type="file"]')
      .setInputFiles({ name: "report.pdf", mimeType: "application/pdf", buffer: await onePagePdf(manager) })
    await expect(manager.getByText("Document Uploaded")).toBeVisible()
    await next(manager)
    await manager.getByRole("button", { name: "Submit claim" }).click()
    await expect(manager.getByText("Claim submitted successfully for approval")).toBeVisible()
    await expect(manager).toHaveURL(/\/claims(\?|$)/)
    await manager.getByRole("link", { name: /CLM-/ }).first().click()
    await manager.getByRole("button", { name: "Route for approval" }).click()
    await dialog(manager).getByRole("button", { name: "Route for approval" }).click()
    await expect(manager.getByText("Pending group admin").first()).toBeVisible()
    claimUrl = new URL(manager.url()).pathname
    await accessible(manager)
  })

  await test.step("three people approve it, each their stage", async () => {
    for (const who of ["group_admin", "underwriter", "policy_holder"] as const) {
      const page = three[who]
      await page.goto(`${claimUrl}/approve`)
      await page.getByRole("textbox", { name: "Approved amount" }).fill(formatRand(approvedBy[who]))
      await accessible(page)
      await page.getByRole("button", { name: "Approve", exact: true }).click()
      await dialog(page).getByRole("button", { name: "Approve claim" }).click()
      await expect(page.getByText("Claim approved successfully")).toBeVisible()
    }
    await three.policy_holder.goto(claimUrl)
    await expect(three.policy_holder.getByText("Approved", { exact: true }).first()).toBeVisible()
    await expect(three.policy_holder.getByText("Fractured wrist")).toHaveCount(0)
  })

  await test.step("it is paid: made by one person, released by another, completed", async () => {
    await manager.goto(claimUrl)
    await manager.getByRole("link", { name: "Mark as Paid" }).click()
    await dialog(manager).getByRole("textbox", { name: "Bank", exact: true }).fill("Protea Bank")
    await dialog(manager).getByRole("textbox", { name: "Branch code" }).fill("250655")
    await dialog(manager).getByRole("textbox", { name: "Account number" }).fill("62001234567")
    await accessible(manager)
    await dialog(manager).getByRole("button", { name: "Make payment" }).click()
    await expect(manager.getByText("somebody else must release it")).toBeVisible()
    await accessible(manager)
    const payment = new URL(manager.url()).pathname

    await admin.goto(payment)
    await admin.getByRole("button", { name: "Release payment" }).click()
    await dialog(admin).getByRole("button", { name: "Release payment" }).click()
    await expect(admin.getByText("Processing").first()).toBeVisible()

    await manager.getByRole("button", { name: "Complete payment" }).click()
    await dialog(manager).getByRole("button", { name: "Complete payment" }).click()
    await expect(manager.getByText("Claim payment has been processed successfully")).toBeVisible()
    await manager.goto(claimUrl)
    await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
  })

  await test.step("the trial balance holds what was worked out", async () => {
    await manager.goto("/finance/trial-balance")
    const expected: Record<string, number> = {
      Bank: received - paid,
      "Unallocated receipts": 1_000_00,
      "Premium income": subtotal,
      "VAT output": vat,
      "Claims expense": paid,
    }
    for (const [account, cents] of Object.entries(expected)) {
      await expect(manager.getByRole("row", { name: new RegExp(`^${account}`) })).toContainText(formatRand(cents))
    }
    const total = received - paid + paid
    await expect(manager.getByRole("row", { name: /^Total/ })).toContainText(formatRand(total))
    await accessible(manager)
    await manager.getByRole("link", { name: "Bank" }).click()
    await expect(manager.getByText(formatRand(received)).first()).toBeVisible()

    await manager.goto("/")
    await expect(manager.getByRole("link", { name: /Active policies/ })).toContainText("1")
    await expect(manager.getByRole("link", { name: /Total members/ })).toContainText(String(insured))
    await expect(manager.getByRole("link", { name: /Outstanding premiums/ })).toContainText(formatRand(0))
    await accessible(manager)
  })
})

/** A real one-page PDF, printed by the browser from an empty page. */
async function onePagePdf(page: Page): Promise<Buffer> {
  const printer = await page.context().newPage()
  await printer.setContent("<h1>Medical report</h1>")
  const bytes = await printer.pdf()
  await printer.close()
  return bytes
}
