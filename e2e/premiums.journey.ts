import { expect, type Page, test } from "@playwright/test"
import { accessible, choose, dialog, rand, whole } from "./browser.ts"
import { callsAndReminds } from "./collects.ts"
import { type House, ownInstallation } from "./house.ts"
import { enter, fillSetup } from "./people.ts"
import { makeRun, monthWords, previewMonth, receive, runRow, sendRun } from "./premium-run.ts"
import { activatePolicy, draftPolicy, importStaff, makeProductType, openPolicy } from "./schemes.ts"
import { alone, nameOf, type Person, staff, staffList } from "./staff.ts"

/** Four months of 1,200 members on three policies, with late changes. Expected amounts are calculated here. */

const zone = "Africa/Johannesburg"
const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date())
/** A day `days` after the first of the month that is `months` from now. */
const day = (months: number, days = 0) => {
  const [year, month] = today.split("-").map(Number)
  return new Date(Date.UTC(year!, month! - 1 + months, 1 + days)).toISOString().slice(0, 10)
}
const months = [-3, -2, -1, 0].map((back) => day(back))

const everybody = staff()
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
  people: everybody.slice(0, 500),
  premium: "350,00",
}
const vaal = {
  group: "Vaal Engineering",
  email: "hr@vaalengineering.example",
  people: everybody.slice(500, 900),
  premium: "420,50",
}
const karoo = {
  group: "Karoo Wool Mills",
  email: "hr@karoowool.example",
  phone: "0215550100",
  people: everybody.slice(900),
  premium: "515,00",
}
const schemes = [soweto, vaal, karoo]

const withVat = (net: number) => net + Math.round((net * 15) / 100)
const usual = { soweto: 500 * 350_00, vaal: 400 * 420_50, karoo: 300 * 515_00 }

const [leaver] = alone(soweto.people) as [Person]
const [gone, away] = alone(vaal.people) as [Person, Person]

/**
 * The fourth month with its differences. Soweto: two joined late, one left before month three. Vaal: one left before
 * month two, one was suspended before month three. Karoo: R 35 more since month three.
 */
const fourth = {
  soweto: { members: 501, base: 501 * 350_00, adjustment: (2 + 1 - 1) * 350_00 },
  vaal: { members: 398, base: 398 * 420_50, adjustment: (-2 - 1) * 420_50 },
  karoo: { members: 300, base: 300 * 550_00, adjustment: 300 * 35_00 },
}
const invoices = (name: keyof typeof usual) => {
  const { base, adjustment } = fourth[name]
  return [...Array(3).fill(withVat(usual[name])), withVat(base + adjustment)] as number[]
}
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** Soweto pays everything, Vaal three months, Karoo three months and part of the fourth. */
const paid = {
  soweto: sum(invoices("soweto")),
  vaal: sum(invoices("vaal").slice(0, 3)),
  karoo: sum(invoices("karoo").slice(0, 3)) + 100_000_00,
}
const owes = { vaal: sum(invoices("vaal")) - paid.vaal, karoo: sum(invoices("karoo")) - paid.karoo }

let { app, mail, admin } = {} as House
ownInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

const allSent = (count: number) =>
  expect
    .poll(() => mail.mails.filter(({ raw }) => /^Subject: .*INV-/m.test(raw)).length, { timeout: 60_000 })
    .toBe(count)

test("three policies with 1 200 members are created", async () => {
  await fillSetup(admin, app)
  await enter(admin)
  await makeProductType(admin)
  for (const { people, ...scheme } of schemes) {
    await draftPolicy(admin, { ...scheme, startOn: months[0]! })
    await importStaff(admin, scheme.group, people.length, staffList(scheme.group, people))
    await activatePolicy(admin, scheme.group)
  }
})

test("three months are billed and sent", async () => {
  for (const [place, month] of months.slice(0, 3).entries()) {
    await previewMonth(admin, month)
    for (const [name, { group }] of Object.entries({ soweto, vaal, karoo }))
      await expect(runRow(admin, group)).toContainText(rand(withVat(usual[name as keyof typeof usual])))
    await makeRun(admin, "Send immediately", 3)
    await allSent(3 * (place + 1))
  }
})

