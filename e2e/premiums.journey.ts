import { expect, type Page, test } from "@playwright/test"
import { choose, dialogOf, expectAccessible, formatRand, groupThousands } from "./browser.ts"
import { callAndRemind } from "./collects.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { fillSetup, submitSignIn } from "./people.ts"
import { makeRun, monthText, previewMonth, recordReceipt, runRow, sendRun } from "./premium-run.ts"
import { activatePolicy, createDraftPolicy, importStaff, makeProductType, openPolicy } from "./schemes.ts"
import { createStaffList, fullNameOf, type Person, peopleWithUniqueName, readStaff } from "./staff.ts"

/** Four months of 1,200 members on three policies, with late changes. Expected amounts are calculated here. */

const zone = "Africa/Johannesburg"
const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date())
/** A day `days` after the first of the month that is `months` from now. */
const dayInMonth = (months: number, days = 0) => {
  const [year, month] = today.split("-").map(Number)
  return new Date(Date.UTC(year!, month! - 1 + months, 1 + days)).toISOString().slice(0, 10)
}
const months = [-3, -2, -1, 0].map((back) => dayInMonth(back))

const allStaff = readStaff()
const newcomers: Person[] = [
  {
    firstName: "Nomvula",
    lastName: "Radebe",
    idNumber: "8001015009087",
    email: "nomvula@soweto.example",
    tier: "Gold",
  },
  {
    firstName: "Gerhard",
    lastName: "Pienaar",
    idNumber: "8801235111088",
    email: "gerhard@soweto.example",
    tier: "Gold",
  },
]
const soweto = {
  group: "Soweto Retail Holdings",
  email: "hr@sowetoretail.example",
  people: allStaff.slice(0, 500),
  premium: "350,00",
}
const vaal = {
  group: "Vaal Engineering",
  email: "hr@vaalengineering.example",
  people: allStaff.slice(500, 900),
  premium: "420,50",
}
const karoo = {
  group: "Karoo Wool Mills",
  email: "hr@karoowool.example",
  phone: "0215550100",
  people: allStaff.slice(900),
  premium: "515,00",
}
const schemes = [soweto, vaal, karoo]

const addVat = (net: number) => net + Math.round((net * 15) / 100)
const usualPremiumCents = { soweto: 500 * 350_00, vaal: 400 * 420_50, karoo: 300 * 515_00 }

const [leaver] = peopleWithUniqueName(soweto.people) as [Person]
const [gone, away] = peopleWithUniqueName(vaal.people) as [Person, Person]

/**
 * The fourth month with its differences. Soweto: two joined late, one left before month three. Vaal: one left before
 * month two, one was suspended before month three. Karoo: R 35 more since month three.
 */
const fourthMonth = {
  soweto: { members: 501, base: 501 * 350_00, adjustment: (2 + 1 - 1) * 350_00 },
  vaal: { members: 398, base: 398 * 420_50, adjustment: (-2 - 1) * 420_50 },
  karoo: { members: 300, base: 300 * 550_00, adjustment: 300 * 35_00 },
}
const invoiceCents = (name: keyof typeof usualPremiumCents) => {
  const { base, adjustment } = fourthMonth[name]
  return [...Array(3).fill(addVat(usualPremiumCents[name])), addVat(base + adjustment)] as number[]
}
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** Soweto pays everything, Vaal three months, Karoo three months and part of the fourth. */
const paidCents = {
  soweto: sum(invoiceCents("soweto")),
  vaal: sum(invoiceCents("vaal").slice(0, 3)),
  karoo: sum(invoiceCents("karoo").slice(0, 3)) + 100_000_00,
}
const owedByScheme = {
  vaal: sum(invoiceCents("vaal")) - paidCents.vaal,
  karoo: sum(invoiceCents("karoo")) - paidCents.karoo,
}

let { app, mail, admin } = {} as Installation
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

