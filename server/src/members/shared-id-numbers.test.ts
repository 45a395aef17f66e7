import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { draftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { memberOf, sampleIdNumber } from "./members.samples.ts"

let app: TestApp
let manager: Client
let here: string
let there: string
beforeAll(async () => {
  app = await openTestApp({ now: "2026-10-30T08:00:00Z" })
  manager = app.as(app.people.manager)
  const ofGroup = async (groupName: string) => (await draftPolicy(manager, { groupName, startOn: "2026-10-01" })).id
  here = await ofGroup("Here")
  there = await ofGroup("There")
})
afterAll(() => app.close())

const numbers = async (select: ReturnType<typeof sql>) =>
  (await app.sql.rows<{ number: string }>(sql`select id_number as number from (${select}) s order by 1`)).map(
    ({ number }) => number,
  )
const kept = () => numbers(sql`select id_number from shared_id_numbers`)
const computed = () =>
  numbers(sql`
    select id_number from members where id_number is not null group by id_number having count(distinct group_id) > 1`)

type Added = Awaited<ReturnType<typeof memberOf>>
const renumbered = ({ id: memberId, version, personal }: Added, person: number) =>
  manager.members.update({
    memberId,
    version,
    personal: { ...personal, idNumber: sampleIdNumber(person), dateOfBirth: null, gender: null },
  })

const isWaitedFor = async () => {
  const { rows } = await app.sql.client.query("select from pg_locks where locktype = 'advisory' and not granted")
  return rows.length > 0
}

test("a number that members of two groups have is kept, as long as they have it", async () => {
  const one = await memberOf(manager, here, { person: 9_001 })
  expect(await kept()).toEqual([])
  const other = await memberOf(manager, there, { person: 9_001 })
  expect(await kept()).toEqual([sampleIdNumber(9_001)])

  const changed = await renumbered(other, 9_002)
  expect(await kept()).toEqual([])
  const back = await renumbered(changed, 9_001)
  expect(await kept()).toEqual([sampleIdNumber(9_001)])

  await manager.members.remove({ memberId: one.id, version: one.version })
  expect(await kept()).toEqual([])
  await manager.members.remove({ memberId: back.id, version: back.version })
})

test("members of one group who have the same number are no matter of several groups", async () => {
  const second = await draftPolicy(manager, { groupName: "Here", startOn: "2026-10-01" })
  await memberOf(manager, here, { person: 9_010 })
  await memberOf(manager, second.id, { person: 9_010 })
  expect(await kept()).toEqual([])
})

test("of two who are changed, or come, at the same moment the later one sees the other", async () => {
  const one = await memberOf(manager, here, { person: 9_100 })
  const other = await memberOf(manager, there, { person: 9_101 })
  const { database } = app.app
  const number = sampleIdNumber(9_102)
  const give = ({ id }: Added) => sql`update members set id_number = ${number}, date_of_birth = null where id = ${id}`
  let later: Promise<unknown> | undefined
  await database.transaction("staff", async (tx) => {
    await tx.run(give(one))
    let isOver = false
    later = database
      .transaction("staff", (after) => after.run(give(other)))
      .finally(() => {
        isOver = true
      })
    await vi.waitFor(async () => expect(isOver || (await isWaitedFor())).toBe(true), 10_000)
  })
  await later
  expect(await kept()).toEqual([number])

  await Promise.all(
    [1, 2, 3].flatMap((person) => [here, there].map((policyId) => memberOf(manager, policyId, { person }))),
  )
  expect(await kept()).toHaveLength(4)
  expect(await kept()).toEqual(await computed())
})

test("who goes while another is given the number waits, and takes the number along", async () => {
  const gone = await memberOf(manager, here, { person: 9_200 })
  const other = await memberOf(manager, there, { person: 9_201 })
  const number = sampleIdNumber(9_200)
  const { database } = app.app
  let going: Promise<unknown> | undefined
  await database.transaction("staff", async (tx) => {
    await tx.run(sql`update members set id_number = ${number}, date_of_birth = null where id = ${other.id}`)
    let isOver = false
    going = manager.members.remove({ memberId: gone.id, version: gone.version }).finally(() => {
      isOver = true
    })
    await vi.waitFor(async () => expect(isOver || (await isWaitedFor())).toBe(true), 10_000)
  })
  await going
  expect(await kept()).not.toContain(number)
})

test("nobody but the database writes them, and employers' people do not read them", async () => {
  const { database } = app.app
  await expect(database.direct("staff").run(sql`insert into shared_id_numbers values ('1')`)).rejects.toThrow(
    /permission/,
  )
  await expect(database.direct("scoped").rows(sql`select from shared_id_numbers`)).rejects.toThrow(/permission/)
})
