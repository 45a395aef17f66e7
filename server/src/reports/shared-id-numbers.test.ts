import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { memberOf, sampleIdNumber } from "../members/members.samples.ts"
import { draftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"

let app: TestApp
let manager: Client
let here: string
let there: string
beforeAll(async () => {
  app = await openTestApp({ now: "2026-10-30T08:00:00Z" })
  manager = app.as(app.people.manager)
  const ofGroup = async (groupName: string) => (await draftPolicy(manager, { groupName, startOn: "2026-10-01" })).id
  here = await ofGroup("Status")
  there = await ofGroup("There")
})
afterAll(() => app.close())

/** The ID numbers of the members whom the report names with another group. */
async function reported(): Promise<string[]> {
  const { rows } = await manager.reports.rows({ report: "doubtful_data", query: { pageSize: 100 } })
  const numbers = rows.filter(({ problem }) => problem === "several_groups").map(({ memberNumber }) => memberNumber)
  const found = await app.sql.rows<{ number: string }>(sql`
    select distinct id_number as number from members where number = any (${sql.param(numbers)}::text[]) order by 1`)
  return found.map(({ number }) => number)
}
async function computed(): Promise<string[]> {
  const found = await app.sql.rows<{ number: string }>(sql`
    select id_number as number from members where id_number is not null and status <> 'Terminated'
    group by id_number having count(distinct group_id) > 1 order by 1`)
  return found.map(({ number }) => number)
}

type Added = Awaited<ReturnType<typeof memberOf>>
const renumbered = ({ id: memberId, version, personal }: Added, person: number) =>
  manager.members.update({
    memberId,
    version,
    personal: { ...personal, idNumber: sampleIdNumber(person), dateOfBirth: null, gender: null },
  })

test("an ID number that members of two groups have is reported as long as both have it", async () => {
  const one = await memberOf(manager, here, { person: 9_001 })
  expect(await reported()).toEqual([])
  const other = await memberOf(manager, there, { person: 9_001 })
  expect(await reported()).toEqual([sampleIdNumber(9_001)])

  const changed = await renumbered(other, 9_002)
  expect(await reported()).toEqual([])
  const back = await renumbered(changed, 9_001)
  expect(await reported()).toEqual([sampleIdNumber(9_001)])

  await manager.members.remove({ memberId: one.id, version: one.version })
  expect(await reported()).toEqual([])
  await manager.members.remove({ memberId: back.id, version: back.version })
})

test("an ID number that two members of one group have is not reported", async () => {
  const second = await draftPolicy(manager, { groupName: "Status", startOn: "2026-10-01" })
  await memberOf(manager, here, { person: 9_010 })
  await memberOf(manager, second.id, { person: 9_010 })
  expect(await reported()).toEqual([])
  await memberOf(manager, there, { person: 9_010 })
  expect(await reported()).toEqual([sampleIdNumber(9_010)])
})

test("an ID number that two members are given in overlapping transactions is reported, and neither waits", async () => {
  const one = await memberOf(manager, here, { person: 9_100 })
  const other = await memberOf(manager, there, { person: 9_101 })
  const { database } = app.app
  const number = sampleIdNumber(9_102)
  const give = ({ id }: Added) => sql`update members set id_number = ${number}, date_of_birth = null where id = ${id}`
  await database.transaction("staff", async (tx) => {
    await tx.run(give(one))
    await database.transaction("staff", (after) => after.run(give(other)))
  })
  expect(await reported()).toContain(number)

  await Promise.all(
    [1, 2, 3].flatMap((person) => [here, there].map((policyId) => memberOf(manager, policyId, { person }))),
  )
  expect(await reported()).toHaveLength(5)
  expect(await reported()).toEqual(await computed())
})

test("a member who is removed while another is given the same ID number does not wait, and the number is not reported", async () => {
  const gone = await memberOf(manager, here, { person: 9_200 })
  const other = await memberOf(manager, there, { person: 9_201 })
  const number = sampleIdNumber(9_200)
  await app.app.database.transaction("staff", async (tx) => {
    await tx.run(sql`update members set id_number = ${number}, date_of_birth = null where id = ${other.id}`)
    await manager.members.remove({ memberId: gone.id, version: gone.version })
  })
  expect(await reported()).not.toContain(number)
  expect(await reported()).toEqual(await computed())
})
