import { act, screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { memberOf, sampleIdNumber } from "../../../server/src/members/members.samples.ts"
import { activePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openHouse, openPage, type TestHouse } from "../test/page.tsx"

let house: TestHouse
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

const manager = () => house.as(house.people.manager)
const button = (name: string) => screen.findByRole("button", { name })
const field = (label: string) => screen.findByRole("textbox", { name: label })

describe("the list", () => {
  test("shows members and suspends one from its row", async () => {
    const policy = await activePolicy(manager(), { groupName: "Acacia Foods" })
    const member = await memberOf(manager(), policy.id, { firstName: "Zelda", lastName: "Zulu" })
    const { user } = await openPage(house, house.people.manager, "/members?search=zelda")
    await user.click(await button(`Actions for ${member.number}`))
    await user.click(await screen.findByRole("menuitem", { name: "Suspend" }))
    const dialog = await screen.findByRole("dialog")
    await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "Unpaid leave")
    await user.click(within(dialog).getByRole("button", { name: "Suspend member" }))
    expect(await screen.findByText("Member suspended")).toBeTruthy()
    expect((await manager().members.detail({ memberId: member.id })).status).toBe("Suspended")
  })

  test("a policy holder reads masked ID numbers and is offered nothing to change", async () => {
    const policy = await activePolicy(manager(), { groupName: "Masked" })
    const holder = await house.people.policyHolder(policy.groupId)
    await openPage(house, holder, "/members")
    expect(await screen.findByText(/^••••••••••\d{3}$/)).toBeTruthy()
    expect(screen.queryByRole("link", { name: "Add member" })).toBeNull()
  })
})

