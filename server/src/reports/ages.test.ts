import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

test("the ages report uses completed years, one row per band, gender and tier", async () => {
  const [one, other] = [await insureGroup(app, "Elder Works"), await insureGroup(app, "Younger Works")]
  const people = [one.memberId, one.secondMemberId, other.memberId, other.secondMemberId]
  await app.sql.run(sql`update members set gender = 'female' where id <> ${other.secondMemberId}`)
  await app.sql.run(sql`update members set gender = null where id = ${other.secondMemberId}`)
  const lines = async (asOf: string, born: (string | null)[], groupId?: string) => {
    for (const [place, on] of born.entries())
      await app.sql.run(sql`update members set date_of_birth = ${on}::date where id = ${people[place]}`)
    const query = { asOf, pageSize: 100, ...(groupId && { groupId }) }
    const { rows, sums } = await app.as(app.people.manager).reports.rows({ report: "ages_and_lives", query })
    expect(sums?.lives).toBe(rows.reduce((lives, row) => lives + Number(row.lives), 0))
    return rows.map((row) => [row.band, row.gender, row.lives, row.averageAge])
  }
  // In order: turns 25 today; turns 25 tomorrow; is 36; has no birth date.
  expect(await lines("2026-10-15", ["2001-10-15", "2001-10-16", "1990-01-01", null])).toEqual([
    ["Under 25", "female", 1, 24],
    ["25 to 34", "female", 1, 25],
    ["35 to 44", "female", 1, 36],
    ["Not known", null, 1, null],
  ])
  // Two employers are in the same row; ages above 130 count as 130.
  expect(await lines("2026-10-15", ["1991-10-16", "1990-10-16", "1990-10-15", "1890-01-01"])).toEqual([
    ["25 to 34", "female", 1, 34],
    ["35 to 44", "female", 2, 35.5],
    ["65 and over", null, 1, 130],
  ])
  expect(await lines("2026-10-15", ["1990-01-01", "1989-10-16", "1980-01-01", "1960-01-01"], one.groupId)).toEqual([
    ["35 to 44", "female", 2, 36],
  ])
})

test("a member born on 29 February turns a year older on 1 March in non-leap years", async () => {
  const scene = await insureGroup(app, "Leap Works")
  await app.sql.run(sql`update members set date_of_birth = '2001-02-28' where policy_id = ${scene.policyId}`)
  await app.sql.run(sql`update members set date_of_birth = '2000-02-29' where id = ${scene.memberId}`)
  const averages = async (asOf: string) => {
    const query = { asOf, groupId: scene.groupId, pageSize: 100 }
    const { rows } = await app.as(app.people.manager).reports.rows({ report: "ages_and_lives", query })
    return rows.map((row) => [row.band, row.lives, row.averageAge])
  }
  expect(await averages("2026-02-27")).toEqual(
    [
      ["25 to 34", 1, 25],
      ["Under 25", 1, 24],
    ].reverse(),
  )
  expect(await averages("2026-02-28")).toEqual([["25 to 34", 2, 25]])
  expect(await averages("2026-03-01")).toEqual([["25 to 34", 2, 25.5]])
})

test("stored age aggregates equal the covers of the day, including future changes", async () => {
  const manager = app.as(app.people.manager)
  const { tiers } = await manager.benefits.choices()
  const today = "2026-10-15"
  app.clock.set(`${today}T08:00:00Z`)
  for (const [place, name] of ["Sooner Works", "Later Works"].entries()) {
    const { policyId } = await insureGroup(app, name)
    const sums = [
      ["2026-01-01", place ? null : 500_000_00],
      ["2026-09-10", place ? 20_000_00 : 600_000_00],
      ["2026-11-15", null],
    ] as const
    for (const [sumAssuredFromOn, sumAssuredCents] of sums) {
      const { version, coverage } = await manager.policies.detail({ policyId })
      const values = { ...coverage, sumAssuredCents, sumAssuredFromOn }
      await manager.policies.updateSection({ policyId, version, change: { section: "coverage", values } })
    }
    const members = []
    for (const startOn of ["2026-02-01", "2026-08-20", "2026-10-01", "2026-12-01"] as const)
      for (const _ of [1, 2]) members.push(await createMember(manager, policyId, { startOn }))
    const [early, suspended, leaving, moved] = members.map(({ id: memberId, version }) => ({ memberId, version }))
    const reason = "Of its day"
    await manager.members.terminate({ ...early!, on: "2026-09-10", reason })
    await manager.members.suspend({ ...suspended!, on: "2026-09-20", reason })
    await manager.members.terminate({ ...leaving!, on: "2026-11-30", reason })
    await manager.members.changeTier({ ...moved!, tierId: tiers.at(-1)!.id, on: "2026-10-05" })
  }
  const all = await app.sql.rows<{ id: string }>(sql`select id from employer_groups`)
  const lines = async (asOf: string, groupId?: string) => {
    const query = { asOf, pageSize: 100, ...(groupId && { groupId }) }
    const { rows, sums } = await manager.reports.rows({ report: "ages_and_lives", query })
    return { rows, sums }
  }
  const whole = all.map(({ id }) => id).join(",")
  const lives: unknown[] = []
  const insured: unknown[] = []
  for (const asOf of [
    "2026-01-31",
    "2026-07-15",
    "2026-09-05",
    "2026-09-15",
    "2026-10-03",
    today,
    "2026-11-30",
    "2026-12-01",
    "2027-10-15",
  ]) {
    if (asOf > today) app.clock.set(`${asOf}T08:00:00Z`)
    const found = await lines(asOf)
    expect(found).toEqual(await lines(asOf, whole))
    lives.push(found.sums?.lives)
    insured.push(found.sums?.insuredCents)
    const covered = await app.sql.row<{ cents: number }>(sql`
      select coalesce(sum(case when ${asOf}::date >= '2026-11-15' then 0 when g.name = 'Sooner Works' and ${asOf}::date >= '2026-09-10' then 60000000
        when g.name = 'Sooner Works' then 50000000 when g.name = 'Later Works' and ${asOf}::date >= '2026-09-10' then 2000000 else 0 end), 0)::bigint as cents
      from member_covers c join employer_groups g on g.id = c.group_id
      where c.superseded_at is null and c.kind = 'covered' and c.valid @> ${asOf}::date`)
    expect(found.sums?.insuredCents, asOf).toBe(covered!.cents)
  }
  expect(new Set(lives).size).toBeGreaterThan(4)
  expect(new Set(insured).size).toBeGreaterThan(4)
})
