import { readFileSync } from "node:fs"
import { expect, type Page, test } from "@playwright/test"
import { importStatement, notOurs, setUpAccount } from "./bank.ts"
import { accessible, choose, dialog, everyView, openPage, rand } from "./browser.ts"
import { approve, captureClaim, fillAccount, judgeClaim, makePayment } from "./claims.ts"
import { type House, ownInstallation } from "./house.ts"
import { accept, enter, fillSetup, invite } from "./people.ts"
import { activatePolicy, draftPolicy, importStaff, makeBenefit, makeProductType } from "./schemes.ts"

/**
 * A month from the statement to the close. Five users in separate browser contexts; expected amounts are calculated
 * here.
 */

/** A day `days` after the first of the month that is `months` from now. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())
const day = (months: number, days = 0) => {
  const [year, month] = today.split("-").map(Number)
  return new Date(Date.UTC(year!, month! - 1 + months, 1 + days)).toISOString().slice(0, 10)
}
const month = day(-1)
const last = day(0, -1)

const baobab = { group: "Baobab Logistics", email: "hr@baobab.example", staff: ["Ann", "Sipho"] }
const protea = { group: "Protea Foods", email: "hr@protea.example", staff: ["Karin", "Thabo", "Lerato"] }
const withVat = (net: number) => net + Math.round((net * 15) / 100)
const billed = { baobab: withVat(2 * 350_00), protea: withVat(3 * 350_00) }
const net = 5 * 350_00
const vat = billed.baobab + billed.protea - net
const split = { baobab: 200_00, protea: 100_00 }
const fee = 75_00
const opening = 50_000_00
/** Baobab paid twice; Protea's payment was returned. */
const closing = opening + 2 * billed.baobab + split.baobab + split.protea - fee
const claimed = 10_000_00
const batch = claimed + billed.baobab

const first = {
  opening,
  lines: [
    [day(-1, 4), "EFT BAOBAB LOGISTICS PREMIUM", billed.baobab],
    [day(-1, 6), "DEBIT ORDER PROTEA FOODS", billed.protea],
    [day(-1, 8), "BROKERS FOR TWO SCHEMES", split.baobab + split.protea],
    [day(-1, 11), "RETURNED DEBIT ORDER PROTEA FOODS", -billed.protea],
    [day(-1, 14), "EFT BAOBAB LOGISTICS PREMIUM", billed.baobab],
    [last, "MONTHLY ACCOUNT FEE", -fee],
  ],
} as const

let { app, mail, admin } = {} as House
let manager: Page
ownInstallation((house) => {
  ;({ app, mail, admin } = house)
})

const listOf = ({ group, staff }: typeof baobab) =>
  [
    "First name,Last name,Passport,Email,Group,Benefit Tier",
    ...staff.map((name, at) => `${name},Nkosi,${group[0]}123456${at},${name}@${group[0]}.example,${group},Standard`),
  ].join("\n")

