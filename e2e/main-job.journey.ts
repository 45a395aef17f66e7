import { fileURLToPath } from "node:url"
import { expect, test } from "@playwright/test"
import answers from "../server/src/staff-lists/fixtures/answers.json" with { type: "json" }
import { addBankAccount, addedAccount, importStatement, notOurs } from "./bank.ts"
import {
  accessible,
  choose,
  dialog,
  everyView,
  inOrderOnPhone,
  next,
  openPage,
  rand,
  twoViews,
  whole,
} from "./browser.ts"
import { approve, captureClaim, judgeClaim, makePayment } from "./claims.ts"
import { everyDialog, everyPage, everyPageFailing } from "./every-page.ts"
import { type House, ownInstallation } from "./house.ts"
import { byNotification } from "./notified.ts"
import { addresses } from "./pages.ts"
import { accept, enter, fillSetup, invite } from "./people.ts"
import { refusals } from "./refusals.ts"
import { draftPolicy, makeBenefit, makeProductType, openPolicy, toMembers } from "./schemes.ts"

/**
 * The main job from the setup link to the trial balance. Five users in separate browser contexts; UI only; links from
 * real mail.
 */

const fixture = fileURLToPath(new URL("../server/src/staff-lists/fixtures/1-plain.csv", import.meta.url))
const list = answers["1-plain.csv"]
const group = list.group

/**
 * Independent of the product: 1 200 rows less 36 refused, R 350 each, 15 % VAT once on the subtotal, rounded to the
 * cent.
 */
const insured = 1_200 - 36
const subtotal = insured * 350_00
const vat = Math.round((subtotal * 15) / 100)
const invoiced = subtotal + vat
const received = invoiced + 1_000_00
const claimed = 42_000_00
const approvedBy = { group_admin: claimed, underwriter: 40_000_00, policy_holder: 40_000_00 }
const paid = 40_000_00

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())

let { app, mail, admin } = {} as House
ownInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

/** A tour of all pages takes minutes where two journeys share two cores. */
const tour = 1_200_000

test("the installation is set up by the printed link, and every page is empty", async () => {
  test.setTimeout(tour)
  await fillSetup(admin, app)
  await accessible(admin)
  await enter(admin)
  for (const path of addresses().filter((path) => !path.includes("$"))) {
    await admin.goto(path)
    await expect(admin.getByRole("heading", { level: 1 })).toBeVisible()
    await twoViews(admin)
  }
})

