import { readFileSync } from "node:fs"
import { expect, type Page, test } from "@playwright/test"
import { importStatement, markAsNotOurs, setUpAccount } from "./bank.ts"
import { checkEveryView, choose, dialogOf, expectAccessible, formatRand, openPage } from "./browser.ts"
import { approve, captureClaim, fillPayeeAccount, judgeClaim, makePayment } from "./claims.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { acceptInvitation, fillSetup, invite, submitSignIn } from "./people.ts"
import { activatePolicy, createDraftPolicy, importStaff, makeBenefit, makeProductType } from "./schemes.ts"

/**
 * A month from the bank statement to the close. Five users in separate browser contexts; expected amounts are
 * calculated here.
 */

/** A day `days` after the first of the month that is `months` from now. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())
const dayInMonth = (months: number, days = 0) => {
  const [year, month] = today.split("-").map(Number)
  return new Date(Date.UTC(year!, month! - 1 + months, 1 + days)).toISOString().slice(0, 10)
}
const month = dayInMonth(-1)
const last = dayInMonth(0, -1)

const baobab = { group: "Baobab Logistics", email: "hr@baobab.example", staff: ["Ann", "Sipho"] }
const protea = { group: "Protea Foods", email: "hr@protea.example", staff: ["Karin", "Thabo", "Lerato"] }
const addVat = (net: number) => net + Math.round((net * 15) / 100)
const billed = { baobab: addVat(2 * 350_00), protea: addVat(3 * 350_00) }
const netCents = 5 * 350_00
const vatCents = billed.baobab + billed.protea - netCents
const splitCents = { baobab: 200_00, protea: 100_00 }
const feeCents = 75_00
const openingCents = 50_000_00
/** Baobab paid twice; Protea's payment was returned. */
const closingCents = openingCents + 2 * billed.baobab + splitCents.baobab + splitCents.protea - feeCents
const claimedCents = 10_000_00
const batchCents = claimedCents + billed.baobab

const first = {
  opening: openingCents,
  lines: [
    [dayInMonth(-1, 4), "EFT BAOBAB LOGISTICS PREMIUM", billed.baobab],
    [dayInMonth(-1, 6), "DEBIT ORDER PROTEA FOODS", billed.protea],
    [dayInMonth(-1, 8), "BROKERS FOR TWO SCHEMES", splitCents.baobab + splitCents.protea],
    [dayInMonth(-1, 11), "RETURNED DEBIT ORDER PROTEA FOODS", -billed.protea],
    [dayInMonth(-1, 14), "EFT BAOBAB LOGISTICS PREMIUM", billed.baobab],
    [last, "MONTHLY ACCOUNT FEE", -feeCents],
  ],
} as const

let { app, mail, admin } = {} as Installation
let manager: Page
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})

const staffCsvOf = ({ group, staff }: typeof baobab) =>
  [
    "First name,Last name,Passport,Email,Group,Benefit Tier",
    ...staff.map((name, at) => `${name},Nkosi,${group[0]}123456${at},${name}@${group[0]}.example,${group},Standard`),
  ].join("\n")

