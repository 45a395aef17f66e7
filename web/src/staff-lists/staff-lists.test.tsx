import { act, screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import {
  createCheckedList,
  createImportedList,
  type StaffListApp,
  uploadListAs,
} from "../../../server/src/staff-lists/staff-lists.samples.ts"
import { openPage, openTestApp } from "../test/page.tsx"

let desk: StaffListApp
beforeAll(async () => {
  const app = await openTestApp()
  desk = { app, server: await app.serve() }
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const createDraftPolicyFor = (groupName: string) => createDraftPolicy(desk.app.as(managerActor()), { groupName })

const staffListCsv = [
  "Vorname,Surname,ID Number,Email,Scheme",
  "Anna,Nkosi,8506255853085,anna@list.example,Acacia",
  "Ben,,7605094246088,ben@list.example,Acacia",
  '"=1+1",Botha,9008140868088,carl@list.example,Acacia',
].join("\n")

describe("the import of a staff list", () => {
  test("maps the columns, previews rows, imports them and is undone", async () => {
    const policy = await createDraftPolicyFor("Acacia")
    const sent = await uploadListAs(desk, managerActor(), policy.id, "staff.csv", staffListCsv)
    const { importId } = (await sent.json()) as { importId: string }
    const { user, queryClient } = await openPage(desk.app, managerActor(), `/members/import/${importId}`)

    expect(await screen.findByText("Still needed: First Name")).toBeDefined()
    expect((screen.getByRole("button", { name: "Check 3 rows" }) as HTMLButtonElement).disabled).toBe(true)
    await user.click(screen.getByRole("combobox", { name: /^First Name/ }))
    const columns = await screen.findByRole("listbox", { name: /^First Name/ })
    await user.click(await within(columns).findByRole("option", { name: "Vorname" }))
    const check = screen.getByRole("button", { name: "Check 3 rows" })
    act(() => {
      check.click()
      check.click()
    })
    await screen.findByText("Checking", {}, { timeout: 10_000 })
    expect(queryClient.getMutationCache().getAll()).toHaveLength(1)
    await desk.app.runJobs()

    const start = await screen.findByRole("button", { name: "Import 2 members" }, { timeout: 15_000 })
    expect(await screen.findByText("The last name is missing")).toBeDefined()
    expect(screen.getByText("=1+1 Botha")).toBeDefined()
    expect(within(screen.getByRole("region", { name: "Summary" })).getByText("Total records")).toBeDefined()
    expect(screen.getByRole("link", { name: "Download rejected rows" })).toBeDefined()
    expect(screen.getByRole("link", { name: /Errors\s*1/ })).toBeDefined()
    await user.click(start)
    const dialog = await screen.findByRole("dialog", { hidden: true })
    expect(within(dialog).getByText(/2 members will be added, 1 rejected row is left out/)).toBeDefined()
    await user.click(within(dialog).getByRole("button", { name: "Import members" }))
    await screen.findByText("Importing", {}, { timeout: 10_000 })
    await desk.app.runJobs()

    expect(await screen.findByText(/2 added, 0 updated, 0 ended, 1 rejected/, {}, { timeout: 15_000 })).toBeDefined()
    // The list belongs to a draft policy, so the link continues in its wizard.
    const back = screen.getByRole("link", { name: `Continue with ${policy.number}` })
    expect(back.getAttribute("href")).toBe(`/policies/${policy.id}/edit?tab=members`)
    await user.click(screen.getByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: "Undo import" }))
    const asked = await screen.findByRole("dialog", { hidden: true })
    await user.click(within(asked).getByRole("button", { name: "Undo import" }))
    expect(
      await screen.findByText("The import was undone and its members were removed.", {}, { timeout: 15_000 }),
    ).toBeDefined()
  }, 90_000)

  test("a refused row is corrected in the preview, and the list is checked again", async () => {
    const policy = await createDraftPolicyFor("Marula")
    const names = staffListCsv.replaceAll("Acacia", "Marula").replace("Vorname", "Name")
    const { id: importId } = await createCheckedList(desk, managerActor(), policy.id, "marula.csv", names)
    const { user } = await openPage(desk.app, managerActor(), `/members/import/${importId}?tab=error`)
    await user.click(await screen.findByRole("button", { name: "Actions for Row 3" }, { timeout: 15_000 }))
    await user.click(await screen.findByRole("menuitem", { name: "Correct row" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Correct row 3" }))
    expect(dialog.getByText("The last name is missing")).toBeDefined()
    await user.type(dialog.getByRole("textbox", { name: "Last Name" }), "Botha")
    await user.click(dialog.getByRole("button", { name: "Correct row" }))
    await screen.findByText("Checking", {}, { timeout: 10_000 })
    await desk.app.runJobs()
    expect(await screen.findByRole("button", { name: "Import 3 members" }, { timeout: 15_000 })).toBeDefined()
  }, 90_000)

  test("starts from the members step of a policy's wizard, with the policy selected", async () => {
    const policy = await createDraftPolicyFor("Aloe")
    const { user, location } = await openPage(desk.app, managerActor(), `/policies/${policy.id}/edit?tab=members`)
    await user.click(await screen.findByRole("link", { name: "Import staff list" }, { timeout: 15_000 }))
    await waitFor(() => expect(location()).toBe(`/members/import?policyId=${policy.id}`), { timeout: 15_000 })
    await waitFor(
      () =>
        expect((screen.getByRole("combobox", { name: /Group policy/ }) as HTMLInputElement).value).toContain("Aloe"),
      { timeout: 15_000 },
    )
  }, 90_000)

  test("checks again, with a message, if the policy has changed since", async () => {
    const policy = await createDraftPolicyFor("Protea")
    const names = staffListCsv.replaceAll("Acacia", "Protea").replace("Vorname", "Name")
    const { id: importId } = await createCheckedList(desk, managerActor(), policy.id, "protea.csv", names)
    desk.app.clock.advance({ hours: 1 })
    await createImportedList(desk, managerActor(), policy.id, "again.csv", names)
    const { user } = await openPage(desk.app, managerActor(), `/members/import/${importId}`)
    expect(await screen.findByText(/have changed since this list was checked/, {}, { timeout: 15_000 })).toBeDefined()
    expect(screen.queryByRole("button", { name: /^Import / })).toBeNull()
    await user.click(screen.getByRole("button", { name: "Check again" }))
    await screen.findByText("Checking", {}, { timeout: 10_000 })
    await desk.app.runJobs()
    expect(await screen.findByText("The list has no changes to import.", {}, { timeout: 15_000 })).toBeDefined()
  }, 90_000)

  test("appears in the history; a group administrator sees only their own groups' imports", async () => {
    const policy = await createDraftPolicyFor("Baobab")
    await createCheckedList(
      desk,
      managerActor(),
      policy.id,
      "baobab.csv",
      staffListCsv.replaceAll("Acacia", "Baobab").replace("Vorname", "Name"),
    )
    const { user, location } = await openPage(desk.app, managerActor(), "/members/import")
    expect(await screen.findByText("staff.csv", {}, { timeout: 15_000 })).toBeDefined()
    await user.click(screen.getByText("baobab.csv"))
    await waitFor(() => expect(location()).toMatch(/\/members\/import\/[0-9a-f-]{36}/), { timeout: 15_000 })
    expect(await screen.findByText("Ready to import", {}, { timeout: 15_000 })).toBeDefined()

    const own = await desk.app.people.groupAdmin(policy.groupId)
    const again = await openPage(desk.app, own, "/members/import")
    expect((await again.findAllByText("baobab.csv", {}, { timeout: 15_000 })).length).toBe(1)
    expect(again.queryByText("staff.csv")).toBeNull()
  }, 90_000)

  test("reports that every row was refused, and offers to map the columns again", async () => {
    const policy = await createDraftPolicyFor("Cycad")
    const { id: importId } = await createCheckedList(
      desk,
      managerActor(),
      policy.id,
      "cycad.csv",
      staffListCsv.replaceAll("Acacia", "Another employer").replace("Vorname", "Name"),
    )
    const { user } = await openPage(desk.app, managerActor(), `/members/import/${importId}`)
    expect(await screen.findByText("All rows rejected", {}, { timeout: 15_000 })).toBeDefined()
    expect(screen.queryByRole("button", { name: /^Import / })).toBeNull()
    expect(screen.getByText(new RegExp(`All members belong to ${policy.number}`))).toBeDefined()
    await user.click(screen.getAllByRole("button", { name: "Change columns" })[0]!)
    await user.click(await screen.findByRole("checkbox", { name: `All members belong to ${policy.number}` }))
    await user.click(screen.getByRole("button", { name: "Check 3 rows" }))
    await screen.findByText("Checking", {}, { timeout: 10_000 })
    await desk.app.runJobs()
    expect(await screen.findByRole("button", { name: "Import 2 members" }, { timeout: 15_000 })).toBeDefined()
  }, 90_000)

  test("rows of another policy are moved to a separate, linked list", async () => {
    const [chosen, other] = [await createDraftPolicyFor("Protea"), await createDraftPolicyFor("Fynbos")]
    const rows = [
      "Anna,Nkosi,8506255853085,anna@two.example,Protea",
      `Ben,Botha,9008140868088,ben@two.example,${other.number}`,
    ]
    const content = ["First Name,Surname,ID Number,Email,Scheme", ...rows].join("\n")
    const { id } = await createCheckedList(desk, managerActor(), chosen.id, "two.csv", content)
    const { user } = await openPage(desk.app, managerActor(), `/members/import/${id}`)
    const offered = await screen.findByRole("region", { name: "Rows for other policies" })
    expect(within(offered).getByText(other.number)).toBeDefined()
    await user.click(within(offered).getByRole("button", { name: "Divide by policy" }))
    await screen.findByText("Checking", {}, { timeout: 10_000 })
    await desk.app.runJobs()
    const siblings = await screen.findByRole("region", { name: "Other lists from this file" }, { timeout: 15_000 })
    await user.click(within(siblings).getByRole("link", { name: other.number }))
    await screen.findByRole("button", { name: "Import 1 member" }, { timeout: 15_000 })
  })
})
