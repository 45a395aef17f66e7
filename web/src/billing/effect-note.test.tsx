import type { RateTable } from "@milkwood/domain/policies/rates"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { createMember } from "../../../server/src/members/members.samples.ts"
import { createActivePolicy, createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)
const normalizeSpaces = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ")

test("a dialog previews the next invoice and shows nothing for an impossible change", async () => {
  const policy = await createActivePolicy(managerClient(), {
    groupName: "Effects",
    startOn: "2026-09-01",
    premiumCents: 350_00,
  })
  const member = await createMember(managerClient(), policy.id, { startOn: "2026-09-01" })
  await createSentInvoice(managerClient(), { policyId: policy.id, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await createSentInvoice(managerClient(), { policyId: policy.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const { user } = await openPage(app, app.people.manager, `/members/${member.id}?tab=premiums`)
  const cells = await screen.findAllByRole("row")
  expect(cells.map(({ textContent }) => normalizeSpaces(textContent))).toEqual([
    "MonthOwedBilledBilled onDifference",
    "Nov 2026R 350,00R 0,00Not billed yetR 350,00",
    expect.stringMatching(/^Oct 2026R 350,00R 350,00INV-2026-\d+$/),
    expect.stringMatching(/^Sep 2026R 350,00R 350,00INV-2026-\d+$/),
  ])

  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Terminate member" }))
  const dialog = within(await screen.findByRole("dialog"))
  const day = dialog.getByRole("textbox", { name: "Last day" })
  await user.clear(day)
  await user.type(day, "2026-09-30")
  await waitFor(() =>
    expect(normalizeSpaces(dialog.getByRole("status").textContent)).toBe(
      "Next invoice: R 700,00 less (once for October, R 350,00; then monthly from November, R 350,00; excl. VAT)",
    ),
  )
  await user.clear(day)
  await user.type(day, "2026-08-15")
  await waitFor(() => expect(dialog.getByRole("status").textContent).toBe(""))
})

const statusTexts = (within: HTMLElement) =>
  [...within.querySelectorAll("[role=status] > div")].map(({ textContent }) => normalizeSpaces(textContent))

test("a bulk change previews each policy's next invoice and counts refused members", async () => {
  const first = await createActivePolicy(managerClient(), {
    groupName: "Several one",
    startOn: "2026-09-01",
    premiumCents: 350_00,
  })
  const second = await createActivePolicy(managerClient(), {
    groupName: "Several two",
    startOn: "2026-10-01",
    premiumCents: 200_00,
  })
  const late = await createActivePolicy(managerClient(), {
    groupName: "Several late",
    startOn: "2026-11-01",
    premiumCents: 100_00,
  })
  await createSentInvoice(managerClient(), { policyId: first.id, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await createSentInvoice(managerClient(), { policyId: first.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const numbers: string[] = []
  for (const { id: policyId } of [first, second, late]) {
    const [member] = (await managerClient().members.list({ policyId })).rows
    numbers.push(member!.number)
  }
  const { user } = await openPage(app, app.people.manager, "/members?search=several")
  for (const number of numbers) await user.click(await screen.findByRole("checkbox", { name: new RegExp(number) }))
  await user.click(await screen.findByRole("button", { name: "Terminate 3" }))
  const dialog = await screen.findByRole("dialog")
  const day = within(dialog).getByRole("textbox", { name: "Last day" })
  await user.clear(day)
  await user.type(day, "2026-10-15")
  await waitFor(() =>
    expect(statusTexts(dialog)).toEqual([
      `${first.number}: Next invoice: R 350,00 less for November, excl. VAT`,
      `${second.number}: Next invoice: no change. From November 2026: R 200,00 less a month, excl. VAT`,
      "Not included: one member for whom this change will be refused",
    ]),
  )
})

test("a bulk tier change requires a tier", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Tiers of many", members: 2 })
  const { tiers } = await managerClient().benefits.choices()
  const { user } = await openPage(app, app.people.manager, "/members?search=tiers%20of%20many")
  await user.click(await screen.findByRole("checkbox", { name: /Select all/ }))
  await user.click(await screen.findByRole("button", { name: "Change tier of 2" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.click(dialog.getByRole("button", { name: "Change tier of 2 members" }))
  expect(await dialog.findByText("Choose a benefit tier", { selector: ":not(input)" })).toBeTruthy()
  await user.click(await dialog.findByRole("combobox", { name: "Benefit tier" }))
  await user.click(await screen.findByRole("option", { name: tiers[1]!.name }))
  await user.click(dialog.getByRole("button", { name: "Change tier of 2 members" }))
  expect(await dialog.findByText("2 members moved to the new tier.")).toBeTruthy()
  const { rows } = await managerClient().members.list({ policyId: policy.id })
  expect(rows.map(({ tierName }) => tierName)).toEqual([tiers[1]!.name, tiers[1]!.name])
})

async function createSalaryPolicy(groupName: string) {
  const rates: RateTable = {
    ...{ ageOn: "month", sumAssured: { kind: "salary", multiple: 10 } },
    rows: [
      { person: "member", tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: 1 },
      { person: "spouse", tierId: null, ageFrom: null, ageUntil: null, cents: 90_00, perMille: null },
    ],
  }
  const draft = await createDraftPolicy(managerClient(), { groupName, startOn: "2026-11-01" })
  const member = await createMember(managerClient(), draft.id, { startOn: "2026-11-01", monthlyCents: 20_000_00 })
  const { version } = await managerClient().policies.saveRates({ policyId: draft.id, version: draft.version, rates })
  return { policy: await managerClient().policies.activate({ policyId: draft.id, version }), member }
}

test("the new member form asks for a salary and previews the cost", async () => {
  const { tiers } = await managerClient().benefits.choices()
  const { policy } = await createSalaryPolicy("Paid joiners")
  const { user } = await openPage(app, app.people.manager, `/members/new?policyId=${policy.id}&step=policy`)
  await user.click(await screen.findByRole("combobox", { name: "Benefit tier" }))
  await user.click(await screen.findByRole("option", { name: tiers[0]!.name }))
  await user.type(await screen.findByRole("textbox", { name: "Start date" }), "2026-11-01")
  await waitFor(() =>
    expect(statusTexts(document.body)).toEqual([
      "Next invoice: no change. One member month cannot be billed: no salary on the 1st",
    ]),
  )
  await user.type(await screen.findByRole("textbox", { name: "Monthly salary" }), "30000")
  await user.tab()
  await waitFor(() =>
    expect(statusTexts(document.body)).toEqual(["Next invoice: R 300,00 more for November, excl. VAT"]),
  )
})

test("dependent and salary changes on the member page preview their cost", async () => {
  const { member } = await createSalaryPolicy("Paid members")
  const { user } = await openPage(app, app.people.manager, `/members/${member.id}`)
  await user.click(await screen.findByRole("button", { name: "Edit Dependents" }))
  await user.click(await screen.findByRole("button", { name: "Add dependent" }))
  const kin = within(await screen.findByRole("dialog"))
  await user.type(kin.getByRole("textbox", { name: "First name" }), "Sam")
  await user.type(kin.getByRole("textbox", { name: "Last name" }), "Nkosi")
  await user.click(kin.getByRole("combobox", { name: "Relationship" }))
  await user.click(await screen.findByRole("option", { name: "Spouse" }))
  await user.type(kin.getByRole("textbox", { name: "Covered from" }), "2026-12-01")
  await user.click(kin.getByRole("button", { name: "Save dependent" }))
  await waitFor(() =>
    expect(statusTexts(document.body)).toEqual([
      "Next invoice: no change. From December 2026: R 90,00 more a month, excl. VAT",
    ]),
  )

  await user.click(await screen.findByRole("button", { name: "Set salary" }))
  const dialog = await screen.findByRole("dialog")
  await user.type(within(dialog).getByRole("textbox", { name: "Per month" }), "25000")
  const from = within(dialog).getByRole("textbox", { name: "From" })
  await user.clear(from)
  await user.type(from, "2026-11-01")
  await waitFor(() => expect(statusTexts(dialog)).toEqual(["Next invoice: R 50,00 more for November, excl. VAT"]))
})