test("a month is processed from the bank statement to the close", async ({ browser }) => {
  test.slow()
  await fillSetup(admin, app)
  await submitSignIn(admin)
  manager = await openPage(browser, app.url)

  await test.step("two employers are insured and billed for the month", async () => {
    await makeProductType(admin)
    await makeBenefit(admin, ["Standard"])
    await invite(admin, "manager", "")
    await acceptInvitation(manager, "manager", app, mail)
    for (const scheme of [baobab, protea]) {
      await createDraftPolicy(manager, { ...scheme, startOn: month })
      await importStaff(manager, scheme.group, scheme.staff.length, staffCsvOf(scheme))
      await activatePolicy(manager, scheme.group)
      await billGroup(manager, scheme.group)
    }
  })

  await test.step("the bank statement is imported and every line is matched by keyboard", () => matchFirstLine(manager))

  await test.step("the employer's remittance list is compared with its invoice", async () => {
    await manager.goto("/invoices/reconciliation/remittances")
    await manager.getByRole("button", { name: "Add list" }).first().click()
    await choose(manager, "Policy", baobab.group, new RegExp(baobab.group))
    await choose(manager, "Invoice", "", /INV-/)
    const paid = baobab.staff.map((name) => `${name} Nkosi,${(billed.baobab / 200).toFixed(2)}`)
    const buffer = Buffer.from(["Full name,Amount deducted", ...paid].join("\n"))
    await dialogOf(manager)
      .locator('input[type="file"]')
      .setInputFiles({ name: "deductions.csv", mimeType: "text/csv", buffer })
    await expect(manager.getByRole("table", { name: "Totals" }).getByRole("row", { name: /^Agrees/ })).toContainText(
      formatRand(billed.baobab),
    )
    await checkEveryView(manager)
  })

  const approvers = ["group_admin", "underwriter", "policy_holder"] as const
  const three = {
    group_admin: await openPage(browser, app.url),
    underwriter: await openPage(browser, app.url),
    policy_holder: await openPage(browser, app.url),
  }
  let claim = ""
  await test.step("three approvers approve a claim, and its payment is created", async () => {
    for (const who of approvers) {
      await invite(admin, who, baobab.group)
      await acceptInvitation(three[who], who, app, mail)
    }
    const what = { member: ["Ann Nkosi", /Ann Nkosi/], requested: claimedCents, incidentOn: dayInMonth(-1, 9) } as const
    claim = await captureClaim(manager, what)
    for (const who of approvers) {
      await three[who].goto(`${claim}/approve`)
      await judgeClaim(three[who], claimedCents)
      await approve(three[who])
    }
    await manager.goto("/finance/claims-payments")
    await manager
      .getByRole("button", { name: /^Actions for / })
      .first()
      .click()
    await manager.getByRole("menuitem", { name: "Process Payment" }).click()
    await expect(dialogOf(manager).getByRole("textbox", { name: "Payment Amount" })).toHaveValue(/10.000,00/)
    await makePayment(manager, "Ann Nkosi")
    await expect(manager.getByText("Someone else must release it")).toBeVisible()
  })

  await test.step("the double payment is refunded", async () => {
    await manager.goto("/finance/premium-refunds")
    await manager.getByRole("button", { name: "Process Refund" }).first().click()
    await choose(manager, "Policy", "Baobab", /Baobab/)
    await choose(manager, "Refund Reason", "", "Duplicate Payment")
    await expect(dialogOf(manager).getByText(/of credit/)).toContainText(formatRand(billed.baobab + splitCents.baobab))
    await dialogOf(manager).getByRole("textbox", { name: "Refund Amount" }).fill(formatRand(billed.baobab))
    await fillPayeeAccount(manager)
    await expectAccessible(manager)
    await dialogOf(manager).getByRole("button", { name: "Process Refund" }).click()
    await expect(manager.getByRole("heading", { level: 1 })).toContainText("REF-")
    await expect(manager.getByText("Pending").first()).toBeVisible()
  })
  const refund = new URL(manager.url()).pathname

  await test.step("a batch of both payments is released by another user; its file downloads once", () => payBatch())

  await test.step("the next bank statement completes both payments", async () => {
    const out = [
      [today, "PAYMENT ANN NKOSI PAY 1", -claimedCents],
      [today, "PAYMENT BAOBAB LOGISTICS PAY 2", -billed.baobab],
    ] as const
    await importStatement(manager, setUpAccount, { opening: closingCents, lines: out })
    await manager.goto("/invoices/reconciliation/match")
    for (const [place, name] of ["Ann Nkosi", "Baobab Logistics"].entries()) {
      await expectSuggestion(manager, name)
      await manager.keyboard.press("Enter")
      await expect(manager.getByText(`${7 + place} of 8 matched`)).toBeVisible()
    }
    await expect(manager.getByText("Nothing to match")).toBeVisible()
    await manager.goto(claim)
    await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
    await manager.goto(refund)
    await expect(manager.getByText("Completed").first()).toBeVisible()
    await checkEveryView(manager)
  })

  await test.step("the month is closed after the books agree", () => closeMonth())

  await test.step("late entries do not change the closed month", () => recordLateReceipt())
})

