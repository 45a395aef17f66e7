import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../../../server/src/members/members.samples.ts"
import { createActivePolicy, createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)
const findButton = (name: string) => screen.findByRole("button", { name })
const expectEnabled = async (name: string) => {
  const found = await findButton(name)
  await waitFor(() => expect(found).toHaveProperty("disabled", false))
  return found
}
const findField = (label: string) => screen.findByRole("textbox", { name: label })

test("creating the first policy creates a new group and uses the default premium", async () => {
  await openPage(app, app.people.manager, "/policies/new")
  expect((await screen.findByRole<HTMLInputElement>("radio", { name: "New group" })).checked).toBe(true)
  expect(((await findField("Premium")) as HTMLInputElement).value).toBe("350,00")
})

test("a draft is deleted after confirmation, and continues at the first incomplete step", async () => {
  const draft = await createDraftPolicy(managerClient(), { groupName: "Second Thoughts" })
  const { user, location } = await openPage(app, app.people.manager, `/policies/${draft.id}`)
  const on = await screen.findByRole("link", { name: "Continue draft" })
  expect(on.getAttribute("href")).toBe(`/policies/${draft.id}/edit?tab=members`)
  await user.click(await findButton("More"))
  await user.click(await screen.findByRole("menuitem", { name: "Delete draft" }))
  await user.click(await findButton("Delete draft"))
  expect(await screen.findByText(`Draft ${draft.number} and its employer group deleted`)).toBeTruthy()
  await waitFor(() => expect(location()).toBe("/policies"))
  expect((await managerClient().policies.list({ search: "Second Thoughts" })).total).toBe(0)
})