test("a month is processed from the bank statement to the close", async ({ browser }) => {
  test.slow()
  await fillSetup(admin, app)
  await enter(admin)
  manager = await openPage(browser, app.url)

  await test.step("two employers are insured and billed for the month", async () => {
    await makeProductType(admin)
    await makeBenefit(admin, ["Standard"])
    await invite(admin, "manager", "")
    await accept(manager, "manager", app, mail)
    for (const scheme of [baobab, protea]) {
      await draftPolicy(manager, { ...scheme, startOn: month })
      await importStaff(manager, scheme.group, scheme.staff.length, listOf(scheme))
      await activatePolicy(manager, scheme.group)
      await bill(manager, scheme.group)
    }
  })

  await test.step("the statement is imported and every line is matched by keyboard", () => matchFirst(manager))

  await test.step("the employer's remittance list is compared with its invoice", async () => {
    await manager.goto("/invoices/reconciliation/remittances")
    await manager.getByRole("button", { name: "Add list" }).first().click()
    await choose(manager, "Policy", baobab.group, new RegExp(baobab.group))
    await choose(manager, "Invoice", "", /INV-/)
    const paid = baobab.staff.map((name) => `${name} Nkosi,${(billed.baobab / 200).toFixed(2)}`)
    const buffer = Buffer.from(["Full name,Amount deducted", ...paid].join("\n"))
    await dialog(manager)
      .locator('input[type="file"]')
      .setInputFiles({ name: "deductions.csv", mimeType: "text/csv", buffer })
    await expect(manager.getByRole("table", { name: "Totals" }).getByRole("row", { name: /^Agrees/ })).toContainText(
      rand(billed.baobab),
    )
    await everyView(manager)
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
      await accept(three[who], who, app, mail)
    }
    const what = { member: ["Ann Nkosi", /Ann Nkosi/], requested: claimed, incidentOn: day(-1, 9) } as const
    claim = await captureClaim(manager, what)
    for (const who of approvers) {
      await three[who].goto(`${claim}/approve`)
      await judgeClaim(three[who], claimed)
      await approve(three[who])
    }
    await manager.goto("/finance/claims-payments")
    await manager
      .getByRole("button", { name: /^Actions for / })
      .first()
      .click()
    await manager.getByRole("menuitem", { name: "Process Payment" }).click()
    await expect(dialog(manager).getByRole("textbox", { name: "Payment Amount" })).toHaveValue(/10.000,00/)
    await makePayment(manager, "Ann Nkosi")
    await expect(manager.getByText("Someone else must release it")).toBeVisible()
  })

  await test.step("the double payment is refunded", async () => {
    await manager.goto("/finance/premium-refunds")
    await manager.getByRole("button", { name: "Process Refund" }).first().click()
    await choose(manager, "Policy", "Baobab", /Baobab/)
    await choose(manager, "Refund Reason", "", "Duplicate Payment")
    await expect(dialog(manager).getByText(/of credit/)).toContainText(rand(billed.baobab + split.baobab))
    await dialog(manager).getByRole("textbox", { name: "Refund Amount" }).fill(rand(billed.baobab))
    await fillAccount(manager)
    await accessible(manager)
    await dialog(manager).getByRole("button", { name: "Process Refund" }).click()
    await expect(manager.getByRole("heading", { level: 1 })).toContainText("REF-")
    await expect(manager.getByText("Pending").first()).toBeVisible()
  })
  const refund = new URL(manager.url()).pathname

  await test.step("one batch contains both payments; another user releases it; its file downloads once", () => payOut())

  await test.step("the next statement completes them", async () => {
    const out = [
      [today, "PAYMENT ANN NKOSI PAY 1", -claimed],
      [today, "PAYMENT BAOBAB LOGISTICS PAY 2", -billed.baobab],
    ] as const
    await importStatement(manager, setUpAccount, { opening: closing, lines: out })
    await manager.goto("/invoices/reconciliation/match")
    for (const [place, name] of ["Ann Nkosi", "Baobab Logistics"].entries()) {
      await suggested(manager, name)
      await manager.keyboard.press("Enter")
      await expect(manager.getByText(`${7 + place} of 8 matched`)).toBeVisible()
    }
    await expect(manager.getByText("Nothing to match")).toBeVisible()
    await manager.goto(claim)
    await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
    await manager.goto(refund)
    await expect(manager.getByText("Completed").first()).toBeVisible()
    await everyView(manager)
  })

  await test.step("the month is closed after the books agree", () => closeMonth())

  await test.step("late entries do not change the closed month", () => comeLate())
})

async function bill(page: Page, group: string): Promise<void> {
  await page.goto("/invoices/generate")
  await choose(page, "Policy", group, new RegExp(group))
  await expect(page.getByRole("textbox", { name: "Period start" })).toHaveValue(month)
  await page.getByRole("textbox", { name: "Invoice date" }).fill(month)
  await page.getByRole("button", { name: "Fill from members" }).click()
  await expect(page.getByText(/members are billed for/)).toBeVisible()
  await page.getByRole("button", { name: "Generate invoice" }).click()
  await expect(page.getByText(/generated successfully/)).toBeVisible()
  await page.getByRole("button", { name: "Send Invoice" }).first().click()
  await dialog(page).getByRole("button", { name: /Send/ }).click()
  await expect(page.getByText(/Invoice sent successfully|Invoice issued/).first()).toBeVisible({ timeout: 30_000 })
}

