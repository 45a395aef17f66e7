import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Actor } from "../platform/calls/actor.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { members } from "./member-list.queries.ts"
import { createMember } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp()
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

test("an employer user's search uses the index and finds only their groups' members", async () => {
  const groupOf = async (groupName: string) => {
    const { id: policyId } = await createActivePolicy(manager, { groupName })
    const { id } = await createMember(manager, policyId)
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
  // The phone number is hidden from policy holders, so their search does not match it.
  expect((await holder.members.list({ search: "25550177" })).total).toBe(0)
  // Calls the database function directly.
  const found = (groups: string[], sought = "%twala%", from: string | null = null, to: string | null = null) =>
    app.app.database.transaction("scoped", async (tx) => {
      await tx.run(sql`select set_config('app.groups', ${`{${groups.join(",")}}`}, true)`)
      const rows = await tx.rows<{ id: string }>(
        sql`select members_found('any', ${sought}, null::text[], ${from}, ${to}, null) as id`,
      )
      return rows.map(({ id }) => id).sort()
    })
  expect(await found([])).toEqual([])
  expect(await found([own.groupId])).toEqual([own.id])
  expect(await found([own.groupId, other.groupId])).toEqual([own.id, other.id].sort())
  // Eleven or more groups use another plan.
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

test("finds members by names in any order and by employee number, for every role", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Word Order Works" })
  const person = { firstName: "Tshepiso Grace", lastName: "van Wyngaard" }
  const { id, groupId, number } = await createMember(manager, policyId, { ...person, employeeNumber: "WO-4711" })
  await createMember(manager, policyId, { firstName: "Grace", lastName: "Molewa" })
  const readers = {
    staff: manager,
    employer: app.as(await app.people.groupAdmin(groupId)),
    holder: app.as(await app.people.policyHolder(groupId)),
  }
  for (const [reader, client] of Object.entries(readers)) {
    for (const search of [
      ...["wyngaard tshepiso", "grace wyngaard", "van tshepiso wyngaard", "Wyngaard Ts", "wo-4711", "4711", number],
    ])
      expect(
        (await client.members.list({ search })).rows.map((row) => row.id),
        `${reader}: ${search}`,
      ).toEqual([id])
    for (const search of ["wyngaard molewa", "grace tshepo"])
      expect((await client.members.list({ search })).total, `${reader}: ${search}`).toBe(0)
    const found = await client.reports.search({ text: "wyngaard grace" })
    expect(
      found.map((record) => record.id),
      reader,
    ).toContain(id)
  }
  const { rows } = await manager.members.list({ search: "word order", sort: "employeeNumber", dir: "desc" })
  expect(rows.map(({ employeeNumber }) => employeeNumber)).toEqual(["WO-4711", "", ""])
})

test("finds members by dependents' names, only in the reader's groups", async () => {
  const dependent = {
    ...{ firstName: "Boitumelo", lastName: "Xaba", idNumber: null, relationship: "child" as const },
    ...{ dateOfBirth: "2015-03-04", gender: null },
  }
  const made = []
  for (const groupName of ["Family Works", "Other Family Works"]) {
    const { id: policyId } = await createActivePolicy(manager, { groupName })
    made.push(await createMember(manager, policyId, { dependents: [dependent] }))
    await createMember(manager, policyId)
  }
  const ids = made.map(({ id }) => id)
  const employer = app.as(await app.people.groupAdmin(made[0]!.groupId))
  const holder = app.as(await app.people.policyHolder(made[0]!.groupId))
  for (const search of ["boitumelo", "xaba boitumelo", "boitumelo xab"]) {
    expect((await manager.members.list({ search })).rows.map(({ id }) => id).sort(), search).toEqual([...ids].sort())
    for (const client of [employer, holder])
      expect(
        (await client.members.list({ search })).rows.map(({ id }) => id),
        search,
      ).toEqual([ids[0]])
    const palette = async (client: Client) =>
      (await client.reports.search({ text: search })).filter(({ kind }) => kind === "member").map(({ id }) => id)
    expect((await palette(manager)).sort()).toEqual([...ids].sort())
    expect(await palette(employer)).toEqual([ids[0]])
  }
  expect((await manager.members.list({ search: "boitumelo nkosi" })).total).toBe(0)
  for (const role of ["staff", "auth"] as const) {
    const asked = app.app.database.transaction(role, (tx) => tx.run(sql`select members_of_dependents('%', null, null)`))
    await expect(asked).rejects.toMatchObject({ code: "42501" })
  }
})

test("an employee number is unique within a policy until its member leaves", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Numbered Works" })
  const first = await createMember(manager, policyId, { employeeNumber: "E-1", startOn: "2026-06-01" })
  const message = expect.stringMatching(/already has this employee number/)
  await expect(createMember(manager, policyId, { employeeNumber: "e-1" })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "employment.employeeNumber", message }] },
  })
  const second = await createMember(manager, policyId)
  const employment = { employmentStatus: null, employer: "", jobTitle: "" }
  const save = (employeeNumber?: string) =>
    manager.members.detail({ memberId: second.id }).then(({ version }) =>
      manager.members.update({
        memberId: second.id,
        version,
        employment: employeeNumber === undefined ? employment : { ...employment, employeeNumber },
      }),
    )
  await expect(save("E-1")).rejects.toMatchObject({ code: "INVALID" })
  expect((await save("E-2")).employment).toEqual({ ...second.employment, ...employment, employeeNumber: "E-2" })
  // An update that omits the number keeps it.
  expect((await save()).employment.employeeNumber).toBe("E-2")
  const { version } = await manager.members.detail({ memberId: first.id })
  await manager.members.terminate({ memberId: first.id, version, on: "2026-10-31", reason: "Left" })
  expect((await save("E-1")).employment.employeeNumber).toBe("E-1")
  const duplicate = app.sql.run(sql`
    insert into members (id, group_id, policy_id, number, first_name, last_name, tier_id, start_on, employee_number, created_at, updated_at)
    select gen_random_uuid(), group_id, policy_id, 'M-999999', 'A', 'B', tier_id, start_on, 'e-1', created_at, updated_at
    from members where id = ${second.id}`)
  await expect(duplicate).rejects.toMatchObject({ code: "23505" })
})

