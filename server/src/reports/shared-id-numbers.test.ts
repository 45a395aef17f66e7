import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"

let app: TestApp
let manager: Client
let firstPolicyId: string
let secondPolicyId: string
beforeAll(async () => {
  app = await openTestApp({ now: "2026-10-30T08:00:00Z" })
  manager = app.as(app.people.manager)
  const ofGroup = async (groupName: string) =>
    (await createDraftPolicy(manager, { groupName, startOn: "2026-10-01" })).id
  firstPolicyId = await ofGroup("Status")
  secondPolicyId = await ofGroup("There")
})
afterAll(() => app.close())

/** ID numbers in the report's rows about members of another group with the same ID number. */
async function readReportedNumbers(): Promise<string[]> {
  const { rows } = await manager.reports.rows({ report: "doubtful_data", query: { pageSize: 100 } })
  const numbers = rows.filter(({ problem }) => problem === "several_groups").map(({ memberNumber }) => memberNumber)
  const found = await app.sql.rows<{ number: string }>(sql`
    select distinct id_number as number from members where number = any (${sql.param(numbers)}::text[]) order by 1`)
  return found.map(({ number }) => number)
}
async function computeSharedNumbers(): Promise<string[]> {
  const found = await app.sql.rows<{ number: string }>(sql`
    select id_number as number from members where id_number is not null and status <> 'Terminated'
    group by id_number having count(distinct group_id) > 1 order by 1`)
  return found.map(({ number }) => number)
}

type AddedMember = Awaited<ReturnType<typeof createMember>>
const changeIdNumber = ({ id: memberId, version, personal }: AddedMember, person: number) =>
  manager.members.update({
    memberId,
    version,
    personal: { ...personal, idNumber: sampleIdNumber(person), dateOfBirth: null, gender: null },
  })

test("an ID number shared by members of two groups is reported while both have it", async () => {
  const one = await createMember(manager, firstPolicyId, { person: 9_001 })
  expect(await readReportedNumbers()).toEqual([])
  const other = await createMember(manager, secondPolicyId, { person: 9_001 })
  expect(await readReportedNumbers()).toEqual([sampleIdNumber(9_001)])

  const changed = await changeIdNumber(other, 9_002)
  expect(await readReportedNumbers()).toEqual([])
  const back = await changeIdNumber(changed, 9_001)
  expect(await readReportedNumbers()).toEqual([sampleIdNumber(9_001)])

  await manager.members.remove({ memberId: one.id, version: one.version })
  expect(await readReportedNumbers()).toEqual([])
  await manager.members.remove({ memberId: back.id, version: back.version })
})

test("an ID number shared by two members of one group is not reported", async () => {
  const second = await createDraftPolicy(manager, { groupName: "Status", startOn: "2026-10-01" })
  await createMember(manager, firstPolicyId, { person: 9_010 })
  await createMember(manager, second.id, { person: 9_010 })
  expect(await readReportedNumbers()).toEqual([])
  await createMember(manager, secondPolicyId, { person: 9_010 })
  expect(await readReportedNumbers()).toEqual([sampleIdNumber(9_010)])
})

test("overlapping transactions can give two members one ID number without waiting, and it is reported", async () => {
  const one = await createMember(manager, firstPolicyId, { person: 9_100 })
  const other = await createMember(manager, secondPolicyId, { person: 9_101 })
  const { database } = app.app
  const number = sampleIdNumber(9_102)
  const give = ({ id }: AddedMember) =>
    sql`update members set id_number = ${number}, date_of_birth = null where id = ${id}`
  await database.transaction("staff", async (tx) => {
    await tx.run(give(one))
    await database.transaction("staff", (after) => after.run(give(other)))
  })
  expect(await readReportedNumbers()).toContain(number)

  await Promise.all(
    [1, 2, 3].flatMap((person) =>
      [firstPolicyId, secondPolicyId].map((policyId) => createMember(manager, policyId, { person })),
    ),
  )
  expect(await readReportedNumbers()).toHaveLength(5)
  expect(await readReportedNumbers()).toEqual(await computeSharedNumbers())
})

test("removing a member while another gets the same ID number neither waits nor reports it", async () => {
  const gone = await createMember(manager, firstPolicyId, { person: 9_200 })
  const other = await createMember(manager, secondPolicyId, { person: 9_201 })
  const number = sampleIdNumber(9_200)
  await app.app.database.transaction("staff", async (tx) => {
    await tx.run(sql`update members set id_number = ${number}, date_of_birth = null where id = ${other.id}`)
    await manager.members.remove({ memberId: gone.id, version: gone.version })
  })
  expect(await readReportedNumbers()).not.toContain(number)
  expect(await readReportedNumbers()).toEqual(await computeSharedNumbers())
})