test("late joins, leavers, a suspension and a raise each show their effect", async () => {
  // The next month to bill and the months before it.
  const [nomvula, gerhard] = newcomers as [Person, Person]
  await joined(nomvula, day(-3, 9), 3 * 350_00)
  await joined(gerhard, day(-2, 4), 2 * 350_00)
  await ended(leaver, "Terminate", "Last day", day(-2, 14), 2 * 350_00)
  await ended(gone, "Terminate", "Last day", day(-3, 20), 3 * 420_50)
  await ended(away, "Suspend", "Suspended from", day(-1), 2 * 420_50)

  await openPolicy(admin, karoo.group)
  await admin.getByRole("button", { name: "Edit Coverage Details" }).click()
  await admin.getByRole("textbox", { name: "Premium", exact: true }).fill("550,00")
  await admin.getByRole("textbox", { name: "New premium applies from" }).fill(day(-1))
  await expect(admin.getByRole("status").filter({ hasText: `${rand(2 * 300 * 35_00)} more` })).toBeVisible()
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await expect(admin.getByRole("button", { name: "Edit Coverage Details" })).toBeVisible()
})

test("the fourth month's preview explains each difference", async () => {
  await previewMonth(admin, months[3]!)
  const rows = { soweto, vaal, karoo }
  for (const name of ["soweto", "vaal", "karoo"] as const) {
    const { members, base, adjustment } = fourth[name]
    const row = runRow(admin, rows[name].group)
    for (const shown of [whole(members), rand(base), money(adjustment), rand(withVat(base + adjustment))])
      await expect(row).toContainText(shown)
    await expect(row).toContainText(money(base + adjustment - usual[name]))
  }
  const [nomvula, gerhard] = newcomers as [Person, Person]
  const late = (who: Person, what: string, month: string, cents: number) => [
    monthWords(month),
    `${nameOf(who)} ${what}, recorded ${today}: ${inFull(month)}, ${money(cents)}`,
    money(cents),
  ]
  expect(await adjustments(soweto.group)).toEqual(
    sorted([
      late(nomvula, `joined on ${day(-3, 9)}`, months[1]!, 350_00),
      late(nomvula, `joined on ${day(-3, 9)}`, months[2]!, 350_00),
      late(gerhard, `joined on ${day(-2, 4)}`, months[2]!, 350_00),
      late(leaver, `left on ${day(-2, 14)}`, months[2]!, -350_00),
    ]),
  )
  expect(await adjustments(vaal.group, () => accessible(admin))).toEqual(
    sorted([
      late(gone, `left on ${day(-3, 20)}`, months[1]!, -420_50),
      late(gone, `left on ${day(-3, 20)}`, months[2]!, -420_50),
      late(away, `was suspended on ${day(-1)}`, months[2]!, -420_50),
    ]),
  )
  expect(await adjustments(karoo.group)).toEqual(
    sorted(
      karoo.people.map((who) => [
        monthWords(months[2]!),
        `${nameOf(who)}: the premium changed from ${rand(515_00)} to ${rand(550_00)} on ${day(-1)}, recorded ${today}: ${inFull(months[2]!)}, ${rand(35_00)}`,
        rand(35_00),
      ]),
    ),
  )
})

test("the run is created, sent and partly paid", async () => {
  await makeRun(admin, "Approve now, send later", 3)
  await sendRun(admin, 3)
  await allSent(12)
  await receive(admin, soweto.group, paid.soweto)
  await receive(admin, vaal.group, paid.vaal)
  await receive(admin, karoo.group, paid.karoo)
  // A second run has nothing to bill.
  await previewMonth(admin, months[3]!)
  await expect(admin.getByRole("table").getByText("Nothing to bill", { exact: true })).toHaveCount(3)
})

test("the collection list shows debtors; call, promise and reminder are recorded", async () => {
  await admin.goto("/invoices/collection")
  const row = (group: string) => admin.getByRole("row").filter({ hasText: group })
  await expect(row(vaal.group)).toContainText(rand(owes.vaal))
  await expect(row(vaal.group)).toContainText("0 %")
  await expect(row(karoo.group)).toContainText(rand(owes.karoo))
  await expect(row(karoo.group)).toContainText(
    `${Math.round((100_000_00 * 100) / withVat(fourth.karoo.base + fourth.karoo.adjustment))} %`,
  )
  await expect(row(soweto.group)).toContainText("100 %")
  await expect(admin.getByRole("link", { name: /^Outstanding/ })).toContainText(rand(owes.vaal + owes.karoo))
  const reminder = await callsAndReminds(admin, mail, {
    group: karoo.group,
    contact: karoo.email,
    owedCents: owes.karoo,
  })
  expect(reminder).toMatch(/filename=.*\.pdf/)
})

