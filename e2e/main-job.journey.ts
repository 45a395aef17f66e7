import { fileURLToPath } from "node:url"
import { expect, test } from "@playwright/test"
import answers from "../server/src/staff-lists/fixtures/answers.json" with { type: "json" }
import { addBankAccount, addedAccount, importStatement, markAsNotOurs } from "./bank.ts"
import {
  checkEveryView,
  checkTwoViews,
  choose,
  clickNext,
  dialogOf,
  expectAccessible,
  expectOrderOnPhone,
  formatRand,
  groupThousands,
  inTwoTabs,
  openPage,
} from "./browser.ts"
import { approve, captureClaim, judgeClaim, makePayment } from "./claims.ts"
import { checkEveryDialog, checkEveryPage, checkEveryPageFailing } from "./every-page.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { openClaimFromNotification } from "./notified.ts"
import { pagePaths } from "./pages.ts"
import { acceptInvitation, fillSetup, invite, submitSignIn } from "./people.ts"
import { expectedRefusals } from "./refusals.ts"
import { createDraftPolicy, goToMembers, makeBenefit, makeProductType, openPolicy } from "./schemes.ts"

/**
 * The main job from the setup link to the trial balance. Five users in separate browser contexts; UI only; links from
 * real mail.
 */

const fixture = fileURLToPath(new URL("../server/src/staff-lists/fixtures/1-plain.csv", import.meta.url))
const staffListAnswers = answers["1-plain.csv"]
const group = staffListAnswers.group

/**
 * Calculated independently of the product: 1 200 rows less 36 refused, R 350 each, 15 % VAT once on the subtotal,
 * rounded to the cent.
 */
const insuredCount = 1_200 - 36
const subtotalCents = insuredCount * 350_00
const vatCents = Math.round((subtotalCents * 15) / 100)
const invoicedCents = subtotalCents + vatCents
const receivedCents = invoicedCents + 1_000_00
const claimedCents = 42_000_00
const approvedBy = { group_admin: claimedCents, underwriter: 40_000_00, policy_holder: 40_000_00 }
const paidCents = 40_000_00

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())

let { app, mail, admin } = {} as Installation
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

/** A tour of all pages takes minutes where two journeys share two cores. */
const maxTourMs = 1_200_000

test("the installation is set up by the printed link, and every page is empty", async () => {
  test.setTimeout(maxTourMs)
  await fillSetup(admin, app)
  await expectAccessible(admin)
  await submitSignIn(admin)
  const paths = pagePaths().filter((path) => !path.includes("$"))
  await inTwoTabs(admin, paths, async (tab, path) => {
    await tab.goto(path)
    await expect(tab.getByRole("heading", { level: 1 })).toBeVisible()
    await checkTwoViews(tab)
  })
})