const expectAllSent = (count: number) =>
  expect
    .poll(() => mail.mails.filter(({ raw }) => /^Subject: .*INV-/m.test(raw)).length, { timeout: 60_000 })
    .toBe(count)

test("three policies with 1 200 members are created", async () => {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  await makeProductType(admin)
  for (const { people, ...scheme } of schemes) {
    await createDraftPolicy(admin, { ...scheme, startOn: months[0]! })
    await importStaff(admin, scheme.group, people.length, createStaffList(scheme.group, people))
    await activatePolicy(admin, scheme.group)
  }
})

test("three months are billed and sent", async () => {
  for (const [place, month] of months.slice(0, 3).entries()) {
    await previewMonth(admin, month)
    for (const [name, { group }] of Object.entries({ soweto, vaal, karoo }))
      await expect(runRow(admin, group)).toContainText(
        formatRand(addVat(usualPremiumCents[name as keyof typeof usualPremiumCents])),
      )
    await makeRun(admin, "Send immediately", 3)
    await expectAllSent(3 * (place + 1))
  }
})

test("late joiners, leavers, a suspension and a higher premium each show their effect", async () => {
  // The amount covers the next month to bill and the months before it.
  const [nomvula, gerhard] = newcomers as [Person, Person]
  await addMember(nomvula, dayInMonth(-3, 9), 3 * 350_00)
  await addMember(gerhard, dayInMonth(-2, 4), 2 * 350_00)
  await terminateOrSuspend(leaver, "Terminate", "Last day", dayInMonth(-2, 14), 2 * 350_00)
  await terminateOrSuspend(gone, "Terminate", "Last day", dayInMonth(-3, 20), 3 * 420_50)
  await terminateOrSuspend(away, "Suspend", "Suspended from", dayInMonth(-1), 2 * 420_50)

  await openPolicy(admin, karoo.group)
  await admin.getByRole("button", { name: "Edit Coverage Details" }).click()
  await admin.getByRole("textbox", { name: "Premium", exact: true }).fill("550,00")
  await admin.getByRole("textbox", { name: "New premium applies from" }).fill(dayInMonth(-1))
  await expect(admin.getByRole("status").filter({ hasText: `${formatRand(2 * 300 * 35_00)} more` })).toBeVisible()
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await expect(admin.getByRole("button", { name: "Edit Coverage Details" })).toBeVisible()
})

test("the fourth month's preview explains each difference", async () => {
  await previewMonth(admin, months[3]!)
  const rows = { soweto, vaal, karoo }
  for (const name of ["soweto", "vaal", "karoo"] as const) {
    const { members, base, adjustment } = fourthMonth[name]
    const row = runRow(admin, rows[name].group)
    for (const shown of [
      groupThousands(members),
      formatRand(base),
      formatSigned(adjustment),
      formatRand(addVat(base + adjustment)),
    ])
      await expect(row).toContainText(shown)
    await expect(row).toContainText(formatSigned(base + adjustment - usualPremiumCents[name]))
  }
  const [nomvula, gerhard] = newcomers as [Person, Person]
  const late = (who: Person, what: string, month: string, cents: number) => [
    monthText(month),
    `${fullNameOf(who)} ${what}, recorded ${today}: ${formatFullMonth(month)}, ${formatSigned(cents)}`,
    formatSigned(cents),
  ]
  expect(await readAdjustments(soweto.group)).toEqual(
    sortRows([
      late(nomvula, `joined on ${dayInMonth(-3, 9)}`, months[1]!, 350_00),
      late(nomvula, `joined on ${dayInMonth(-3, 9)}`, months[2]!, 350_00),
      late(gerhard, `joined on ${dayInMonth(-2, 4)}`, months[2]!, 350_00),
      late(leaver, `left on ${dayInMonth(-2, 14)}`, months[2]!, -350_00),
    ]),
  )
  expect(await readAdjustments(vaal.group, () => expectAccessible(admin))).toEqual(
    sortRows([
      late(gone, `left on ${dayInMonth(-3, 20)}`, months[1]!, -420_50),
      late(gone, `left on ${dayInMonth(-3, 20)}`, months[2]!, -420_50),
      late(away, `was suspended on ${dayInMonth(-1)}`, months[2]!, -420_50),
    ]),
  )
  expect(await readAdjustments(karoo.group)).toEqual(
    sortRows(
      karoo.people.map((who) => [
        monthText(months[2]!),
        `${fullNameOf(who)}: the premium changed from ${formatRand(515_00)} to ${formatRand(550_00)} on ${dayInMonth(-1)}, recorded ${today}: ${formatFullMonth(months[2]!)}, ${formatRand(35_00)}`,
        formatRand(35_00),
      ]),
    ),
  )
})