async function billGroup(page: Page, group: string): Promise<void> {
  await page.goto("/invoices/generate")
  await choose(page, "Policy", group, new RegExp(group))
  await expect(page.getByRole("textbox", { name: "Period start" })).toHaveValue(month)
  await page.getByRole("textbox", { name: "Invoice date" }).fill(month)
  await page.getByRole("button", { name: "Fill from members" }).click()
  await expect(page.getByText(/members are billed for/)).toBeVisible()
  await page.getByRole("button", { name: "Generate invoice" }).click()
  await expect(page.getByText(/generated successfully/)).toBeVisible()
  await page.getByRole("button", { name: "Send Invoice" }).first().click()
  await dialogOf(page).getByRole("button", { name: /Send/ }).click()
  await expect(page.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
}

async function expectSuggestion(page: Page, ...words: string[]): Promise<void> {
  const [one] = await Promise.all([page.getByRole("list", { name: "Suggestions" }).getByRole("listitem").first()])
  for (const said of words) await expect(one).toContainText(said)
}

async function matchFirstLine(page: Page): Promise<void> {
  const matched = (count: number) => expect(page.getByText(`${count} of 6 matched`)).toBeVisible()
  const press = async (key: string, count: number) => {
    await page.keyboard.press(key)
    await matched(count)
  }
  await importStatement(page, setUpAccount, first, expectAccessible)
  await page.goto("/invoices/reconciliation/match")
  await matched(0)

  await expectSuggestion(page, "Premium", baobab.group, formatRand(billed.baobab))
  await expectAccessible(page)
  await press("Enter", 1)
  await press("Control+z", 0)
  await expectSuggestion(page, "Premium", baobab.group)
  await press("Enter", 1)

  await expectSuggestion(page, "Premium", protea.group)
  await press("Enter", 2)

  await expect(page.getByRole("button", { name: /BROKERS FOR TWO/ })).toHaveAttribute("aria-current", "true")
  await page.keyboard.press("s")
  for (const [group, cents] of [
    [baobab.group, splitCents.baobab],
    [protea.group, splitCents.protea],
  ] as const) {
    await page.getByRole("textbox", { name: /^Search policies/ }).focus()
    await page.keyboard.type(group)
    await expectSuggestion(page, "Premium", group)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    const amount = page.getByRole("region", { name: "Split" }).getByRole("textbox").last()
    await amount.fill(formatRand(cents))
  }
  await expect(page.getByText(/Left to split/)).toContainText(formatRand(0))
  await expectAccessible(page)
  await press("Control+Enter", 3)

  await expectSuggestion(page, "Returned payment", protea.group)
  await press("Enter", 4)
  await expectSuggestion(page, "Premium", baobab.group, `Credit on the policy: ${formatRand(billed.baobab)}`)
  await press("Enter", 5)
  await page.keyboard.press("n")
  await markAsNotOurs(page, "Bank charge")
  await matched(6)

  await page.goto(`/invoices/reconciliation?month=${month.slice(0, 7)}`)
  const row = (group: string) => page.getByRole("row").filter({ hasText: group })
  await expect(row(protea.group)).toContainText(formatRand(billed.protea))
  await expect(row(protea.group)).toContainText("Shortage")
  await expect(row(baobab.group)).toContainText("Excess")
}

async function payBatch(): Promise<void> {
  await manager.goto("/finance/payment-batches")
  await manager.getByRole("button", { name: "Create batch" }).click()
  await expect(dialogOf(manager)).toContainText(`All 2 payments waiting for release, ${formatRand(batchCents)}`)
  await expectAccessible(manager)
  await dialogOf(manager).getByRole("button", { name: "Create batch" }).click()
  await expect(manager.getByText("Someone else must release this batch")).toBeVisible()
  await expectAccessible(manager)
  const page = new URL(manager.url()).pathname

  await admin.goto(page)
  await admin.getByRole("button", { name: "Release batch" }).click()
  await expect(dialogOf(admin)).toBeVisible()
  await expectAccessible(admin)
  await dialogOf(admin).getByRole("button", { name: "Release batch" }).click()
  await admin.getByRole("button", { name: "Export payment file" }).click()
  const [download, answer] = await Promise.all([
    admin.waitForEvent("download"),
    admin.waitForResponse(/\/api\/payment-files\//),
    dialogOf(admin).getByRole("button", { name: "Export payment file" }).click(),
  ])
  const file = readFileSync(await download.path(), "utf8")
  expect(file).toContain("<NbOfTxs>2</NbOfTxs>")
  expect(file).toContain(`<CtrlSum>${(batchCents / 100).toFixed(2)}</CtrlSum>`)
  for (const person of [admin, manager]) {
    await expect(person.getByText("Exported", { exact: true }).first()).toBeVisible()
    await expect(person.getByRole("button", { name: "Export payment file" })).toBeHidden()
  }
  expect((await admin.request.get(answer.url())).ok()).toBe(false)
  await checkEveryView(admin)
}

async function closeMonth(): Promise<void> {
  const address = `/finance/month-end?month=${month.slice(0, 7)}`
  const check = (title: string) =>
    manager.getByRole("list", { name: "Checklist" }).getByRole("listitem").filter({ hasText: title })
  await manager.goto(address)
  await expect(check("Premium debtors agree")).toContainText(formatRand(netCents + vatCents))
  await expect(check("Bank balance reconciled with the statements")).toContainText(
    formatRand(closingCents + billed.baobab),
  )
  await expect(check("VAT output agrees")).toContainText(formatRand(vatCents))
  await expect(manager.getByRole("img", { name: "Not done" })).toHaveCount(1)
  await expectAccessible(manager)
  await manager.getByRole("link", { name: /^Credit:/ }).click()
  await manager
    .getByRole("checkbox", { name: /Select/ })
    .first()
    .check()
  await manager.getByRole("button", { name: "Keep as credit" }).click()
  await dialogOf(manager).getByRole("textbox", { name: "Reason" }).fill("Paid in advance")
  await expectAccessible(manager)
  await dialogOf(manager).getByRole("button", { name: "Keep as credit" }).click()
  await expect(dialogOf(manager)).toBeHidden()

  await manager.goto(address)
  await expect(manager.getByRole("img", { name: "Done", exact: true })).toHaveCount(11)
  // Two users close the month; the second is refused.
  await admin.goto(address)
  await admin.getByRole("button", { name: "Close month" }).click()
  await expect(dialogOf(admin)).toBeVisible()
  await expectAccessible(admin)
  await manager.getByRole("button", { name: "Close month" }).click()
  await dialogOf(manager).getByRole("button", { name: "Close month" }).click()
  await expect(manager.getByText("Closed", { exact: true })).toBeVisible()
  await expect(manager.getByRole("link", { name: "Checklist as PDF" })).toBeVisible({ timeout: 90_000 })
  await dialogOf(admin).getByRole("button", { name: "Close month" }).click()
  await expect(dialogOf(admin)).toContainText("closed")
  await dialogOf(admin).getByRole("button", { name: "Cancel" }).click()
  await expectBooks()
}

async function expectBooks(): Promise<void> {
  await manager.goto(`/finance/trial-balance?asOf=${last}`)
  const expected: Record<string, [debit: string, credit: string]> = {
    // Lines matched after month end count as credit until then; their allocations and undos are dated later.
    Bank: [formatRand(closingCents + billed.baobab), ""],
    "Premium debtors": [formatRand(netCents + vatCents), ""],
    "Unallocated receipts": ["", formatRand(3 * billed.baobab + splitCents.baobab + splitCents.protea)],
    "Opening balances": ["", formatRand(openingCents)],
    "Premium income": ["", formatRand(netCents)],
    "VAT output": ["", formatRand(vatCents)],
    "Bank charges": [formatRand(feeCents), ""],
  }
  for (const [account, [debit, credit]] of Object.entries(expected)) {
    const link = manager.getByRole("link", { name: account, exact: true })
    const row = manager.getByRole("row").filter({ has: link })
    await expect(row.getByRole("cell").nth(-2)).toHaveText(debit)
    await expect(row.getByRole("cell").last()).toHaveText(credit)
  }
  await expect(manager.getByText(/^Debits equal credits/)).toBeVisible()
}

async function recordLateReceipt(): Promise<void> {
  await manager.goto("/finance/receipting?new=true")
  await choose(manager, "Policy", "Protea", /Protea/)
  await manager.getByRole("textbox", { name: "Amount" }).fill(formatRand(50_00))
  await manager.getByRole("textbox", { name: "Date" }).fill(dayInMonth(-1, 19))
  await manager.getByRole("button", { name: "Create Receipt" }).click()
  await expect(manager.getByText(/^Receipt has been created/)).toBeVisible()
  await expectBooks()
}
