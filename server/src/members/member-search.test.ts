import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { activePolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { memberOf } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp()
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

test("employers' people search through the index of all members, and find those of their groups alone", async () => {
  const groupOf = async (groupName: string) => {
    const { id: policyId } = await activePolicy(manager, { groupName })
    const { id } = await memberOf(manager, policyId)
    await app.sql.run(
      sql`update members set first_name = 'Ulwazi', last_name = 'Twala', phone = '0825550177' where id = ${id}`,
    )
    return { id, groupId: (await manager.members.detail({ memberId: id })).groupId }
  }
  const [own, other] = [await groupOf("Searched Works"), await groupOf("Hidden Works")]
  const employer = await app.people.groupAdmin(own.groupId)
  const both = app.as(await app.people.groupAdmin(own.groupId, other.groupId))
  for (const search of ["twal", "ulwazi twala", "25550177", "tw"]) {
    expect((await app.as(employer).members.list({ search })).rows.map(({ id }) => id)).toEqual([own.id])
    expect((await both.members.list({ search })).total).toBe(2)
  }
  const holder = app.as(await app.people.policyHolder(own.groupId))
  expect((await holder.members.list({ search: "twal" })).total).toBe(1)
  // The number is shown to nobody who does not see it, and is not searched for them either.
  expect((await holder.members.list({ search: "25550177" })).total).toBe(0)
  // The function itself, asked for everything.
  const found = (groups: string[]) =>
    app.app.database.transaction("scoped", async (tx) => {
      await tx.run(sql`select set_config('app.groups', ${`{${groups.join(",")}}`}, true)`)
      const rows = await tx.rows<{ id: string }>(
        sql`select members_found('any', ${sql.param(["%twala%"])}, null, null, null, null) as id`,
      )
      return rows.map(({ id }) => id).sort()
    })
  expect(await found([])).toEqual([])
  expect(await found([own.groupId])).toEqual([own.id])
  expect(await found([own.groupId, other.groupId])).toEqual([own.id, other.id].sort())
  for (const role of ["staff", "auth"] as const) {
    const asked = app.app.database.transaction(role, (tx) => tx.run(sql`select claims_found('{%}', null)`))
    await expect(asked).rejects.toMatchObject({ code: "42501" })
  }
})
