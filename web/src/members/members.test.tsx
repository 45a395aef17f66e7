import { act, screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember, sampleIdNumber } from "../../../server/src/members/members.samples.ts"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)
const findButton = (name: string) => screen.findByRole("button", { name })
const findField = (label: string) => screen.findByRole("textbox", { name: label })
const readOptions = async (user: Awaited<ReturnType<typeof openPage>>["user"], label: string) => {
  await user.click(await screen.findByRole("combobox", { name: label }))
  return (await screen.findAllByRole("option")).map(({ textContent }) => textContent)
}

describe("the list", () => {
  test("the members list suspends a member from its row", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Acacia Foods" })
    const member = await createMember(managerClient(), policy.id, { firstName: "Zelda", lastName: "Zulu" })
    const { user } = await openPage(app, app.people.manager, "/members?search=zelda")
    await user.click(await findButton(`Actions for ${member.number}`))
    await user.click(await screen.findByRole("menuitem", { name: "Suspend member" }))
    const dialog = await screen.findByRole("dialog")
    await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "Unpaid leave")
    await user.click(within(dialog).getByRole("button", { name: "Suspend member" }))
    expect(await screen.findByText("Member suspended")).toBeTruthy()
    expect((await managerClient().members.detail({ memberId: member.id })).status).toBe("Suspended")
  })

  test("a bulk suspension has one day and reason, and skips members already suspended", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Selected" })
    const [one, two, gone] = [
      await createMember(managerClient(), policy.id, { firstName: "Una", lastName: "Quokka" }),
      await createMember(managerClient(), policy.id, { firstName: "Duo", lastName: "Quokka" }),
      await createMember(managerClient(), policy.id, { firstName: "Tria", lastName: "Quokka" }),
    ]
    const { today } = await managerClient().settings.display({})
    await managerClient().members.suspend({ memberId: gone.id, version: gone.version, on: today, reason: "Already" })
    const { user } = await openPage(app, app.people.manager, "/members?search=quokka")
    await user.click(await screen.findByRole("checkbox", { name: /^Select all/ }))
    await user.click(await findButton("Suspend 2 of 3"))
    const dialog = within(await screen.findByRole("dialog", { name: "Suspend 2 members?" }))
    await user.click(dialog.getByRole("button", { name: "Suspend 2 members" }))
    expect(await dialog.findByText("Enter a reason")).toBeTruthy()
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Short time")
    await user.click(dialog.getByRole("button", { name: "Suspend 2 members" }))
    expect(await dialog.findByText("2 members suspended.")).toBeTruthy()
    for (const { id: memberId } of [one, two]) {
      const { status, statusReason } = await managerClient().members.detail({ memberId })
      expect([status, statusReason]).toEqual(["Suspended", "Short time"])
    }
    expect((await managerClient().members.detail({ memberId: gone.id })).statusReason).toBe("Already")
  })

  test("a policy holder sees masked ID numbers and cannot add a member", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Masked" })
    const holder = await app.people.policyHolder(policy.groupId)
    await openPage(app, holder, "/members")
    expect(await screen.findByText(/^••••••••••\d{3}$/)).toBeTruthy()
    expect(screen.queryByRole("link", { name: "Add member" })).toBeNull()
  })
})

