import { randomUUID } from "node:crypto"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createCheckedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
let umoya: PolicyDetail
let baobab: PolicyDetail
let karoo: PolicyDetail
beforeAll(async () => {
  desk = await openStaffListApp()
  umoya = await createActivePolicy(managerClient(), { groupName: "Umoya Mining" })
  baobab = await createActivePolicy(managerClient(), { groupName: "Baobab Foods" })
  karoo = await createActivePolicy(managerClient(), { groupName: "Karoo Wool" })
})
afterAll(() => desk.app.close())

const managerClient = () => desk.app.as(desk.app.people.manager)

const header = "First Name,Last Name,Passport Number,ID Number,Email,Date of Birth,Group Policy"
let personCount = 0
const createRow = (policy: string, email = `person${++personCount}@example.test`) =>
  `Thandi,Person ${personCount},P${String(personCount).padStart(7, "0")},,${email},1990-01-05,${policy}`
const createCsv = (...policies: string[]) => [header, ...policies.map((policy) => createRow(policy))].join("\n")

async function divideList(found: StaffListDetail): Promise<StaffListDetail> {
  await managerClient().staffLists.divide({ importId: found.id, version: found.version })
  await desk.app.runJobs()
  return managerClient().staffLists.detail({ importId: found.id })
}

const countMembersOf = async ({ id }: PolicyDetail) => (await managerClient().members.list({ policyId: id })).total

test("rows of other policies become separate lists, each imported and undone separately", async () => {
  const content = createCsv(
    ...[umoya.number, baobab.number, "  baobab   FOODS ", "Umoya Mining", karoo.number.toLowerCase(), "Nowhere Ltd"],
  )
  const found = await createCheckedList(desk, desk.app.people.manager, umoya.id, "everybody.csv", content)
  expect(found.counts).toMatchObject({ joiner: 2, error: 4 })
  expect(found.elsewhere.map(({ policyNumber, rows }) => [policyNumber, rows])).toEqual([
    [baobab.number, 2],
    [karoo.number, 1],
  ])
  const left = await divideList(found)
  expect(left).toMatchObject({ status: "ready", rowCount: 3, elsewhere: [], counts: { joiner: 2, error: 1 } })
  expect(left.sample.flat().join()).not.toContain(baobab.number)
  expect(left.siblings.map(({ policyNumber, rowCount, status }) => [policyNumber, rowCount, status])).toEqual([
    [baobab.number, 2, "ready"],
    [karoo.number, 1, "ready"],
  ])
  for (const { id: importId } of [left, ...left.siblings]) {
    const { version, counts } = await managerClient().staffLists.detail({ importId })
    expect(counts.joiner).toBeGreaterThan(0)
    await managerClient().staffLists.import({ importId, version, idempotencyKey: randomUUID() })
    await desk.app.runJobs()
  }
  expect(await Promise.all([umoya, baobab, karoo].map(countMembersOf))).toEqual([3, 3, 2])
  const [ofBaobab] = left.siblings
  const { version } = await managerClient().staffLists.detail({ importId: ofBaobab!.id })
  await managerClient().staffLists.undo({ importId: ofBaobab!.id, version })
  expect(await Promise.all([umoya, baobab, karoo].map(countMembersOf))).toEqual([3, 1, 2])
  const told = await desk.app.sql.rows<{ fact: string; group: string }>(sql`
    select a.fact, g.name as group from audit_log a join employer_groups g on g.id = a.group_id
    where a.fact in ('StaffListDivided', 'StaffListUploaded') order by a.id`)
  expect(told.map(({ fact, group }) => `${fact} ${group}`)).toEqual([
    "StaffListUploaded Umoya Mining",
    "StaffListUploaded Baobab Foods",
    "StaffListUploaded Karoo Wool",
    "StaffListDivided Umoya Mining",
  ])
})

test("a user of one group cannot see other groups' policies or lists", async () => {
  const hr = await desk.app.people.groupAdmin(umoya.groupId)
  const content = createCsv(umoya.number, baobab.number)
  const found = await createCheckedList(desk, hr, umoya.id, "umoya.csv", content)
  expect(found).toMatchObject({ elsewhere: [], counts: { joiner: 1, error: 1 } })
  await expect(desk.app.as(hr).staffLists.divide({ importId: found.id, version: found.version })).rejects.toMatchObject(
    { code: "INVALID" },
  )
  await divideList(await managerClient().staffLists.detail({ importId: found.id }))
  expect((await managerClient().staffLists.detail({ importId: found.id })).siblings).toHaveLength(1)
  expect((await desk.app.as(hr).staffLists.detail({ importId: found.id })).siblings).toEqual([])
})

test("a corrected group policy is used, and corrections move with their row", async () => {
  const found = await createCheckedList(
    desk,
    desk.app.people.manager,
    umoya.id,
    "typos.csv",
    createCsv("Umoya", umoya.number),
  )
  expect(found.elsewhere).toEqual([])
  const cells = [
    { column: 6, text: karoo.number },
    { column: 1, text: "Mended" },
  ]
  await managerClient().staffLists.correct({ importId: found.id, version: found.version, line: 2, cells })
  await desk.app.runJobs()
  const { siblings } = await divideList(await managerClient().staffLists.detail({ importId: found.id }))
  const { rows } = await managerClient().staffLists.rows({ importId: siblings[0]!.id, outcome: "joiner" })
  expect(rows.map(({ lastName, line, status }) => [lastName, line, status])).toMatchObject([["Mended", 2, "warning"]])
})

test("concurrent divisions apply once; unchecked and imported lists are refused", async () => {
  const found = await createCheckedList(
    desk,
    desk.app.people.manager,
    umoya.id,
    "twice.csv",
    createCsv(umoya.number, karoo.number),
  )
  const asked = { importId: found.id, version: found.version }
  const both = await Promise.allSettled([
    managerClient().staffLists.divide(asked),
    managerClient().staffLists.divide(asked),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  await desk.app.runJobs()
  const left = await managerClient().staffLists.detail({ importId: found.id })
  expect(left.siblings).toHaveLength(1)
  await managerClient().staffLists.import({ importId: left.id, version: left.version, idempotencyKey: randomUUID() })
  await desk.app.runJobs()
  const { version } = await managerClient().staffLists.detail({ importId: found.id })
  await expect(managerClient().staffLists.divide({ importId: found.id, version })).rejects.toMatchObject({
    code: "WRONG_STATUS",
  })
})
