import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Actor } from "../platform/calls/actor.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { members } from "./member-list.queries.ts"
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
  const found = (groups: string[], sought = "%twala%", from: string | null = null, to: string | null = null) =>
    app.app.database.transaction("scoped", async (tx) => {
      await tx.run(sql`select set_config('app.groups', ${`{${groups.join(",")}}`}, true)`)
      const rows = await tx.rows<{ id: string }>(
        sql`select members_found('any', ${sought}, null, ${from}, ${to}, null) as id`,
      )
      return rows.map(({ id }) => id).sort()
    })
  expect(await found([])).toEqual([])
  expect(await found([own.groupId])).toEqual([own.id])
  expect(await found([own.groupId, other.groupId])).toEqual([own.id, other.id].sort())
  // Of many groups: with half of all members in them, or with none but their own.
  const none = Array.from({ length: 11 }, () => randomUUID())
  for (const sought of ["%twala%", "(^|[ \n])tw"]) {
    expect(await found([own.groupId, ...none], sought)).toEqual([own.id])
    expect(await found([own.groupId, ...none], sought, "twala", "twalb")).toEqual([own.id])
    expect(await found([own.groupId, ...none], sought, "twalb")).toEqual([])
    expect(await found(none, sought)).toEqual([])
  }
  for (const role of ["staff", "auth"] as const) {
    const asked = app.app.database.transaction(role, (tx) => tx.run(sql`select claims_found('%', null)`))
    await expect(asked).rejects.toMatchObject({ code: "42501" })
  }
})

test("one or two letters find the words that begin with them, whatever signs they are", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Beginnings" })
  const { id } = await memberOf(manager, policyId)
  // Whoever else is in the policy may have any name.
  await app.sql.run(sql`
    update members set first_name = 'Una', last_name = 'Una', email = 'una@una.example' where policy_id = ${policyId}`)
  await app.sql.run(sql`
    update members set first_name = 'Xola (Q', last_name = 'O''Neil .$ [', email = 'wz@employer.example', phone = '' where id = ${id}`)
  const people = [
    app.people.manager,
    await app.people.groupAdmin((await manager.members.detail({ memberId: id })).groupId),
  ]
  for (const person of people) {
    const found = async (search: string) => (await app.as(person).members.list({ search, policyId })).total
    // The first word, a later one, one of another line; signs that say something else in a pattern.
    for (const search of ["x", "xo", "o'", "wz", "(q", ".$", "["])
      expect([search, await found(search)]).toEqual([search, 1])
    for (const search of ["ol", "z", ".", "x.", ".*", "|", "\\", "%", "_o", "q)"])
      expect([search, await found(search)]).toEqual([search, search === "." ? 1 : 0])
  }
})

test("a search collects fewer where very many members may match", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Collected" })
  const { groupId } = await manager.members.detail({ memberId: (await memberOf(manager, policyId)).id })
  const few = await app.people.groupAdmin(groupId)
  const many = { ...few, groupIds: [groupId, ...Array.from({ length: 10 }, () => randomUUID())] }
  const limitFor = (actor: Actor, search = "nkosi") => {
    const scope = { actor, today: "2026-11-02", timezone: "UTC", currency: "ZAR" } as const
    const { sql: text } = new PgDialect().sqlToQuery(members.statement({ ...members.start, search }, scope))
    return /count\(\*\) > (\d+) from hits/.exec(text)?.[1]
  }
  expect([app.people.manager, many, few].map((actor) => limitFor(actor))).toEqual(["2500", "2500", "10000"])
  expect(limitFor(few, "n")).toBe("2500")
})

test("nothing is put in order by the group that all members of a reader share", async () => {
  const groups = [1, 2].map(() => randomUUID())
  const orderFor = (groupIds: string[]) => {
    const actor = { ...app.people.manager, role: "group_admin" as const, groupIds }
    const asked = { ...members.start, sort: "group" as const }
    return new PgDialect().sqlToQuery(members.order(members.inOwnGroup(asked, actor) as typeof asked)).sql
  }
  expect([groups.slice(1), groups].map(orderFor)).toEqual(["s.id asc", 's."_group" asc, s.id asc'])
})

test("who has many groups reads their members by policy and by group, and no others", async () => {
  const own: string[] = []
  for (const groupName of ["First Works", "Third Works", "Second Works"]) {
    const { id: policyId } = await activePolicy(manager, { groupName })
    if (groupName === "Second Works") {
      await memberOf(manager, policyId)
      continue
    }
    for (const lastName of ["Mvula", "Adams"]) {
      const { id } = await memberOf(manager, policyId, { lastName })
      own.push((await manager.members.detail({ memberId: id })).groupId)
    }
  }
  const people = await app.people.groupAdmin(...new Set(own))
  // Groups of no members, so that they are more than row-level security is taken for.
  const many = { ...people, groupIds: [...people.groupIds, ...Array.from({ length: 10 }, () => randomUUID())] }
  for (const sort of ["policy", "group", "name", "number"] as const) {
    for (const dir of ["asc", "desc"] as const) {
      const few = await app.as(people).members.list({ sort, dir })
      expect(new Set(few.rows.map(({ groupId }) => groupId))).toEqual(new Set(own))
      expect(await app.as(many).members.list({ sort, dir })).toEqual(few)
    }
  }
})