test("the run is created, sent and partly paid", async () => {
  await makeRun(admin, "Approve now, send later", 3)
  await sendRun(admin, 3)
  await expectAllSent(12)
  await recordReceipt(admin, soweto.group, paidCents.soweto)
  await recordReceipt(admin, vaal.group, paidCents.vaal)
  await recordReceipt(admin, karoo.group, paidCents.karoo)
  // A second run has nothing to bill.
  await previewMonth(admin, months[3]!)
  await expect(admin.getByRole("table").getByText("Nothing to bill", { exact: true })).toHaveCount(3)
})

test("the collection list shows debtors; call, promise and reminder are recorded", async () => {
  await admin.goto("/invoices/collection")
  const row = (group: string) => admin.getByRole("row").filter({ hasText: group })
  await expect(row(vaal.group)).toContainText(formatRand(owedByScheme.vaal))
  await expect(row(vaal.group)).toContainText("0 %")
  await expect(row(karoo.group)).toContainText(formatRand(owedByScheme.karoo))
  await expect(row(karoo.group)).toContainText(
    `${Math.round((100_000_00 * 100) / addVat(fourthMonth.karoo.base + fourthMonth.karoo.adjustment))} %`,
  )
  await expect(row(soweto.group)).toContainText("100 %")
  await expect(admin.getByRole("link", { name: /^Outstanding/ })).toContainText(
    formatRand(owedByScheme.vaal + owedByScheme.karoo),
  )
  const reminder = await callAndRemind(admin, mail, {
    group: karoo.group,
    contact: karoo.email,
    owedCents: owedByScheme.karoo,
  })
  expect(reminder).toMatch(/filename=.*\.pdf/)
})

test("the statement of account equals the ledger", async () => {
  await openPolicy(admin, karoo.group)
  const policy = new URL(admin.url()).pathname
  await admin.goto(`${policy}/statement?from=${months[0]}&to=${today}`)
  const statement = admin.getByRole("table", { name: "Statement of account" })
  await expect(statement.getByRole("row", { name: /Closing balance/ })).toContainText(formatRand(owedByScheme.karoo))
  let balance = 0
  const expected = [
    ...invoiceCents("karoo").map((cents) => {
      balance += cents
      return [formatRand(cents), formatRand(balance)]
    }),
    [formatRand(paidCents.karoo), formatRand(owedByScheme.karoo)],
  ]
  const lines = (await readRows(statement)).slice(1, -1)
  expect(lines.map((cells) => cells.slice(-3).filter((text) => /\d/.test(text)))).toEqual(expected)
  await expectAccessible(admin)

  const billed = { soweto: invoiceCents("soweto"), vaal: invoiceCents("vaal"), karoo: invoiceCents("karoo") }
  const gross = sum(Object.values(billed).flat())
  const net =
    3 * (usualPremiumCents.soweto + usualPremiumCents.vaal + usualPremiumCents.karoo) +
    sum(Object.values(fourthMonth).map((of) => of.base + of.adjustment))
  await admin.goto("/finance/trial-balance")
  for (const [account, cents] of [
    ["Bank", sum(Object.values(paidCents))],
    ["Premium debtors", owedByScheme.vaal + owedByScheme.karoo],
    ["Premium income", net],
    ["VAT output", gross - net],
  ] as const)
    await expect(admin.getByRole("row", { name: new RegExp(`^${account} (Asset|Income|Liability)`) })).toContainText(
      formatRand(cents),
    )
  await expect(admin.getByText(/^Debits equal credits/)).toBeVisible()
})