describe("the five-step form", () => {
  test("the member form fills in details from an ID number and warns of duplicates", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Forms" })
    await createMember(managerClient(), policy.id, { person: 4_000_001, firstName: "Twin" })
    const { tiers } = await managerClient().benefits.choices()
    const { user, location, queryClient } = await openPage(app, app.people.manager, "/members/new")
    const isMarked = async (label: string) => ((await findField(label)) as HTMLInputElement).required
    expect((await screen.findByRole("link", { name: "Back to Members" })).getAttribute("href")).toBe("/members")
    const steps = within(screen.getByRole("navigation", { name: "Steps" })).getAllByRole("button")
    expect(steps.map(({ textContent }) => textContent!.replace(/^\d|, .*$/g, ""))).toEqual([
      "Personal Info",
      "Contact Info",
      "Employment",
      "Policy Allocation",
      "Dependents",
    ])
    for (const label of ["First name", "Last name", "ID number"]) expect(await isMarked(label), label).toBe(true)
    expect(await readOptions(user, "Gender")).toEqual(["Male", "Female", "Other"])
    await user.type(await findField("First name"), "Thabo")
    await user.type(await findField("Last name"), "Nkosi")
    expect(screen.getByText("Still needed: ID number")).toBeTruthy()
    await user.type(await findField("ID number"), sampleIdNumber(4_000_001))
    expect(await screen.findByText(/The same number is also in another policy/)).toBeTruthy()
    await user.clear(await findField("ID number"))
    await user.type(await findField("ID number"), "8001015009087")
    expect((await findField("Date of birth")).getAttribute("value")).toBe("1980-01-01")
    await user.click(await findButton("Next"))
    expect(await isMarked("Email")).toBe(true)
    await user.type(await findField("Email"), "thabo@forms.example")
    await user.type(await findField("Phone"), "0821112222")
    await user.click(await findButton("Next"))
    expect(await readOptions(user, "Employment status")).toEqual([
      "Employed",
      "Self-employed",
      "Unemployed",
      "Retired",
      "Student",
    ])
    await user.click(await screen.findByRole("option", { name: "Employed" }))
    await user.click(await findButton("Next"))
    await user.click(await screen.findByRole("combobox", { name: "Group policy" }))
    await user.click(await screen.findByRole("option", { name: `Forms · ${policy.number}` }))
    await user.click(await screen.findByRole("combobox", { name: "Benefit tier" }))
    await user.click(await screen.findByRole("option", { name: tiers[1]!.name }))
    await user.click(await findButton("Next"))
    await user.click(await findButton("Add dependent"))
    const dialog = await screen.findByRole("dialog")
    await user.click(within(dialog).getByRole("button", { name: "Save dependent" }))
    expect(await within(dialog).findByText("Choose the relationship")).toBeTruthy()
    await user.type(within(dialog).getByRole("textbox", { name: "First name" }), "Sam")
    await user.type(within(dialog).getByRole("textbox", { name: "Last name" }), "Nkosi")
    await user.click(within(dialog).getByRole("combobox", { name: "Relationship" }))
    await user.click(await screen.findByRole("option", { name: "Spouse" }))
    await user.click(within(dialog).getByRole("button", { name: "Save dependent" }))
    const save = await findButton("Save member")
    act(() => {
      save.click()
      save.click()
    })
    expect(await screen.findByText("Member created successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toMatch(/^\/members\/[0-9a-f-]{36}$/))
    expect(queryClient.getMutationCache().getAll()).toHaveLength(1)
    const [made] = (await managerClient().members.list({ search: "thabo@forms" })).rows
    expect(made).toMatchObject({ status: "Active", tierName: tiers[1]!.name, dependents: 1 })
  })

  test("after adding members to a policy, the form returns to that policy", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "There and back" })
    const { user, location } = await openPage(app, app.people.manager, `/members/new?policyId=${policy.id}`)
    await user.type(await findField("First name"), "Lwazi")
    await user.type(await findField("Last name"), "Dube")
    await user.type(await findField("ID number"), sampleIdNumber(4_000_002))
    await user.click(await findButton("Next"))
    await user.type(await findField("Email"), "lwazi@there.example")
    for (const _ of ["contact", "employment"]) await user.click(await findButton("Next"))
    expect(((await screen.findByRole("combobox", { name: "Group policy" })) as HTMLInputElement).required).toBe(true)
    const tier = await screen.findByRole<HTMLInputElement>("combobox", { name: "Benefit tier" })
    expect(tier.required).toBe(true)
    await user.click(tier)
    await user.click(await screen.findByRole("option", { name: "Standard" }))
    await user.click(await findButton("Next"))
    await user.click(await findButton("Save member"))
    expect(await screen.findByText("Member created successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toBe(`/policies/${policy.id}?tab=members`))
  })

  test("a refused field opens its step and keeps all input", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Refusals" })
    const member = await createMember(managerClient(), policy.id)
    const { user, location } = await openPage(app, app.people.manager, `/members/${member.id}/edit`)
    await user.clear(await findField("Date of birth"))
    await user.type(await findField("Date of birth"), "1990-12-31")
    for (let step = 1; step < 5; step++) await user.click(await findButton("Next"))
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("The date of birth differs from the one in the ID number")).toBeTruthy()
    expect(location()).toBe(`/members/${member.id}/edit`)
    expect((await findField("Date of birth")).getAttribute("value")).toBe("1990-12-31")
  })
})