test("the list opens a draft at its first incomplete step", async () => {
  const draft = await createDraftPolicy(managerClient(), { groupName: "Half Done" })
  const { location } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit?goOn=true`)
  await waitFor(() => expect(location()).toBe(`/policies/${draft.id}/edit?tab=members`))
  expect(await screen.findByRole("heading", { name: "Members" })).toBeTruthy()
})

test("a draft with rates shows rates in figures, review and list, never R 0,00", async () => {
  const rates = {
    ...{ ageOn: "month" as const, sumAssured: null },
    rows: [{ person: "member" as const, tierId: null, ageFrom: null, ageUntil: null, cents: 412_00, perMille: null }],
  }
  const { id: policyId, version } = await createDraftPolicy(managerClient(), {
    groupName: "Rated Foods",
    premiumCents: 0,
  })
  await managerClient().policies.saveRates({ policyId, version, rates })
  await createMember(managerClient(), policyId)
  const words = () => document.body.textContent?.replace(/\s/g, " ")
  await openPage(app, app.people.manager, `/policies/${policyId}/edit?tab=activate`)
  expect(await screen.findByText(/the policy bills each member by its rates, and its 1 member is covered/)).toBeTruthy()
  expect(screen.getAllByText("By rates")).toHaveLength(2)
  expect(words()?.split("R 412,00, by rates")).toHaveLength(3)
  expect(words()).not.toContain("R 0,00")
  await openPage(app, app.people.manager, "/policies?search=rated+foods")
  expect(await screen.findByText(/Monthly premiums on this page/)).toBeTruthy()
  expect(words()).toContain("Monthly premiums on this page R 412,00")
  expect(words()).not.toContain("excl. policies without a rate")
  const spouses = { ...rates.rows[0]!, person: "spouse" as const, ageUntil: 60, cents: 100_00 }
  const { version: now } = await managerClient().policies.detail({ policyId })
  const withSpouses = { ...rates, rows: [...rates.rows, spouses] }
  await managerClient().policies.saveRates({ policyId, version: now, rates: withSpouses })
  const person = { firstName: "Sam", lastName: "Nkosi", idNumber: null, dateOfBirth: null, gender: null }
  const { id: memberId } = await createMember(managerClient(), policyId, {
    dependents: [{ ...person, relationship: "spouse" }],
  })
  await openPage(app, app.people.manager, `/policies/${policyId}`)
  await waitFor(() => expect(words()).toContain("Monthly premiumBy rates: No rate for 1 person"))
  await openPage(app, app.people.manager, `/members/${memberId}`)
  await waitFor(() => expect(words()).toContain("PremiumBy rates: No date of birth: spouse"))
  await openPage(app, app.people.manager, "/policies?search=rated+foods")
  await waitFor(() => expect(words()).toContain("R 0,00, excl. policies without a rate"))
})

test("a malformed id in the URL shows the not-found page", async () => {
  for (const path of ["/policies/nonsense", "/invoices/nonsense", "/finance/receipting/nonsense", "/policies/a/b/c"]) {
    const { unmount } = await openPage(app, app.people.manager, path)
    expect(await screen.findByText("Oops! Page not found")).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull()
    unmount()
  }
})

describe("the list", () => {
  test("the list shows and searches policies and offers only permitted actions", async () => {
    await createActivePolicy(managerClient(), { groupName: "Acacia Foods", members: 2 })
    await createDraftPolicy(managerClient(), { groupName: "Bluegum Mines" })
    const { user, location } = await openPage(app, app.people.manager, "/policies")
    expect(await screen.findByText("Acacia Foods")).toBeTruthy()
    await user.type(await screen.findByRole("searchbox", { name: "Search group name or policy number" }), "bluegum")
    await waitFor(() => expect(screen.queryByText("Acacia Foods")).toBeNull())
    expect(await screen.findByText("Bluegum Mines")).toBeTruthy()
    expect(location()).toBe("/policies?search=bluegum")
  })

  test("an underwriter can only read policies, and users outside the group see none", async () => {
    await openPage(app, app.people.underwriter, "/policies")
    expect(await screen.findByText("Acacia Foods")).toBeTruthy()
    expect(screen.queryByRole("link", { name: "New policy" })).toBeNull()
    await openPage(app, await app.people.groupAdmin(), "/policies")
    expect(await screen.findByText("No policies yet")).toBeTruthy()
  })
})

describe("the policy wizard", () => {
  test("stores a draft at the first save, with its address, and lists missing fields", async () => {
    const { user, router } = await openPage(app, app.people.manager, "/policies/new")
    await user.click(await screen.findByRole("radio", { name: "New group" }))
    expect((await screen.findByRole("link", { name: "Back to Policies" })).getAttribute("href")).toBe("/policies")
    await user.type(await findField("Group name"), "Karoo Clinics")
    expect(screen.getByText(/Still needed: Product type, Start date, Contact name, Contact e-mail/)).toBeTruthy()
    await user.click(await findButton("Save Draft"))
    expect(await screen.findByText("Draft saved")).toBeTruthy()
    const { rows } = await managerClient().policies.list({ search: "Karoo" })
    const draft = rows[0]!
    expect(draft).toMatchObject({ status: "Draft", premiumCents: 35_000 })
    await waitFor(() => expect(router.state.location.maskedLocation?.pathname).toBe(`/policies/${draft.id}/edit`))
    await user.type(await findField("Full name"), "Ann Botha")
    await waitFor(
      async () =>
        expect((await managerClient().policies.detail({ policyId: draft.id })).contact.contactName).toBe("Ann Botha"),
      { timeout: 5_000 },
    )
  })

  test("keeps typed values after another user's save and offers both versions", async () => {
    const draft = await createDraftPolicy(managerClient(), { groupName: "Two tabs" })
    const { user } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit`)
    const position = await findField("Position")
    await managerClient().policies.saveDraft({ policyId: draft.id, version: draft.version, contactName: "Theirs" })
    await user.clear(position)
    await user.type(position, "Mine")
    await user.click(await findButton("Keep mine"))
    await user.click(await findButton("Save Draft"))
    expect(await screen.findByText("Draft saved")).toBeTruthy()
    expect((await managerClient().policies.detail({ policyId: draft.id })).contact.contactPosition).toBe("Mine")
  })

  test("stops at an invalid date", async () => {
    const draft = await createDraftPolicy(managerClient(), { groupName: "No such day" })
    const { user, location } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit`)
    await user.type(await findField("End date"), "31/02/2028")
    const next = await findButton("Next")
    await user.click(next)
    expect(await screen.findByText(/^Enter a valid date as/)).toBeTruthy()
    expect(location()).not.toContain("tab=members")
    await user.clear(await findField("End date"))
    await user.click(next)
    await waitFor(() => expect(location()).toContain("tab=members"))
  })

  test("opens Documents without members, but Activate only with a member", async () => {
    const draft = await createDraftPolicy(managerClient(), { groupName: "Papers First" })
    const { user, location } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit?tab=members`)
    expect(await screen.findByText("Still needed: At least one member")).toBeTruthy()
    expect((await findButton("Activate, pending")).matches(":disabled")).toBe(true)
    await user.click(await findButton("Documents, pending"))
    await waitFor(() => expect(location()).toContain("tab=documents"))
    expect(await screen.findAllByText("Not uploaded")).toHaveLength(2)
    expect(screen.getByText("Still needed: At least one member")).toBeTruthy()
    expect((await findButton("Next")).matches(":disabled")).toBe(true)
  })

  test("adds members from pasted text and activates the policy", async () => {
    const draft = await createDraftPolicy(managerClient(), { groupName: "Wizards" })
    const { user, location } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit?tab=members`)
    await user.click(await findButton("Bulk add or remove"))
    await user.click(await findButton("Add members"))
    expect(await screen.findByText("Import Failed")).toBeTruthy()
    expect(screen.getAllByText("Please provide member data to import.").length).toBeGreaterThan(0)
    await user.type(await findField("Members"), "Ben Botha, ben@w.example, Nurse\nrubbish")
    await user.click(await findButton("Add members"))
    expect(await screen.findByText("Members Added")).toBeTruthy()
    expect(screen.getByText("1 member added")).toBeTruthy()
    expect(await screen.findByText("Enter name, e-mail and position, separated by commas")).toBeTruthy()
    await user.click(within(screen.getByRole("dialog")).getByText("Close"))
    expect(await screen.findByText("Ben Botha")).toBeTruthy()
    await user.click(await findButton("Next"))
    await waitFor(() => expect(location()).toContain("tab=documents"))
    expect(await screen.findAllByText("Not uploaded")).toHaveLength(2)
    await user.click(await findButton("Next"))
    expect(
      await screen.findByText(/^Required documents are missing: Application form, Company registration\. You can/),
    ).toBeTruthy()
    await user.click(await findButton("Activate Policy"))
    expect(await screen.findByText("Policy Activated Successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toBe(`/policies/${draft.id}`))
  })
})

describe("the record", () => {
  test("sections are edited separately; two concurrent editors lose no changes", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Editors" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    const others = ["Policy Information", "Coverage Details", "Billing terms"]
    const offered = () =>
      others.filter((title) => !screen.getByRole("button", { name: `Edit ${title}` }).matches(":disabled"))
    await user.click(await findButton("Edit Main Contact"))
    expect(offered()).toEqual([])
    const name = await findField("Full name")
    await user.clear(name)
    await user.type(name, "Mine")
    await user.type(await findField("Notes"), "Calls back after four")
    await app.as(app.people.manager2).policies.updateSection({
      policyId: policy.id,
      version: policy.version,
      change: { section: "contact", values: { ...policy.contact, contactName: "Theirs", contactPhone: "0115550100" } },
    })
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText(/Your changes are not lost/)).toBeTruthy()
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    await waitFor(() => expect(offered()).toEqual(others))
    expect((await managerClient().policies.detail({ policyId: policy.id })).contact).toMatchObject({
      contactName: "Mine",
      contactPhone: "0115550100",
      contactNotes: "Calls back after four",
    })
  })

  test("members are added and removed in their own section, with day and reason", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Section Sisters", members: 2 })
    const { rows } = await managerClient().members.list({ policyId: policy.id })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}?tab=members`)
    const actions = `Actions for ${rows[0]!.number}`
    await user.click(await findButton(actions))
    for (const { id, firstName, lastName } of rows)
      expect(screen.getByRole("link", { name: `${firstName} ${lastName}`, hidden: true }).getAttribute("href")).toBe(
        `/members/${id}`,
      )
    await screen.findByRole("menuitem", { name: "Suspend member" })
    expect(screen.queryByRole("menuitem", { name: "Remove member" })).toBeNull()
    expect(screen.queryByRole("menuitem", { name: "Terminate member" })).toBeNull()
    await user.keyboard("{Escape}")
    expect(screen.queryByRole("button", { name: "Bulk add or remove" })).toBeNull()

    await user.click(await findButton("Edit members"))
    expect(await findButton("Done")).toBeTruthy()
    expect(screen.queryByRole("button", { name: "More" })).toBeNull()
    await user.click(await findButton(actions))
    await user.click(await screen.findByRole("menuitem", { name: "Remove member" }))
    const dialog = within(await screen.findByRole("dialog"))
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Left the company")
    await user.click(dialog.getByRole("button", { name: "Remove member" }))
    await waitFor(async () =>
      expect(await managerClient().members.detail({ memberId: rows[0]!.id })).toMatchObject({
        status: "Terminated",
        endReason: "Left the company",
      }),
    )

    await user.click(await findButton("Bulk add or remove"))
    await user.click(await screen.findByText("Remove"))
    await user.click(await findButton("Remove members"))
    expect(await screen.findByText("Import Failed")).toBeTruthy()
    await user.type(await findField("Members"), rows[1]!.email)
    await user.click(await findButton("Remove members"))
    expect(await screen.findByText("Enter a reason")).toBeTruthy()
    await user.type(within(screen.getByRole("dialog")).getByRole("textbox", { name: "Reason" }), "Shop closed")
    await user.click(await findButton("Remove members"))
    expect(await screen.findByText("Members Removed")).toBeTruthy()
    expect(screen.getByText("1 member removed")).toBeTruthy()
    expect(await managerClient().members.detail({ memberId: rows[1]!.id })).toMatchObject({ endReason: "Shop closed" })
    await user.click(await findButton("Done"))
    expect(await findButton("Edit members")).toBeTruthy()
  })

  test("an unreadable amount is not saved as empty", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Unreadable" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    await user.click(await findButton("Edit Coverage Details"))
    const sum = await findField("Sum assured")
    await user.clear(sum)
    await user.type(sum, "two million")
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Enter an amount in rand, such as 1 234,50")).toBeTruthy()
    await user.clear(sum)
    await user.click(await screen.findByRole("combobox", { name: "Coverage type" }))
    const types = await screen.findAllByRole("option")
    expect(types.map(({ textContent }) => textContent)).toEqual(["Life", "Health", "Disability", "Comprehensive"])
    await user.click(types[3]!)
    await user.type(sum, "2000000{Enter}")
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    const activity = await managerClient().policies.activity({ policyId: policy.id })
    expect(activity[0]!.changes).toEqual(
      expect.arrayContaining([
        { field: "coverageType", before: "life", after: "comprehensive" },
        { field: "sumAssuredCents", before: 1_000_000_00, after: 2_000_000_00 },
        { field: "sumAssuredFromOn", before: null, after: "2026-12-01" },
      ]),
    )
    expect(activity[0]!.changes).toHaveLength(3)
    expect(await screen.findByText(/^R.2.000.000,00 from 2026-12-01$/)).toBeTruthy()
    await user.click(await findButton("Edit Coverage Details"))
    await user.type(await findField("New sum assured applies from"), "01/06/2026")
    expect(await screen.findByText(/^R.2.000.000,00 from 2026-12-01$/)).toBeTruthy()
    await user.click(await screen.findByRole("radio", { name: /^Replace/ }))
    await user.clear(await findField("Sum assured"))
    await user.type(await findField("Sum assured"), "1500000{Enter}")
    expect(await screen.findByText(/^R.1.000.000,00 until 2026-05-31$/)).toBeTruthy()
    const { sumsAssured } = await managerClient().policies.datedTerms({ policyId: policy.id })
    expect(sumsAssured.slice(1)).toEqual([{ fromOn: "2026-06-01", sumAssuredCents: 1_500_000_00 }])
  })

  test("an invalid date is not saved as empty", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Leap day" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    await user.click(await findButton("Edit Policy Information"))
    await user.type(await findField("End date"), "29/02/2027{Enter}")
    expect(await screen.findByText(/^Enter a valid date as/)).toBeTruthy()
    await user.clear(await findField("End date"))
    await user.type(await findField("End date"), "28/02/2027{Enter}")
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    const activity = await managerClient().policies.activity({ policyId: policy.id })
    expect(activity[0]!.changes).toEqual([{ field: "endOn", before: null, after: "2027-02-28" }])
  })

  test("billing terms ask for the first month, preview the next invoice, and are saved", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Taken over" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    await user.click(await findButton("Edit Billing terms"))
    await user.click(await screen.findByRole("combobox", { name: "First month to bill in Milkwood" }))
    await user.click(await screen.findByRole("option", { name: "Nov 2026" }))
    expect(
      await screen.findByText(/^Next invoice: R 3.500,00 less \(January, .* and October, 10 × R 350,00/),
    ).toBeTruthy()
    const days = await findField("Days to pay")
    await user.clear(days)
    await user.type(days, "14{Enter}")
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    const { terms } = await managerClient().policies.detail({ policyId: policy.id })
    expect(terms).toEqual({ billedFromOn: "2026-11-01", endRule: "whole month", dueDays: 14, staffListDay: null })
  })

  test("rates are typed and pasted in the grid, with a preview of the month", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Rated" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    await user.click(await expectEnabled("Use rates"))
    const dialog = within(await screen.findByRole("dialog", { name: "Use rates" }, { timeout: 20_000 }))
    await user.click(dialog.getByRole("textbox", { name: "Amount, row 1" }))
    await user.paste("member\tGold\t\t\t412,00\nmember\t\t\t\t300\nnobody\t\t\t\t1")
    expect(await dialog.findByText("Could not read line 3 of the pasted rows")).toBeTruthy()
    expect(await dialog.findByText(/Dec 2026: R.300,00 for 1 member, excl. VAT; currently R.350,00/)).toBeTruthy()
    await user.click(dialog.getByRole("button", { name: "Save rates" }))
    expect(await screen.findByText("Rates saved")).toBeTruthy()
    const { tables } = await managerClient().policies.rates({ policyId: policy.id })
    expect(tables).toMatchObject([{ fromOn: "2026-12-01", table: { rows: [{ cents: 412_00 }, { cents: 300_00 }] } }])
    expect(await screen.findByText(/Member, Gold: R.412,00/)).toBeTruthy()
  })

  test("a draft with rates is activated from the wizard", async () => {
    const draft = await createDraftPolicy(managerClient(), { groupName: "Rated wizards" })
    await createMember(managerClient(), draft.id, { firstName: "Ben", lastName: "Botha" })
    const { user, location } = await openPage(app, app.people.manager, `/policies/${draft.id}/edit?tab=details`)
    await user.click(await expectEnabled("Use rates"))
    const dialog = within(await screen.findByRole("dialog", { name: "Use rates" }, { timeout: 20_000 }))
    await user.type(dialog.getByRole("textbox", { name: "Amount, row 1" }), "300{Tab}")
    await user.click(dialog.getByRole("button", { name: "Save rates" }))
    expect(await screen.findByText("Rates saved")).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await user.click(await findButton("Next"))
    await waitFor(() => expect(location()).toContain("tab=members"))
    await user.click(await findButton("Next"))
    await waitFor(() => expect(location()).toContain("tab=documents"))
    await user.click(await findButton("Next"))
    await user.click(await findButton("Activate Policy"))
    expect(await screen.findByText("Policy Activated Successfully")).toBeTruthy()
    expect(await managerClient().policies.detail({ policyId: draft.id })).toMatchObject({
      status: "Active",
      rated: true,
    })
  })

  test("an underwriter reads rates without editing, and the employer does not see them", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Read rates" })
    const row = {
      person: "member",
      tierId: null,
      ageFrom: null,
      ageUntil: null,
      cents: 412_00,
      perMille: null,
    } as const
    const rates = { ageOn: "month", sumAssured: null, rows: [row] } as const
    await managerClient().policies.saveRates({
      ...{ policyId: policy.id, version: policy.version, fromOn: "2026-11-01" },
      rates: { ...rates, rows: [row] },
    })
    await openPage(app, app.people.underwriter, `/policies/${policy.id}`)
    expect(await screen.findByText(/^Member: R.412,00/)).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Edit rates" })).toBeNull()
    const employer = app.as(await app.people.groupAdmin(policy.groupId))
    await expect(employer.policies.rates({ policyId: policy.id })).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  test("a termination asks for reason and day, and its refusal stays visible", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Enders" })
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Terminate policy" }))
    const dialog = await screen.findByRole("dialog")
    await user.click(within(dialog).getByRole("button", { name: "Terminate policy" }))
    expect(await within(dialog).findByText("Enter a reason")).toBeTruthy()
    await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "Moved away")
    await user.click(within(dialog).getByRole("button", { name: "Terminate policy" }))
    expect(await screen.findByText("Policy terminated")).toBeTruthy()
    expect((await managerClient().policies.detail({ policyId: policy.id })).status).toBe("Terminated")
  })

  test("an unknown policy, or another group's, is not found", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Hidden" })
    await openPage(app, await app.people.groupAdmin(), `/policies/${policy.id}`)
    expect(await screen.findByText("Policy not found")).toBeTruthy()
  })
})