test("a staff list leads to a paid invoice and claim, and the ledger agrees", async ({ browser }) => {
  test.slow()
  const manager = await openPage(browser, app.url)

  await test.step("the administrator creates the benefits", async () => {
    await makeProductType(admin)
    await makeBenefit(admin, ["Standard", "Silver", "Gold", "Platinum"])
    await expect(admin.getByText(formatRand(80_000_00)).first()).toBeVisible()
  })

  await test.step("the manager is invited by mail and signs in", async () => {
    await invite(admin, "manager", group)
    await acceptInvitation(manager, "manager", app, mail)
  })

  await test.step("a policy is drafted for the employer", async () => {
    await createDraftPolicy(manager, { group, startOn: "2026-01-01", email: "hr@sowetoretail.example" })
    await manager.getByRole("textbox", { name: "Description" }).fill("Staff scheme")
    await expect(manager.getByText(/^Saved \d\d:\d\d/)).toBeVisible()
    await expectAccessible(manager)
    await goToMembers(manager)
  })

  await test.step("the staff list is imported and only the faulty rows are refused", async () => {
    await manager.goto("/members/import")
    await choose(manager, "Group policy", "Soweto", new RegExp(group))
    await manager.locator('input[type="file"]').setInputFiles(fixture)
    await manager.getByRole("button", { name: /^Check 1.?200 rows/ }).click()
    const commit = manager.getByRole("button", {
      name: new RegExp(`^Import ${String(insuredCount)[0]}.?${String(insuredCount).slice(1)} members`),
    })
    await expect(commit).toBeVisible({ timeout: 60_000 })
    await manager.getByRole("link", { name: /^Errors/ }).click()
    await manager.getByRole("combobox", { name: "Rows per page" }).selectOption("50")
    const refused = manager
      .getByRole("table")
      .getByRole("row")
      .filter({ has: manager.getByRole("cell") })
    await expect(refused).toHaveCount(Object.keys(staffListAnswers.errors).length)
    for (const [row, code] of Object.entries(staffListAnswers.errors)) {
      // The sheet's row number; row 1 is the header.
      const line = String(Number(row) + 1)
      await expect(refused.filter({ has: manager.getByRole("cell", { name: line, exact: true }) })).toHaveText(
        expectedRefusals[code]!,
      )
    }
    await checkEveryView(manager)
    await commit.click()
    await dialogOf(manager).getByRole("button", { name: "Import members" }).click()
    await expect(manager.getByText("Completed").first()).toBeVisible({ timeout: 90_000 })
    await expect(manager.getByText(/^1.?164 added, 0 updated, 0 ended, 36 rejected\.$/)).toBeVisible()
  })

  await test.step("the application form is uploaded, and the policy is activated with a missing-documents warning", async () => {
    await openPolicy(manager, group)
    await manager.goto(`${new URL(manager.url()).pathname}/edit?tab=documents`)
    await manager.getByRole("button", { name: "Choose Application form as the type to upload" }).click()
    const form = { name: "application.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") }
    await manager.locator('input[type="file"]').setInputFiles(form)
    await expect(manager.getByText("Document Uploaded")).toBeVisible()
    await expect(manager.getByText("Uploaded, required")).toBeVisible()
    await expectAccessible(manager)
    await clickNext(manager)
    await expect(manager.getByText(/^A required document is missing: Company registration\./)).toBeVisible()
    await expectAccessible(manager)
    await manager.getByRole("button", { name: "Activate Policy" }).click()
    await expect(manager.getByText("Policy Activated Successfully")).toBeVisible()
    await expect(manager.getByText("Active", { exact: true }).first()).toBeVisible()
    await expectAccessible(manager)
  })

  await test.step("the application form is in the list of all documents, under its day", async () => {
    await manager.goto("/policies/documents")
    await manager.getByRole("button", { name: "Filter by Date" }).click()
    await manager.getByRole("button", { name: "Today", exact: true }).click()
    await expect(manager.getByRole("table").getByText("application.pdf")).toBeVisible()
    await manager
      .getByRole("link", { name: /^Required/ })
      .first()
      .click()
    await expect(manager.getByRole("table").getByText("Company registration")).toBeVisible()
  })

  await test.step("the policy's invoice is created and mailed with the PDF", async () => {
    await manager.goto("/invoices/generate")
    await choose(manager, "Policy", "Soweto", new RegExp(group))
    // The oldest unbilled month is offered; earlier months were billed elsewhere.
    const start = manager.getByRole("textbox", { name: "Period start" })
    await expect(start).toHaveValue("2026-01-01")
    await start.fill(`${today.slice(0, 7)}-01`)
    await manager.getByRole("button", { name: "Fill from members" }).click()
    await expect(manager.getByText(/members are billed for/)).toBeVisible()
    await manager.getByRole("button", { name: "Generate invoice" }).click()
    await expect(manager.getByText(/Invoice INV-\d{4}-000001 generated successfully/)).toBeVisible()
    await expect(manager.getByText(formatRand(subtotalCents)).first()).toBeVisible()
    await expect(manager.getByText(formatRand(vatCents)).first()).toBeVisible()
    await expect(manager.getByText(formatRand(invoicedCents)).first()).toBeVisible()
    await checkEveryView(manager)
    await manager.getByRole("button", { name: "Send Invoice" }).first().click()
    await expect(dialogOf(manager)).toBeVisible()
    await expectAccessible(manager)
    await dialogOf(manager).getByRole("button", { name: /Send/ }).click()
    await expect(manager.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
    await expectAccessible(manager)
    const sent = await mail.mailTo("hr@sowetoretail.example", (raw) => raw.includes("INV-"))
    expect(sent).toContain("application/pdf")
  })

  await test.step("the payment settles the invoice; the rest becomes credit", async () => {
    await manager.getByRole("link", { name: "Record receipt" }).click()
    await manager.getByRole("textbox", { name: "Amount" }).fill(formatRand(receivedCents))
    await manager.getByRole("textbox", { name: "Reference Number" }).fill("SOWETO NOV")
    await expect(manager.getByText(`Unallocated credit ${formatRand(1_000_00)}`)).toBeVisible()
    await expectAccessible(manager)
    await manager.getByRole("button", { name: "Create Receipt" }).click()
    await expect(manager.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
    await expectAccessible(manager)
    await manager.getByRole("link", { name: /INV-/ }).click()
    await expect(manager.getByText("PAID").first()).toBeVisible()
  })

  const three = {
    group_admin: await openPage(browser, app.url),
    underwriter: await openPage(browser, app.url),
    policy_holder: await openPage(browser, app.url),
  }
  await test.step("the three approvers are invited and sign in", async () => {
    for (const who of ["group_admin", "underwriter", "policy_holder"] as const) {
      await invite(admin, who, group)
      await acceptInvitation(three[who], who, app, mail)
    }
  })

  let claimUrl = ""
  await test.step("a claim is captured with a document, submitted and routed", async () => {
    claimUrl = await captureClaim(
      manager,
      { member: ["Hendrik O'Reilly", /O'Reilly/], requested: claimedCents, incidentOn: "2026-10-20" },
      expectAccessible,
    )
  })

  await test.step("three approvers approve the claim, each at one stage", async () => {
    for (const who of ["group_admin", "underwriter", "policy_holder"] as const) {
      const page = three[who]
      if (who === "policy_holder") await openClaimFromNotification(page, who, claimUrl, mail)
      else await page.goto(`${claimUrl}/approve`)
      await judgeClaim(page, approvedBy[who])
      await (who === "group_admin" ? checkEveryView(page) : expectAccessible(page))
      if (who === "underwriter") {
        const [check, decision] = ["Cover check", "Decision"].map((name) => page.getByRole("heading", { name }))
        await expectOrderOnPhone(page, check!, decision!, page.getByRole("region", { name: "Documents" }))
      }
      await approve(page, expectAccessible)
    }
    await three.policy_holder.goto(claimUrl)
    await expect(three.policy_holder.getByText("Approved", { exact: true }).first()).toBeVisible()
    await expect(three.policy_holder.getByText("Fractured wrist")).toHaveCount(0)
  })

  await test.step("one user creates the claim's payment, another releases it, and it is completed", async () => {
    await manager.goto(claimUrl)
    await manager.getByRole("link", { name: "Process payment" }).click()
    await makePayment(manager, "H O'Reilly", expectAccessible)
    await expect(manager.getByText("Someone else must release it")).toBeVisible()
    await expectAccessible(manager)
    const payment = new URL(manager.url()).pathname

    await admin.goto(payment)
    await admin.getByRole("button", { name: "Release payment" }).click()
    await expect(dialogOf(admin)).toBeVisible()
    await expectAccessible(admin)
    await dialogOf(admin).getByRole("button", { name: "Release payment" }).click()
    await expect(admin.getByText("Processing").first()).toBeVisible()

    await manager.getByRole("button", { name: "Complete payment" }).click()
    await dialogOf(manager).getByRole("button", { name: "Complete payment" }).click()
    await expect(manager.getByText("Claim payment has been processed successfully")).toBeVisible()
    await manager.goto(claimUrl)
    await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
  })

  await test.step("the trial balance equals the calculated amounts", async () => {
    await manager.goto("/finance/trial-balance")
    const expected: Record<string, [debit: string, credit: string]> = {
      Bank: [formatRand(receivedCents - paidCents), ""],
      "Unallocated receipts": ["", formatRand(receivedCents - invoicedCents)],
      "Premium income": ["", formatRand(subtotalCents)],
      "VAT output": ["", formatRand(vatCents)],
      "Claims expense": [formatRand(paidCents), ""],
    }
    const total = manager.getByRole("row", { name: /^Total/ })
    await expect(total).toContainText(formatRand(receivedCents - paidCents + paidCents))
    const rows = await manager.getByRole("row").all()
    const lines = await Promise.all(rows.map((row) => row.getByRole("cell").allInnerTexts()))
    const shown = lines
      .map((cells) => cells.map((text) => text.trim()))
      .filter(([account, ...cells]) => account && cells.slice(-2).some(Boolean))
    expect(Object.fromEntries(shown.map((cells) => [cells[0], cells.slice(-2)]))).toEqual(expected)
    await expect(manager.getByText(/^Debits equal credits/)).toBeVisible()
    await expectAccessible(manager)
    await manager.getByRole("link", { name: "Bank", exact: true }).click()
    await expect(manager.getByText(formatRand(receivedCents)).first()).toBeVisible()

    await manager.goto("/")
    await expect(manager.getByRole("link", { name: /Active policies/ })).toContainText("1")
    await expect(manager.getByRole("link", { name: /Total members/ })).toContainText(groupThousands(insuredCount))
    await expect(manager.getByRole("link", { name: /Outstanding premiums/ })).toContainText(formatRand(0))
    await expectAccessible(manager)
  })

  await test.step("the bank statement is imported", async () => {
    await addBankAccount(admin)
    const lines = [
      [today, "EFT 3 OF THE SCHEME", receivedCents],
      [today, "PAYMENT OF A CLAIM", -paidCents],
      [today, "MONTHLY ACCOUNT FEE", -75_00],
    ] as const
    await importStatement(manager, addedAccount, { lines }, expectAccessible)
    await manager.getByRole("button", { name: "Actions for MONTHLY ACCOUNT FEE" }).click()
    await manager.getByRole("menuitem", { name: "Not a premium or claim payment" }).click()
    await markAsNotOurs(manager, "Bank charge", expectAccessible)
    await expect(manager.getByText("Line marked")).toBeVisible()
    await manager.goto("/finance/trial-balance")
    await expect(manager.getByRole("row", { name: /^Bank charges/ })).toContainText(formatRand(75_00))
  })

  await test.step("a credit note reduces the invoice", async () => {
    await manager.goto("/invoices")
    await manager.getByRole("main").getByRole("link", { name: /INV-/ }).first().click()
    await manager.getByRole("button", { name: "More", exact: true }).click()
    await manager.getByRole("menuitem", { name: "Credit invoice" }).click()
    await dialogOf(manager).getByRole("radio", { name: "Concession" }).check()
    await dialogOf(manager).getByRole("radio", { name: "Part of the amount" }).check()
    await dialogOf(manager)
      .getByRole("textbox", { name: /Amount/ })
      .fill("115")
    await dialogOf(manager).getByRole("textbox", { name: "Reason" }).fill("Welcome gift")
    await expectAccessible(manager)
    await dialogOf(manager).getByRole("button", { name: "Credit invoice" }).click()
    await expect(manager.getByText(/credited successfully/)).toBeVisible()
    await manager.getByRole("link", { name: /CN-\d{4}-\d{6}/ }).click()
    await expect(manager.getByRole("heading", { level: 1 })).toContainText("CN-")
    await expect(manager.getByText("Welcome gift").first()).toBeVisible()
    await expectAccessible(manager)
  })
})

test("every page renders with the records of the journey", async () => {
  test.setTimeout(maxTourMs)
  await checkEveryPage(admin)
})

test("every dialog and menu opens", () => checkEveryDialog(admin))

test("every page reports a server failure, and Retry recovers", async () => {
  test.setTimeout(maxTourMs)
  await checkEveryPageFailing(admin)
})

test("a page reports a lost connection and recovers automatically", async () => {
  const away = /\/rpc\/members\/|\/api\/ready/
  await admin.route(away, (route) => route.abort())
  await admin.goto("/members")
  await expect(admin.getByText("keeps trying to reconnect. Your entries are kept.")).toBeVisible()
  await expect(admin.getByRole("button", { name: "Retry" })).toBeVisible()
  await checkEveryView(admin)
  await admin.unroute(away)
  await expect(admin.getByRole("row").nth(25)).toBeVisible()
  await expect(admin.getByText("keeps trying to reconnect. Your entries are kept.")).toBeHidden()
})