describe("the record", () => {
  test("withdrawing a planned end first shows the consequences", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Notice", startOn: "2026-01-01" })
    const member = await createMember(managerClient(), policy.id, { startOn: "2026-01-01" })
    const act = { memberId: member.id, version: member.version, on: "2099-12-31", reason: "Resigned" }
    await managerClient().members.terminate(act)
    const { user } = await openPage(app, app.people.manager, `/members/${member.id}`)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Withdraw planned changes" }))
    const dialog = await screen.findByRole("dialog")
    expect(dialog.textContent).toContain("This withdraws the end of membership after 2099-12-31.")
    await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "Unchanged")
    await user.click(within(dialog).getByRole("button", { name: "Withdraw planned changes" }))
    expect(await screen.findByText("Planned changes withdrawn: cover continues")).toBeTruthy()
    expect((await managerClient().members.detail({ memberId: member.id })).endOn).toBeNull()
  })

  test("planned changes are marked as planned, each with its day and reason", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Planned", startOn: "2026-01-01" })
    const { id: memberId, version } = await createMember(managerClient(), policy.id, { startOn: "2026-01-01" })
    const { user, unmount } = await openPage(app, app.people.manager, `/members/${memberId}`)
    const panel = within((await screen.findByRole("heading", { name: "Membership" })).closest("section")!)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Suspend member" }))
    const dialog = within(await screen.findByRole("dialog"))
    const day = dialog.getByRole("textbox", { name: "Suspended from" })
    await user.clear(day)
    await user.type(day, "2099-03-01")
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Maternity")
    await user.click(dialog.getByRole("button", { name: "Suspend member" }))
    expect(await screen.findByText("Suspended from 2099-03-01")).toBeTruthy()
    expect(screen.queryByText("Member suspended")).toBeNull()
    expect((await panel.findByText("Planned")).nextSibling?.textContent).toBe("Suspended from 2099-03-01: Maternity")
    const head = screen.getByRole("heading", { level: 1 }).closest("header")!
    expect(within(head).getByText("Active")).toBeTruthy()
    expect(panel.queryByText("Reason")).toBeNull()

    unmount()
    await managerClient().members.terminate({ memberId, version: version + 1, on: "2099-12-31", reason: "Retires" })
    const again = await openPage(app, app.people.manager, `/members/${memberId}`)
    expect(await again.findByText(": Retires", { exact: false })).toBeTruthy()
    expect(again.container.textContent).toContain("Membership ends after 2099-12-31: Retires")
  })

  test("a tier change from a day shows both tiers in the cover", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Tiers", startOn: "2026-01-01" })
    const member = await createMember(managerClient(), policy.id, { startOn: "2026-01-01" })
    const { user } = await openPage(app, app.people.manager, `/members/${member.id}?tab=cover`)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Change benefit tier" }))
    const dialog = await screen.findByRole("dialog")
    await user.click(within(dialog).getByRole("combobox", { name: "Benefit tier" }))
    await user.click(await screen.findByRole("option", { name: "Gold" }))
    await user.click(within(dialog).getByRole("button", { name: "Change benefit tier" }))
    expect(await screen.findByText("Benefit tier changed")).toBeTruthy()
    expect(await screen.findByRole("cell", { name: "Gold" })).toBeTruthy()
    expect(screen.getByRole("cell", { name: "Standard" })).toBeTruthy()
  })

  test("a dependent added in the dialog is stored when the section is saved", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Kin" })
    const member = await createMember(managerClient(), policy.id)
    const { user } = await openPage(app, app.people.manager, `/members/${member.id}`)
    await user.click(await findButton("Edit Dependents"))
    await user.click(await findButton("Add dependent"))
    const dialog = within(await screen.findByRole("dialog"))
    await user.type(dialog.getByRole("textbox", { name: "First name" }), "Lwazi")
    await user.type(dialog.getByRole("textbox", { name: "Last name" }), "Mthembu")
    await user.click(dialog.getByRole("combobox", { name: "Relationship" }))
    await user.click(await screen.findByRole("option", { name: "Child" }))
    await user.click(dialog.getByRole("button", { name: "Save dependent" }))
    expect(await findButton("Edit Lwazi Mthembu")).toBeTruthy()
    expect((await managerClient().members.detail({ memberId: member.id })).dependents).toHaveLength(0)
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Member updated successfully")).toBeTruthy()
    expect((await managerClient().members.detail({ memberId: member.id })).dependents).toHaveLength(1)
  })

  test("an invalid phone number shows an error; one older than the rule is accepted", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Phones" })
    const member = await createMember(managerClient(), policy.id)
    const page = await openPage(app, app.people.manager, `/members/${member.id}`)
    await page.user.click(await findButton("Edit Contact Info"))
    const phone = await findField("Phone")
    await page.user.clear(phone)
    await page.user.type(phone, "abc")
    await page.user.click((await screen.findAllByRole("button", { name: "Save Changes" }))[0]!)
    expect(await screen.findByText(/^Enter a phone number of 7 to 15 digits/)).toBeTruthy()
    expect(document.activeElement).toBe(phone)
    page.unmount()

    await app.sql.run(sql`update members set phone = 'ask her' where id = ${member.id}`)
    const { user } = await openPage(app, app.people.manager, `/members/${member.id}/edit?step=contact`)
    const old = await findField("Phone")
    expect(old.getAttribute("value")).toBe("ask her")
    await user.type(old, " first")
    expect(screen.getByText("Still needed: a valid phone number")).toBeTruthy()
    await user.clear(old)
    await user.type(old, "ask her")
    await user.click(await findButton("Next"))
    await user.type(await findField("Job title"), "Chef")
    for (let step = 3; step < 5; step++) await user.click(await findButton("Next"))
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Member updated successfully")).toBeTruthy()
    expect(await managerClient().members.detail({ memberId: member.id })).toMatchObject({
      contact: { phone: "ask her" },
      employment: { jobTitle: expect.stringContaining("Chef") },
    })
  })

  test("a new claim can be started from a covered member's page", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Claimants", startOn: "2026-01-01" })
    const member = await createMember(managerClient(), policy.id, { startOn: "2026-01-01" })
    const { user, location } = await openPage(app, app.people.manager, `/members/${member.id}`)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "New claim" }))
    expect(await screen.findByDisplayValue(new RegExp(`${member.number}, Claimants`))).toBeTruthy()
    expect(location()).toContain(`memberId=${member.id}`)
  })

  test("a member of another group is not found", async () => {
    const policy = await createActivePolicy(managerClient(), { groupName: "Strangers" })
    const member = await createMember(managerClient(), policy.id)
    await openPage(app, await app.people.groupAdmin(), `/members/${member.id}`)
    expect(await screen.findByText("Member not found")).toBeTruthy()
  })
})