test("the statement equals the ledger", async () => {
  await openPolicy(admin, karoo.group)
  const policy = new URL(admin.url()).pathname
  await admin.goto(`${policy}/statement?from=${months[0]}&to=${today}`)
  const statement = admin.getByRole("table", { name: "Statement of account" })
  await expect(statement.getByRole("row", { name: /Closing balance/ })).toContainText(rand(owes.karoo))
  let balance = 0
  const expected = [
    ...invoices("karoo").map((cents) => {
      balance += cents
      return [rand(cents), rand(balance)]
    }),
    [rand(paid.karoo), rand(owes.karoo)],
  ]
  const lines = (await rowsOf(statement)).slice(1, -1)
  expect(lines.map((cells) => cells.slice(-3).filter((text) => /\d/.test(text)))).toEqual(expected)
  await accessible(admin)

  const billed = { soweto: invoices("soweto"), vaal: invoices("vaal"), karoo: invoices("karoo") }
  const gross = sum(Object.values(billed).flat())
  const net =
    3 * (usual.soweto + usual.vaal + usual.karoo) + sum(Object.values(fourth).map((of) => of.base + of.adjustment))
  await admin.goto("/finance/trial-balance")
  for (const [account, cents] of [
    ["Bank", sum(Object.values(paid))],
    ["Premium debtors", owes.vaal + owes.karoo],
    ["Premium income", net],
    ["VAT output", gross - net],
  ] as const)
    await expect(admin.getByRole("row", { name: new RegExp(`^${account} (Asset|Income|Liability)`) })).toContainText(
      rand(cents),
    )
  await expect(admin.getByText(/^Debits equal credits/)).toBeVisible()
})

const money = (cents: number): string => (cents < 0 ? `-${rand(-cents)}` : rand(cents))

/** With the year if it is not this one. */
const inFull = (month: string): string => {
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(new Date(month))
  return month.slice(0, 4) === today.slice(0, 4) ? name : `${name} ${month.slice(0, 4)}`
}

const sorted = (rows: string[][]): string[] => rows.map((cells) => cells.join(" | ")).sort()

const rowsOf = (table: ReturnType<Page["getByRole"]>): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll("td")].filter((cell) => cell.offsetParent).map((cell) => cell.innerText.trim()),
      ),
    )

async function adjustments(group: string, look = () => Promise.resolve()): Promise<string[]> {
  await runRow(admin, group)
    .getByRole("button", { name: /lines of/ })
    .click()
  const parts = dialog(admin).locator("tbody")
  await expect(parts).toHaveCount(2)
  await expect(parts.first().getByRole("rowheader")).toHaveText("Adjustments")
  await look()
  const lines = (await rowsOf(dialog(admin).getByRole("table"))).filter((cells) => cells.length === 3)
  const ours = lines.slice(0, (await parts.first().getByRole("row").count()) - 1)
  await admin.keyboard.press("Escape")
  await expect(dialog(admin)).toBeHidden()
  return sorted(ours)
}

async function joined(person: Person, on: string, cents: number): Promise<void> {
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
  await expect(admin.getByRole("status").filter({ hasText: `${rand(cents)} more` })).toBeVisible()
  await admin.getByRole("button", { name: "Next" }).click()
  await admin.getByRole("button", { name: "Save member" }).click()
  await expect(admin.getByText("Member created successfully")).toBeVisible()
}

async function ended(person: Person, act: "Terminate" | "Suspend", label: string, on: string, cents: number) {
  await admin.goto("/members")
  await admin.getByRole("searchbox").fill(person.idNumber)
  await expect(admin.getByRole("button", { name: /^Actions for M-/ })).toHaveCount(1)
  await admin.getByRole("button", { name: /^Actions for M-/ }).click()
  await admin.getByRole("menuitem", { name: new RegExp(`^${act}`) }).click()
  await dialog(admin).getByRole("textbox", { name: label }).fill(on)
  await dialog(admin).getByRole("textbox", { name: "Reason" }).fill("The employer told us late")
  await expect(dialog(admin).getByRole("status")).toContainText(`${rand(cents)} less`)
  await dialog(admin)
    .getByRole("button", { name: `${act} member` })
    .click()
  await expect(dialog(admin)).toBeHidden()
}