async function suggested(page: Page, ...words: string[]): Promise<void> {
  const [one] = await Promise.all([page.getByRole("list", { name: "Suggestions" }).getByRole("listitem").first()])
  for (const said of words) await expect(one).toContainText(said)
}

async function matchFirst(page: Page): Promise<void> {
  const matched = (count: number) => expect(page.getByText(`${count} of 6 matched`)).toBeVisible()
  const press = async (key: string, count: number) => {
    await page.keyboard.press(key)
    await matched(count)
  }
  await importStatement(page, setUpAccount, first, accessible)
  await page.goto("/invoices/reconciliation/match")
  await matched(0)

  await suggested(page, "Premium", baobab.group, rand(billed.baobab))
  await accessible(page)
  await press("Enter", 1)
  await press("Control+z", 0)
  await suggested(page, "Premium", baobab.group)
  await press("Enter", 1)

  await suggested(page, "Premium", protea.group)
  await press("Enter", 2)

  await expect(page.getByRole("button", { name: /BROKERS FOR TWO/ })).toHaveAttribute("aria-current", "true")
  await page.keyboard.press("s")
  for (const [group, cents] of [
    [baobab.group, split.baobab],
    [protea.group, split.protea],
  ] as const) {
    await page.getByRole("textbox", { name: /^Search policies/ }).focus()
    await page.keyboard.type(group)
    await suggested(page, "Premium", group)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    const amount = page.getByRole("region", { name: "Split" }).getByRole("textbox").last()
    await amount.fill(rand(cents))
  }
  await expect(page.getByText(/Left to split/)).toContainText(rand(0))
  await accessible(page)
  await press("Control+Enter", 3)

  await suggested(page, "Returned payment", protea.group)
  await press("Enter", 4)
  await suggested(page, "Premium", baobab.group, `Credit on the policy: ${rand(billed.baobab)}`)
  await press("Enter", 5)
  await page.keyboard.press("n")
  await notOurs(page, "Bank charge")
  await matched(6)

  await page.goto(`/invoices/reconciliation?month=${month.slice(0, 7)}`)
  const row = (group: string) => page.getByRole("row").filter({ hasText: group })
  await expect(row(protea.group)).toContainText(rand(billed.protea))
  await expect(row(protea.group)).toContainText("Shortage")
  await expect(row(baobab.group)).toContainText("Excess")
}