test("a staff list leads to a paid invoice and claim, and the ledger agrees", async ({ browser }) => {
  test.slow()
  const manager = await openPage(browser, app.url)

  await test.step("the administrator creates the benefits", async () => {
    await makeProductType(admin)
    await makeBenefit(admin, ["Standard", "Silver", "Gold", "Platinum"])
    await expect(admin.getByText(rand(80_000_00)).first()).toBeVisible()
  })

  await test.step("the manager is invited by mail and signs in", async () => {
    await invite(admin, "manager", group)
    await accept(manager, "manager", app, mail)
  })

  await test.step("a policy is drafted for the employer", async () => {
    await draftPolicy(manager, { group, startOn: "2026-01-01", email: "hr@sowetoretail.example" })
    await manager.getByRole("textbox", { name: "Description" }).fill("Staff scheme")
    await expect(manager.getByText(/^Saved \d\d:\d\d/)).toBeVisible()
    await accessible(manager)
    await toMembers(manager)
  })

  await test.step("the staff list is imported and only the faulty rows are refused", async () => {
    await manager.goto("/members/import")
    await choose(manager, "Group policy", "Soweto", new RegExp(group))
    await manager.locator('input[type="file"]').setInputFiles(fixture)
    await manager.getByRole("button", { name: /^Check 1.?200 rows/ }).click()
    const commit = manager.getByRole("button", {
      name: new RegExp(`^Import ${String(insured)[0]}.?${String(insured).slice(1)} members`),
    })
    await expect(commit).toBeVisible({ timeout: 60_000 })
    await manager.getByRole("link", { name: /^Errors/ }).click()
    await manager.getByRole("combobox", { name: "Rows per page" }).selectOption("50")
    const refused = manager
      .getByRole("table")
      .getByRole("row")
      .filter({ has: manager.getByRole("cell") })
    await expect(refused).toHaveCount(Object.keys(list.errors).length)
    for (const [row, code] of Object.entries(list.errors)) {
      // The sheet's row number; row 1 is the header.
      const line = String(Number(row) + 1)
      await expect(refused.filter({ has: manager.getByRole("cell", { name: line, exact: true }) })).toHaveText(
        refusals[code]!,
      )
    }
    await everyView(manager)
    await commit.click()
    await dialog(manager).getByRole("button", { name: "Import members" }).click()
    await expect(manager.getByText("Completed").first()).toBeVisible({ timeout: 90_000 })
    await expect(manager.getByText(/^1.?164 added, 0 changed, 0 ended, 36 refused\.$/)).toBeVisible()
  })

  await test.step("its application form is uploaded, and it is activated with a missing-documents warning", async () => {
    await openPolicy(manager, group)
    await manager.goto(`${new URL(manager.url()).pathname}/edit?tab=documents`)
    await manager.getByRole("button", { name: "Choose Application form as the type to upload" }).click()
    const form = { name: "application.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") }
    await manager.locator('input[type="file"]').setInputFiles(form)
    await expect(manager.getByText("Document Uploaded")).toBeVisible()
    await expect(manager.getByText("Uploaded, required")).toBeVisible()
    await accessible(manager)
    await next(manager)
    await expect(manager.getByText(/^A required document is missing: Company registration\./)).toBeVisible()
    await accessible(manager)
    await manager.getByRole("button", { name: "Activate Policy" }).click()
    await expect(manager.getByText("Policy Activated Successfully")).toBeVisible()
    await expect(manager.getByText("Active", { exact: true }).first()).toBeVisible()
    await accessible(manager)
  })

  await test.step("the document is in the list of all documents, under its day", async () => {
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

  await test.step("its invoice is created and mailed with the PDF", async () => {
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
    await expect(manager.getByText(rand(subtotal)).first()).toBeVisible()
    await expect(manager.getByText(rand(vat)).first()).toBeVisible()
    await expect(manager.getByText(rand(invoiced)).first()).toBeVisible()
    await everyView(manager)
    await manager.getByRole("button", { name: "Send Invoice" }).first().click()
    await expect(dialog(manager)).toBeVisible()
    await accessible(manager)
    await dialog(manager).getByRole("button", { name: /Send/ }).click()
    await expect(manager.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
    await accessible(manager)
    const sent = await mail.mailTo("hr@sowetoretail.example", (raw) => raw.includes("INV-"))
    expect(sent).toContain("application/pdf")
  })

  await test.step("the payment settles the invoice and leaves the rest as credit", async () => {
    await manager.getByRole("link", { name: "Record receipt" }).click()
    await manager.getByRole("textbox", { name: "Amount" }).fill(rand(received))
    await manager.getByRole("textbox", { name: "Reference Number" }).fill("SOWETO NOV")
    await expect(manager.getByText(`Unallocated credit ${rand(1_000_00)}`)).toBeVisible()
    await accessible(manager)
    await manager.getByRole("button", { name: "Create Receipt" }).click()
    await expect(manager.getByText("Receipt has been created and allocated to the policy successfully.")).toBeVisible()
    await accessible(manager)
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
      await accept(three[who], who, app, mail)
    }
  })

  let claimUrl = ""
  await test.step("a claim is captured with a document, submitted and routed", async () => {
    claimUrl = await captureClaim(
      manager,
      { member: ["Hendrik O'Reilly", /O'Reilly/], requested: claimed, incidentOn: "2026-10-20" },
      accessible,
    )
  })

  await test.step("three approvers approve it, each at one stage", async () => {
    for (const who of ["group_admin", "underwriter", "policy_holder"] as const) {
      const page = three[who]
      if (who === "policy_holder") await byNotification(page, who, claimUrl, mail)
      else await page.goto(`${claimUrl}/approve`)
      await judgeClaim(page, approvedBy[who])
      await (who === "group_admin" ? everyView(page) : accessible(page))
      if (who === "underwriter") {
        const [check, decision] = ["Cover check", "Decision"].map((name) => page.getByRole("heading", { name }))
        await inOrderOnPhone(page, check!, decision!, page.getByRole("region", { name: "Documents" }))
      }
      await approve(page, accessible)
    }
    await three.policy_holder.goto(claimUrl)
    await expect(three.policy_holder.getByText("Approved", { exact: true }).first()).toBeVisible()
    await expect(three.policy_holder.getByText("Fractured wrist")).toHaveCount(0)
  })

  await test.step("it is paid: created by one user, released by another, completed", async () => {
    await manager.goto(claimUrl)
    await manager.getByRole("link", { name: "Process payment" }).click()
    await makePayment(manager, "H O'Reilly", accessible)
    await expect(manager.getByText("Someone else must release it")).toBeVisible()
    await accessible(manager)
    const payment = new URL(manager.url()).pathname

    await admin.goto(payment)
    await admin.getByRole("button", { name: "Release payment" }).click()
    await expect(dialog(admin)).toBeVisible()
    await accessible(admin)
    await dialog(admin).getByRole("button", { name: "Release payment" }).click()
    await expect(admin.getByText("Processing").first()).toBeVisible()

    await manager.getByRole("button", { name: "Complete payment" }).click()
    await dialog(manager).getByRole("button", { name: "Complete payment" }).click()
    await expect(manager.getByText("Claim payment has been processed successfully")).toBeVisible()
    await manager.goto(claimUrl)
    await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
  })

  await test.step("the trial balance equals the calculated amounts", async () => {
    await manager.goto("/finance/trial-balance")
    const expected: Record<string, [debit: string, credit: string]> = {
      Bank: [rand(received - paid), ""],
      "Unallocated receipts": ["", rand(received - invoiced)],
      "Premium income": ["", rand(subtotal)],
      "VAT output": ["", rand(vat)],
      "Claims expense": [rand(paid), ""],
    }
    const total = manager.getByRole("row", { name: /^Total/ })
    await expect(total).toContainText(rand(received - paid + paid))
    const rows = await manager.getByRole("row").all()
    const lines = await Promise.all(rows.map((row) => row.getByRole("cell").allInnerTexts()))
    const shown = lines
      .map((cells) => cells.map((text) => text.trim()))
      .filter(([account, ...cells]) => account && cells.slice(-2).some(Boolean))
    expect(Object.fromEntries(shown.map((cells) => [cells[0], cells.slice(-2)]))).toEqual(expected)
    await expect(manager.getByText(/^Debits equal credits/)).toBeVisible()
    await accessible(manager)
    await manager.getByRole("link", { name: "Bank", exact: true }).click()
    await expect(manager.getByText(rand(received)).first()).toBeVisible()

    await manager.goto("/")
    await expect(manager.getByRole("link", { name: /Active policies/ })).toContainText("1")
    await expect(manager.getByRole("link", { name: /Total members/ })).toContainText(whole(insured))
    await expect(manager.getByRole("link", { name: /Outstanding premiums/ })).toContainText(rand(0))
    await accessible(manager)
  })

  await test.step("the bank statement is imported", async () => {
    await addBankAccount(admin)
    const lines = [
      [today, "EFT 3 OF THE SCHEME", received],
      [today, "PAYMENT OF A CLAIM", -paid],
      [today, "MONTHLY ACCOUNT FEE", -75_00],
    ] as const
    await importStatement(manager, addedAccount, { lines }, accessible)
    await manager.getByRole("button", { name: "Actions for MONTHLY ACCOUNT FEE" }).click()
    await manager.getByRole("menuitem", { name: "Not a premium or claim payment" }).click()
    await notOurs(manager, "Bank charge", accessible)
    await expect(manager.getByText("Line marked")).toBeVisible()
    await manager.goto("/finance/trial-balance")
    await expect(manager.getByRole("row", { name: /^Bank charges/ })).toContainText(rand(75_00))
  })

  await test.step("a credit note reduces the invoice", async () => {
    await manager.goto("/invoices")
    await manager.getByRole("main").getByRole("link", { name: /INV-/ }).first().click()
    await manager.getByRole("button", { name: "More", exact: true }).click()
    await manager.getByRole("menuitem", { name: "Credit invoice" }).click()
    await dialog(manager).getByRole("radio", { name: "Concession" }).check()
    await dialog(manager).getByRole("radio", { name: "Part of the amount" }).check()
    await dialog(manager)
      .getByRole("textbox", { name: /Amount/ })
      .fill("115")
    await dialog(manager).getByRole("textbox", { name: "Reason" }).fill("Welcome gift")
    await accessible(manager)
    await dialog(manager).getByRole("button", { name: "Credit invoice" }).click()
    await expect(manager.getByText(/credited successfully/)).toBeVisible()
    await manager.getByRole("link", { name: /CN-\d{4}-\d{6}/ }).click()
    await expect(manager.getByRole("heading", { level: 1 })).toContainText("CN-")
    await expect(manager.getByText("Welcome gift").first()).toBeVisible()
    await accessible(manager)
  })
})

test("every page renders with the records of the journey", async () => {
  test.setTimeout(tour)
  await everyPage(admin)
})

test("dialogs and menus open", () => everyDialog(admin))

test("every page reports a server failure, and Retry recovers", async () => {
  test.setTimeout(tour)
  await everyPageFailing(admin)
})

test("a page reports a lost connection and recovers automatically", async () => {
  const away = /\/rpc\/members\/|\/api\/ready/
  await admin.route(away, (route) => route.abort())
  await admin.goto("/members")
  await expect(admin.getByText("keeps trying to reconnect. Your entries are kept.")).toBeVisible()
  await expect(admin.getByRole("button", { name: "Retry" })).toBeVisible()
  await everyView(admin)
  await admin.unroute(away)
  await expect(admin.getByRole("row").nth(25)).toBeVisible()
  await expect(admin.getByText("keeps trying to reconnect. Your entries are kept.")).toBeHidden()
})
