import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import {
  createCheckedList,
  createImportedList,
  openStaffListApp,
  type StaffListApp,
  uploadListAs,
} from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())
const createActive = (groupName: string) => createActivePolicy(managerClient(), { groupName })

const createCsv = (...rows: string[]) =>
  ["First Name,Last Name,ID Number,Email,Start Date,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,anna@list.example,2026-09-01,"
const ben = "Ben,Botha,7605094246088,ben@list.example,2026-09-01,"

test("an import checks the list again if its policy changed since the last check", async () => {
  const policy = await createActive("Overtaken")
  const earlier = await createCheckedList(desk, managerActor(), policy.id, "earlier.csv", createCsv(anna, ben))
  expect(earlier).toMatchObject({ outdated: false, counts: { joiner: 2 } })
  desk.app.clock.advance({ hours: 1 })
  await createImportedList(desk, managerActor(), policy.id, "later.csv", createCsv(anna))
  const { staffLists } = managerClient()
  const importId = earlier.id
  const found = await staffLists.detail({ importId })
  expect(found.outdated).toBe(true)
  const again = await staffLists.import({ importId, version: found.version, idempotencyKey: randomUUID() })
  expect(again.status).toBe("checking")
  await desk.app.runJobs()
  const checked = await staffLists.detail({ importId })
  expect(checked).toMatchObject({ status: "ready", outdated: false, counts: { joiner: 1, unchanged: 1 } })
  await staffLists.import({ importId, version: checked.version, idempotencyKey: randomUUID() })
  await desk.app.runJobs()
  expect(await staffLists.detail({ importId })).toMatchObject({ status: "completed", addedCount: 1, errorCount: 0 })
})

test("rows keep their row numbers of the sheet", async () => {
  const policy = await createActive("Numbered")
  const titled = ["Staff of Numbered", "", ...createCsv(anna, ben, anna).split("\n")].join("\n")
  const { id: importId } = await createCheckedList(desk, managerActor(), policy.id, "titled.csv", titled)
  const [refused] = (await managerClient().staffLists.rows({ importId, status: "error" })).rows
  expect(refused!.line).toBe(6)
  expect(refused!.problems.at(-1)!.sentence).toContain("already in row 4")
})

test("a user with a single policy need not confirm that all rows belong to it", async () => {
  const policy = await createActive("Single")
  const admin = await desk.app.people.groupAdmin(policy.groupId)
  const [titles, row] = ["First Name,Last Name,ID Number,Email", "Anna,Nkosi,8506255853085,anna@list.example"]
  const mappingOf = async (sender: typeof admin) => {
    const sent = await uploadListAs(desk, sender, policy.id, "single.csv", `${titles}\n${row}`)
    const { importId } = (await sent.json()) as { importId: string }
    return (await managerClient().staffLists.detail({ importId })).mapping
  }
  expect(await mappingOf(admin)).toMatchObject({ groupPolicyChosen: true })
  expect(await mappingOf(managerActor())).not.toHaveProperty("groupPolicyChosen")
})

test("refuses a stale version, and deletes a discarded list", async () => {
  const policy = await createDraftPolicy(managerClient(), { groupName: "Discarded" })
  const checked = await createCheckedList(
    desk,
    managerActor(),
    policy.id,
    "list.csv",
    "First Name,Last Name,ID Number,Email,Group Policy\nAnna,Nkosi,8506255853085,a@b.example,\n",
  )
  const { staffLists } = managerClient()
  await expect(staffLists.discard({ importId: checked.id, version: checked.version - 1 })).rejects.toMatchObject({
    code: "STALE",
  })
  expect(await staffLists.discard({ importId: checked.id, version: checked.version })).toMatchObject({
    status: "discarded",
  })
  expect((await staffLists.rows({ importId: checked.id })).total).toBe(0)
  const files = await desk.app.sql.row<{ n: number }>(
    sql`select count(*) as n from files where kind like 'staff\\_list%' and group_id = ${policy.groupId}`,
  )
  expect(files!.n).toBe(0)
  await expect(
    staffLists.import({ importId: checked.id, version: checked.version + 1, idempotencyKey: randomUUID() }),
  ).rejects.toMatchObject({ code: "WRONG_STATUS" })
})