async function payOut(): Promise<void> {
  await manager.goto("/finance/payment-batches")
  await manager.getByRole("button", { name: "Create batch" }).click()
  await expect(dialog(manager)).toContainText(`All 2 payments waiting for release, ${rand(batch)}`)
  await accessible(manager)
  await dialog(manager).getByRole("button", { name: "Create batch" }).click()
  await expect(manager.getByText("Someone else must release this batch")).toBeVisible()
  await accessible(manager)
  const page = new URL(manager.url()).pathname

  await admin.goto(page)
  await admin.getByRole("button", { name: "Release batch" }).click()
  await expect(dialog(admin)).toBeVisible()
  await accessible(admin)
  await dialog(admin).getByRole("button", { name: "Release batch" }).click()
  await admin.getByRole("button", { name: "Export payment file" }).click()
  const [download, answer] = await Promise.all([
    admin.waitForEvent("download"),
    admin.waitForResponse(/\/api\/payment-files\//),
    dialog(admin).getByRole("button", { name: "Export payment file" }).click(),
  ])
  const file = readFileSync(await download.path(), "utf8")
  expect(file).toContain("<NbOfTxs>2</NbOfTxs>")
  expect(file).toContain(`<CtrlSum>${(batch / 100).toFixed(2)}</CtrlSum>`)
  for (const person of [admin, manager]) {
    await expect(person.getByText("Exported", { exact: true }).first()).toBeVisible()
    await expect(person.getByRole("button", { name: "Export payment file" })).toBeHidden()
  }
  expect((await admin.request.get(answer.url())).ok()).toBe(false)
  await everyView(admin)
}

async function closeMonth(): Promise<void> {
  const address = `/finance/month-end?month=${month.slice(0, 7)}`
  const check = (title: string) =>
    manager.getByRole("list", { name: "Checklist" }).getByRole("listitem").filter({ hasText: title })
  await manager.goto(address)
  await expect(check("Premium debtors agree")).toContainText(rand(net + vat))
  await expect(check("Bank balance reconciled with the statements")).toContainText(rand(closing + billed.baobab))
  await expect(check("VAT output agrees")).toContainText(rand(vat))
  await expect(manager.getByRole("img", { name: "Not done" })).toHaveCount(1)
  await accessible(manager)
  await manager.getByRole("link", { name: /^Credit:/ }).click()
  await manager
    .getByRole("checkbox", { name: /Select/ })
    .first()
    .check()
  await manager.getByRole("button", { name: "Keep as credit" }).click()
  await dialog(manager).getByRole("textbox", { name: "Reason" }).fill("Paid in advance")
  await accessible(manager)
  await dialog(manager).getByRole("button", { name: "Keep as credit" }).click()
  await expect(dialog(manager)).toBeHidden()

  await manager.goto(address)
  await expect(manager.getByRole("img", { name: "Done", exact: true })).toHaveCount(10)
  // Two users try to close it; the second is refused.
  await admin.goto(address)
  await admin.getByRole("button", { name: "Close month" }).click()
  await expect(dialog(admin)).toBeVisible()
  await accessible(admin)
  await manager.getByRole("button", { name: "Close month" }).click()
  await dialog(manager).getByRole("button", { name: "Close month" }).click()
  await expect(manager.getByText("Closed", { exact: true })).toBeVisible()
  await expect(manager.getByRole("link", { name: "Checklist as PDF" })).toBeVisible({ timeout: 90_000 })
  await dialog(admin).getByRole("button", { name: "Close month" }).click()
  await expect(dialog(admin)).toContainText("closed")
  await dialog(admin).getByRole("button", { name: "Cancel" }).click()
  await expectBooks()
}

async function expectBooks(): Promise<void> {
  await manager.goto(`/finance/trial-balance?asOf=${last}`)
  const expected: Record<string, [debit: string, credit: string]> = {
    // Lines matched after month end count as credit until then; their allocations and undos are dated later.
    Bank: [rand(closing + billed.baobab), ""],
    "Premium debtors": [rand(net + vat), ""],
    "Unallocated receipts": ["", rand(3 * billed.baobab + split.baobab + split.protea)],
    "Opening balances": ["", rand(opening)],
    "Premium income": ["", rand(net)],
    "VAT output": ["", rand(vat)],
    "Bank charges": [rand(fee), ""],
  }
  for (const [account, [debit, credit]] of Object.entries(expected)) {
    const link = manager.getByRole("link", { name: account, exact: true })
    const row = manager.getByRole("row").filter({ has: link })
    await expect(row.getByRole("cell").nth(-2)).toHaveText(debit)
    await expect(row.getByRole("cell").last()).toHaveText(credit)
  }
  await expect(manager.getByText(/^Debits equal credits/)).toBeVisible()
}

async function comeLate(): Promise<void> {
  await manager.goto("/finance/receipting?new=true")
  await choose(manager, "Policy", "Protea", /Protea/)
  await manager.getByRole("textbox", { name: "Amount" }).fill(rand(50_00))
  await manager.getByRole("textbox", { name: "Date" }).fill(day(-1, 19))
  await manager.getByRole("button", { name: "Create Receipt" }).click()
  await expect(manager.getByText(/^Receipt has been created/)).toBeVisible()
  await expectBooks()
}