describe("the five-step form", () => {
  test("an ID number fills in date of birth and gender, the same person is told, and saving goes to the list", async () => {
    const policy = await activePolicy(manager(), { groupName: "Forms" })
    await memberOf(manager(), policy.id, { person: 4_000_001, firstName: "Twin" })
    const { tiers } = await manager().benefits.choices()
    const { user, location, queryClient } = await openPage(house, house.people.manager, "/members/new")
    await user.type(await field("First name"), "Thabo")
    await user.type(await field("Last name"), "Nkosi")
    expect(screen.getByText("Still needed: ID number")).toBeTruthy()
    await user.type(await field("ID number"), sampleIdNumber(4_000_001))
    expect(await screen.findByText(/The same number is also in another policy/)).toBeTruthy()
    await user.clear(await field("ID number"))
    await user.type(await field("ID number"), "8001015009087")
    expect((await field("Date of birth")).getAttribute("value")).toBe("1980-01-01")
    await user.click(await button("Next"))
    await user.type(await field("Email"), "thabo@forms.example")
    await user.type(await field("Phone"), "0821112222")
    await user.click(await button("Next"))
    await user.click(await screen.findByRole("combobox", { name: "Employment status" }))
    await user.click(await screen.findByRole("option", { name: "Employed" }))
    await user.click(await button("Next"))
    await user.click(await screen.findByRole("combobox", { name: "Group policy" }))
    await user.click(await screen.findByRole("option", { name: `Forms · ${policy.number}` }))
    await user.click(await screen.findByRole("combobox", { name: "Benefit tier" }))
    await user.click(await screen.findByRole("option", { name: tiers[1]!.name }))
    await user.click(await button("Next"))
    await user.click(await button("Add dependent"))
    const dialog = await screen.findByRole("dialog")
    await user.click(within(dialog).getByRole("button", { name: "Save dependent" }))
    expect(await within(dialog).findByText("Choose the relationship")).toBeTruthy()
    await user.type(within(dialog).getByRole("textbox", { name: "First name" }), "Sam")
    await user.type(within(dialog).getByRole("textbox", { name: "Last name" }), "Nkosi")
    await user.click(within(dialog).getByRole("combobox", { name: "Relationship" }))
    await user.click(await screen.findByRole("option", { name: "Spouse" }))
    await user.click(within(dialog).getByRole("button", { name: "Save dependent" }))
    const save = await button("Save member")
    act(() => {
      save.click()
      save.click()
    })
    expect(await screen.findByText("Member created successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toBe("/members"))
    expect(queryClient.getMutationCache().getAll()).toHaveLength(1)
    const [made] = (await manager().members.list({ search: "thabo@forms" })).rows
    expect(made).toMatchObject({ status: "Active", tierName: tiers[1]!.name, dependents: 1 })
  })

  test("a refusal leads to the step and field that it is about, and nothing typed is lost", async () => {
    const policy = await activePolicy(manager(), { groupName: "Refusals" })
    const member = await memberOf(manager(), policy.id)
    const { user, location } = await openPage(house, house.people.manager, `/members/${member.id}/edit`)
    await user.clear(await field("Date of birth"))
    await user.type(await field("Date of birth"), "1990-12-31")
    for (let step = 1; step < 5; step++) await user.click(await button("Next"))
    await user.click(await button("Save Changes"))
    expect(await screen.findByText("The date of birth differs from the one in the ID number")).toBeTruthy()
    expect(location()).toBe(`/members/${member.id}/edit`)
    expect((await field("Date of birth")).getAttribute("value")).toBe("1990-12-31")
  })
})

describe("the record", () => {
  test("notice is withdrawn, once it was said what goes with it", async () => {
    const policy = await activePolicy(manager(), { groupName: "Notice", startOn: "2026-01-01" })
    const member = await memberOf(manager(), policy.id, { startOn: "2026-01-01" })
    const act = { memberId: member.id, version: member.version, on: "2099-12-31", reason: "Resigned" }
    await manager().members.terminate(act)
    const { user } = await openPage(house, house.people.manager, `/members/${member.id}`)
    await user.click(await button("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Withdraw what is planned" }))
    const dialog = await screen.findByRole("dialog")
    expect(within(dialog).getByText(/This withdraws the end of membership after 2099-12-31\./)).toBeTruthy()
    await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "Stays")
    await user.click(within(dialog).getByRole("button", { name: "Withdraw what is planned" }))
    expect(await screen.findByText("Withdrawn: cover goes on")).toBeTruthy()
    expect((await manager().members.detail({ memberId: member.id })).endOn).toBeNull()
  })

  test("a tier is changed from a day on, and the cover shows both", async () => {
    const policy = await activePolicy(manager(), { groupName: "Tiers", startOn: "2026-01-01" })
    const member = await memberOf(manager(), policy.id, { startOn: "2026-01-01" })
    const { user } = await openPage(house, house.people.manager, `/members/${member.id}?tab=cover`)
    await user.click(await button("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Change benefit tier" }))
    const dialog = await screen.findByRole("dialog")
    await user.click(within(dialog).getByRole("combobox", { name: "Benefit tier" }))
    await user.click(await screen.findByRole("option", { name: "Gold" }))
    await user.click(within(dialog).getByRole("button", { name: "Change benefit tier" }))
    expect(await screen.findByText("Benefit tier changed")).toBeTruthy()
    expect(await screen.findByRole("cell", { name: "Gold" })).toBeTruthy()
    expect(screen.getByRole("cell", { name: "Standard" })).toBeTruthy()
  })

  test("a dependent given in the dialog waits in its section until that is saved", async () => {
    const policy = await activePolicy(manager(), { groupName: "Kin" })
    const member = await memberOf(manager(), policy.id)
    const { user } = await openPage(house, house.people.manager, `/members/${member.id}`)
    await user.click(await button("Edit Dependents"))
    await user.click(await button("Add dependent"))
    const dialog = within(await screen.findByRole("dialog"))
    await user.type(dialog.getByRole("textbox", { name: "First name" }), "Lwazi")
    await user.type(dialog.getByRole("textbox", { name: "Last name" }), "Mthembu")
    await user.click(dialog.getByRole("combobox", { name: "Relationship" }))
    await user.click(await screen.findByRole("option", { name: "Child" }))
    await user.click(dialog.getByRole("button", { name: "Save dependent" }))
    expect(await button("Edit Lwazi Mthembu")).toBeTruthy()
    expect((await manager().members.detail({ memberId: member.id })).dependents).toHaveLength(0)
    await user.click(await button("Save Changes"))
    expect(await screen.findByText("Member updated successfully")).toBeTruthy()
    expect((await manager().members.detail({ memberId: member.id })).dependents).toHaveLength(1)
  })

  test("a claim is begun for the member, once covered", async () => {
    const policy = await activePolicy(manager(), { groupName: "Claimants", startOn: "2026-01-01" })
    const member = await memberOf(manager(), policy.id, { startOn: "2026-01-01" })
    const { user, location } = await openPage(house, house.people.manager, `/members/${member.id}`)
    await user.click(await button("More"))
    await user.click(await screen.findByRole("menuitem", { name: "New claim" }))
    expect(await screen.findByDisplayValue(new RegExp(`${member.number}, Claimants`))).toBeTruthy()
    expect(location()).toContain(`memberId=${member.id}`)
  })

  test("a member of another group is not found", async () => {
    const policy = await activePolicy(manager(), { groupName: "Strangers" })
    const member = await memberOf(manager(), policy.id)
    await openPage(house, await house.people.groupAdmin(), `/members/${member.id}`)
    expect(await screen.findByText("Member not found")).toBeTruthy()
  })
})