test("one or two characters match the starts of words, including special characters", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Beginnings" })
  const { id } = await createMember(manager, policyId)
  // Gives the policy's other members a name that cannot match.
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
    // Matches in the first word, a later word and another field; also characters that are special in patterns.
    for (const search of ["x", "xo", "o'", "wz", "(q", ".$", "["])
      expect([search, await found(search)]).toEqual([search, 1])
    for (const search of ["ol", "z", ".", "x.", ".*", "|", "\\", "%", "_o", "q)"])
      expect([search, await found(search)]).toEqual([search, search === "." ? 1 : 0])
  }
})

test("a search collects fewer matches for readers of many groups", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Collected" })
  const { groupId } = await manager.members.detail({ memberId: (await createMember(manager, policyId)).id })
  const few = await app.people.groupAdmin(groupId)
  const many = { ...few, groupIds: [groupId, ...Array.from({ length: 10 }, () => randomUUID())] }
  const limitFor = (actor: Actor, search = "nkosi") => {
    const scope = { actor, today: "2026-11-02", timezone: "UTC", currency: "ZAR" } as const
    const { page } = members.statements.written({ ...members.start, search }, scope)
    return /count\(\*\) > (\d+) from hits/.exec(new PgDialect().sqlToQuery(page!).sql)?.[1]
  }
  expect([app.people.manager, many, few].map((actor) => limitFor(actor))).toEqual(["2500", "2500", "10000"])
  expect(limitFor(few, "n")).toBe("2500")
})

test("omits the sort by group if all the reader's members share one group", async () => {
  const groups = [1, 2].map(() => randomUUID())
  const orderFor = (groupIds: string[]) => {
    const actor = { ...app.people.manager, role: "group_admin" as const, groupIds }
    const asked = { ...members.start, sort: "group" as const }
    const scope = { actor, today: "2026-11-02", timezone: "UTC", currency: "ZAR" } as const
    const { page } = members.statements.written(asked, scope)
    return /order by (.*)/.exec(new PgDialect().sqlToQuery(page!).sql)?.[1]
  }
  expect([groups.slice(1), groups].map(orderFor)).toEqual(["s.id asc", 's."group_key" asc, s.id asc'])
})

test("a reader of many groups gets the same sorted page as with few", async () => {
  const own: string[] = []
  for (const groupName of ["First Works", "Third Works", "Second Works"]) {
    const { id: policyId } = await createActivePolicy(manager, { groupName })
    if (groupName === "Second Works") {
      await createMember(manager, policyId)
      continue
    }
    for (const lastName of ["Mvula", "Adams"]) {
      const { id } = await createMember(manager, policyId, { lastName })
      own.push((await manager.members.detail({ memberId: id })).groupId)
    }
  }
  const people = await app.people.groupAdmin(...new Set(own))
  // Ten groups without members exceed the limit for the few-groups plan.
  const many = { ...people, groupIds: [...people.groupIds, ...Array.from({ length: 10 }, () => randomUUID())] }
  for (const sort of ["policy", "group", "name", "number"] as const) {
    for (const dir of ["asc", "desc"] as const) {
      const few = await app.as(people).members.list({ sort, dir })
      expect(new Set(few.rows.map(({ groupId }) => groupId))).toEqual(new Set(own))
      expect(await app.as(many).members.list({ sort, dir })).toEqual(few)
    }
  }
})
