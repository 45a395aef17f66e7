import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember } from "../../../server/src/members/members.samples.ts"
import { sampleNominee } from "../../../server/src/members/nominations.samples.ts"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)

async function addMember(groupName: string) {
  const policy = await createActivePolicy(managerClient(), { groupName })
  const spouse = { firstName: "Anna", lastName: "Quagga", relationship: "spouse", idNumber: null } as const
  const dependents = [{ ...spouse, dateOfBirth: "1985-02-03", gender: null }]
  return { policy, member: await createMember(managerClient(), policy.id, { dependents }) }
}

test("a dependent is added as a beneficiary, and the rest of the shares goes to another person", async () => {
  const { member } = await addMember("Heirs")
  const { user } = await openPage(app, app.people.manager, `/members/${member.id}`)
  await user.click(await screen.findByRole("button", { name: "Add beneficiaries" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add beneficiaries" }))
  const share = (at: number) => dialog.getAllByRole("textbox", { name: "Share (%)" })[at]!
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "Ben Quagga")
  await user.click(dialog.getByRole("combobox", { name: "Relationship" }))
  await user.click(await screen.findByRole("option", { name: "Sibling" }))
  await user.clear(share(0))
  await user.type(share(0), "33.34")
  await user.click(dialog.getByRole("button", { name: "Add Anna Quagga" }))
  expect((share(1) as HTMLInputElement).value).toBe("66.66")
  await user.clear(share(1))
  await user.type(share(1), "66.65")
  expect(dialog.getByText("Remaining: 0.01 %")).toBeDefined()
  await user.click(dialog.getByRole("button", { name: "Save beneficiaries" }))
  expect(await dialog.findByText("Enter an ID number or a date of birth")).toBeDefined()
  await user.type(dialog.getAllByRole("textbox", { name: "Date of birth" })[0]!, "1990-01-02")
  await user.click(dialog.getByRole("button", { name: "Give the rest to Anna Quagga: 66.66 %" }))
  expect(dialog.getByText("The shares add up to 100.00 %.")).toBeDefined()
  await user.click(dialog.getByRole("button", { name: "Save beneficiaries" }))
  expect(await screen.findByText("Beneficiaries saved")).toBeDefined()
  const { nominations } = await managerClient().members.nominations.list({ memberId: member.id })
  expect(nominations).toMatchObject([
    {
      nominees: [
        { name: "Ben Quagga", relationship: "sibling", shareBasisPoints: 3_334 },
        { name: "Anna Quagga", relationship: "spouse", dateOfBirth: "1985-02-03", shareBasisPoints: 6_666 },
      ],
    },
  ])
})

test("a corrected nomination stays in the history, and a policy holder has no buttons", async () => {
  const { member, policy } = await addMember("Corrected heirs")
  const memberId = member.id
  const client = managerClient().members.nominations
  const first = await client.record({ memberId, fromOn: "2026-02-01", nominees: [sampleNominee()] })
  const { user, unmount } = await openPage(app, app.people.manager, `/members/${memberId}`)
  await user.click(await screen.findByRole("button", { name: "Correct" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Correct nomination" }))
  await user.clear(dialog.getByRole("textbox", { name: "Name" }))
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "Annabel Nkosi")
  await user.click(dialog.getByRole("button", { name: "Save correction" }))
  expect(await dialog.findByText("Enter a reason")).toBeDefined()
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Her whole first name")
  await user.click(dialog.getByRole("button", { name: "Save correction" }))
  expect(await screen.findByText("1 other nomination")).toBeDefined()
  expect((await client.list({ memberId })).currentId).not.toBe(first.currentId)
  unmount()
  await openPage(app, await app.people.policyHolder(policy.groupId), `/members/${memberId}`)
  expect(await screen.findByText(/Annabel Nkosi/)).toBeDefined()
  expect(screen.queryByRole("button", { name: /beneficiaries|Correct|Withdraw|signed form/ })).toBeNull()
  expect(screen.getAllByText("FNB, ••••••••567")).toHaveLength(2)
})