const formatSigned = (cents: number): string => (cents < 0 ? `-${formatRand(-cents)}` : formatRand(cents))

/** A month's name, with the year if it is not the current year. */
const formatFullMonth = (month: string): string => {
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(new Date(month))
  return month.slice(0, 4) === today.slice(0, 4) ? name : `${name} ${month.slice(0, 4)}`
}

const sortRows = (rows: string[][]): string[] => rows.map((cells) => cells.join(" | ")).sort()

const readRows = (table: ReturnType<Page["getByRole"]>): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll("td")].filter((cell) => cell.offsetParent).map((cell) => cell.innerText.trim()),
      ),
    )

async function readAdjustments(group: string, look = () => Promise.resolve()): Promise<string[]> {
  await runRow(admin, group)
    .getByRole("button", { name: /lines of/ })
    .click()
  const parts = dialogOf(admin).locator("tbody")
  await expect(parts).toHaveCount(2)
  await expect(parts.first().getByRole("rowheader")).toHaveText("Adjustments")
  await look()
  const lines = (await readRows(dialogOf(admin).getByRole("table"))).filter((cells) => cells.length === 3)
  const ours = lines.slice(0, (await parts.first().getByRole("row").count()) - 1)
  await admin.keyboard.press("Escape")
  await expect(dialogOf(admin)).toBeHidden()
  return sortRows(ours)
}

async function addMember(person: Person, on: string, cents: number): Promise<void> {
  await admin.goto("/members/new")
  const field = (name: string) => admin.getByRole("textbox", { name, exact: true })
  await field("First name").fill(person.firstName)
  await field("Last name").fill(person.lastName)
  await field("ID number").fill(person.idNumber)
  await admin.getByRole("button", { name: "Next" }).click()
  await admin.getByRole("textbox", { name: "Email" }).fill(person.email)
  await admin.getByRole("button", { name: "Next" }).click()
  await admin.getByRole("button", { name: "Next" }).click()
  await choose(admin, "Group policy", "Soweto", /Soweto/)
  await choose(admin, "Benefit tier", "", person.tier)
  await admin.getByRole("textbox", { name: "Start date" }).fill(on)
  await expect(admin.getByRole("status").filter({ hasText: `${formatRand(cents)} more` })).toBeVisible()
  await admin.getByRole("button", { name: "Next" }).click()
  await admin.getByRole("button", { name: "Save member" }).click()
  await expect(admin.getByText("Member created successfully")).toBeVisible()
}

async function terminateOrSuspend(
  person: Person,
  act: "Terminate" | "Suspend",
  label: string,
  on: string,
  cents: number,
) {
  await admin.goto("/members")
  await admin.getByRole("searchbox").fill(person.idNumber)
  await expect(admin.getByRole("button", { name: /^Actions for M-/ })).toHaveCount(1)
  await admin.getByRole("button", { name: /^Actions for M-/ }).click()
  await admin.getByRole("menuitem", { name: new RegExp(`^${act}`) }).click()
  await dialogOf(admin).getByRole("textbox", { name: label }).fill(on)
  await dialogOf(admin).getByRole("textbox", { name: "Reason" }).fill("The employer told us late")
  await expect(dialogOf(admin).getByRole("status")).toContainText(`${formatRand(cents)} less`)
  await dialogOf(admin)
    .getByRole("button", { name: `${act} member` })
    .click()
  await expect(dialogOf(admin)).toBeHidden()
}
