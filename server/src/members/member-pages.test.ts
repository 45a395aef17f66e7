import { type SQL, sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import type { Client } from "../test/app.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { createMember } from "./members.samples.ts"

let app: TestApp
let manager: Client

/**
 * 25,000 members of one policy: 40 in the first tier, 160 in the third, the rest in the second. Every sixth is called
 * Zodwa Zulu.
 */
beforeAll(async () => {
  app = await openTestApp()
  manager = app.as(app.people.manager)
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Crowded Works" })
  await createMember(manager, policyId)
  await app.sql.run(sql`
    insert into members (id, group_id, policy_id, number, first_name, last_name, email, phone, date_of_birth, gender, tier_id,
      status, start_on, created_at, updated_at)
    select gen_random_uuid(), p.group_id, p.id, 'T-' || lpad(n::text, 6, '0'),
      case when n % 6 = 0 then 'Zodwa' else 'Thabo' end,
      case when n % 6 = 0 then 'Zulu ' else 'Adams ' end || lpad((n * 7919 % 25000)::text, 5, '0'),
      'm' || n || '@crowded.example', '', '1980-01-01', 'male',
      (select id from benefit_tiers order by position offset case when n <= 40 then 0 when n <= 200 then 2 else 1 end limit 1),
      case when n % 2 = 0 then 'Active' else 'Pending' end, date '2026-01-01' + n % 300, now(), now()
    from generate_series(1, 25000) n cross join policies p where p.id = ${policyId}`)
  await app.sql.run(sql`analyze members`)
})
afterAll(() => app.close())

const readIds = async (input: object) => (await manager.members.list(input)).rows.map(({ id }) => id)

async function readSortedIds(condition: SQL, order: SQL, page: number): Promise<string[]> {
  const rows = await app.sql.rows<{ id: string }>(sql`
    select m.id from members m join benefit_tiers t on t.id = m.tier_id
    where ${condition} order by ${order} limit 25 offset ${(page - 1) * 25}::int`)
  return rows.map(({ id }) => id)
}

const statusConditionOf = (tab: string): SQL => (tab === "all" ? sql`true` : sql`m.status = ${tab}`)

test("a page sorted by tier equals the page of a full sort", async () => {
  for (const dir of ["asc", "desc"] as const) {
    const way = sql.raw(dir)
    for (const [tab, page] of [
      ["all", 1],
      ["all", 2],
      ["all", 8],
      ["Active", 1],
      ["Active", 3],
      ["all", 400],
      ["all", 999],
    ] as const) {
      const rows = await readIds({ sort: "tier", dir, tab, page })
      const expected = await readSortedIds(statusConditionOf(tab), sql`t.position ${way}, m.id ${way}`, page)
      expect(rows, `${dir} ${tab} ${page}`).toEqual(expected)
    }
  }
})

describe("a search with more matches than are collected", () => {
  const keys: Record<string, SQL[]> = {
    name: [sql`m.last_name_key`, sql`m.name_key`],
    number: [sql`m.number`],
    startOn: [sql`m.start_on`],
    tier: [sql`t.position`],
    status: [sql`m.status`, sql`m.last_name_key`, sql`m.name_key`],
  }
  const cases = Object.keys(keys).flatMap((sort) => ["asc", "desc"].map((dir) => [sort, dir] as const))

  // By name, all matches are last or first, so both search plans run.
  test.each(cases)("pages equal those of a full sort by %s %s", async (sort, dir) => {
    const order = sql.join(
      [...keys[sort]!, sql`m.id`].map((key) => sql`${key} ${sql.raw(dir)}`),
      sql`, `,
    )
    const isFound = sql`m.search_key like '%zodwa%'`
    for (const [tab, page] of [
      ["all", 1],
      ["Active", 1],
      ["all", 40],
    ] as const) {
      const answer = await manager.members.list({ search: "zodwa", sort: sort as never, dir: dir as never, tab, page })
      expect(answer).toMatchObject({ totalIsCapped: true })
      const expected = await readSortedIds(sql`${isFound} and ${statusConditionOf(tab)}`, order, page)
      expect(
        answer.rows.map(({ id }) => id),
        `${tab} ${page}`,
      ).toEqual(expected)
    }
    const { ends } = await manager.members.list({ search: "zodwa", sort: sort as never, dir: dir as never, page: 2 })
    expect(await readIds({ search: "zodwa", sort, dir, page: 3, after: ends!.last })).toEqual(
      await readSortedIds(isFound, order, 3),
    )
    expect(await readIds({ search: "zodwa", sort, dir, page: 1, before: ends!.first })).toEqual(
      await readSortedIds(isFound, order, 1),
    )
  })

  test("counts up to the limit, and the picker lists the first matches by name", async () => {
    expect(await manager.members.list({ search: "zodwa" })).toMatchObject({
      total: 2_500,
      cappedTabs: expect.anything(),
    })
    const picked = await manager.members.pick({ search: "zodwa", statuses: ["Active"] })
    const order = sql`m.last_name_key, m.name_key, m.id`
    const expected = await readSortedIds(sql`m.search_key like '%zodwa%' and m.status = 'Active'`, order, 1)
    expect(picked.map(({ id }) => id)).toEqual(expected.slice(0, 20))
  })
})
