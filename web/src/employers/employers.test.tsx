import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
let manager: ReturnType<TestApp["as"]>
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

const blank = { registrationNumber: "", vatNumber: "", phone: "", address: "", postalAddress: "" }
const findDialog = async (name: string) => within(await screen.findByRole("dialog", { name }))

it("a manager creates an employer and is led to its page, from where a policy begins", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/groups")
  await user.click((await screen.findAllByRole("button", { name: "New employer" }))[0]!)
  const dialog = await findDialog("New employer")
  await user.click(dialog.getByRole("button", { name: "Create employer" }))
  expect(await dialog.findByText("Enter the group name")).toBeTruthy()
  await user.type(dialog.getByRole("textbox", { name: "Group name" }), "Karoo Kitchens")
  await user.type(dialog.getByRole("textbox", { name: /^Registration number/ }), "2014/123456/07")
  await user.click(dialog.getByRole("button", { name: "Create employer" }))
  expect(await screen.findByRole("heading", { name: "Karoo Kitchens" })).toBeTruthy()
  expect(await screen.findByText("No policy yet")).toBeTruthy()
  expect(screen.getByText("2014/123456/07")).toBeTruthy()
  await user.click(screen.getByRole("link", { name: "New policy" }))
  await waitFor(() => expect(location()).toMatch(/^\/policies\/new/))
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Group name" }).value).toBe("Karoo Kitchens"),
  )
})

it("a manager edits the details of an employer", async () => {
  const { id: groupId } = await manager.employers.create({ name: "Veld Vineyards", ...blank })
  const { user } = await openPage(app, app.people.manager, `/groups/${groupId}`)
  await user.click(await screen.findByRole("button", { name: "Edit Details" }))
  const name = await screen.findByRole("textbox", { name: "Group name" })
  await user.clear(name)
  await user.type(name, "Veld Wines")
  await user.type(screen.getByRole("textbox", { name: /^VAT number/ }), "4123456789")
  await user.click(screen.getByRole("button", { name: "Save Changes" }))
  expect(await screen.findByRole("heading", { name: "Veld Wines" })).toBeTruthy()
  expect(await manager.employers.detail({ groupId })).toMatchObject({ name: "Veld Wines", vatNumber: "4123456789" })
})

it("closing an employer names its policies that have not ended", async () => {
  const { groupId, number } = await createActivePolicy(manager, { groupName: "Dune Diamonds" })
  const { user } = await openPage(app, app.people.manager, `/groups/${groupId}`)
  const choose = async (action: string) => {
    await user.click(await screen.findByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: action }))
  }
  await choose("Close employer")
  const dialog = await findDialog("Close Dune Diamonds?")
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Moved")
  await user.click(dialog.getByRole("button", { name: "Close employer" }))
  expect(await dialog.findByText(`Terminate the policies of this employer first: ${number}.`)).toBeTruthy()
})

it("a closed employer can be reopened", async () => {
  const ended = await manager.employers.create({ name: "Dune Dairy", ...blank })
  await manager.employers.close({ groupId: ended.id, version: ended.version, reason: "Never started" })
  const { user } = await openPage(app, app.people.manager, `/groups/${ended.id}`)
  expect(await screen.findByText("Never started")).toBeTruthy()
  expect(screen.queryByRole("link", { name: "New policy" })).toBeNull()
  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Reopen employer" }))
  expect(await screen.findByRole("link", { name: "New policy" })).toBeTruthy()
})

it("a manager adds a contact for invoices", async () => {
  const { groupId } = await createActivePolicy(manager, { groupName: "Marula Mills" })
  const { user } = await openPage(app, app.people.manager, `/groups/${groupId}?tab=contacts`)
  await user.click(await screen.findByRole("button", { name: "Add contact" }))
  const dialog = await findDialog("Add contact")
  await user.type(dialog.getByRole("textbox", { name: "Full name" }), "Zola Accounts")
  await user.click(dialog.getByRole("checkbox", { name: "Invoices" }))
  await user.click(dialog.getByRole("button", { name: "Add contact" }))
  expect(await dialog.findByText("Enter an e-mail address, or remove the purposes")).toBeTruthy()
  await user.type(dialog.getByRole("textbox", { name: "Email" }), "accounts@marula.example")
  await user.click(dialog.getByRole("button", { name: "Add contact" }))
  expect(await screen.findByText("accounts@marula.example")).toBeTruthy()
  const [contact] = await manager.employers.contacts.list({ groupId })
  expect(contact).toMatchObject({ name: "Zola Accounts", purposes: ["invoices"] })
})

it("an employer's HR reads the contacts and cannot change them", async () => {
  const { groupId } = await createActivePolicy(manager, { groupName: "Marula Motors" })
  const values = { name: "Zola Notices", position: "", email: "notices@marula.example", phone: "", cell: "" }
  await manager.employers.contacts.add({ groupId, values: { ...values, purposes: ["notices"] } })
  await openPage(app, await app.people.groupAdmin(groupId), `/groups/${groupId}?tab=contacts`)
  expect(await screen.findByText("notices@marula.example")).toBeTruthy()
  expect(screen.queryByRole("button", { name: "Add contact" })).toBeNull()
  expect(screen.queryByRole("button", { name: "Remove Zola Notices" })).toBeNull()
})
