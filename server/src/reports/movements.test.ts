import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Moving Works")
})
afterAll(() => app.close())

test("in the movements report, adjacent covers are a change; a gap is leaver and joiner", async () => {
  const { memberId, policyId, groupId } = scene
  const [first, second] = await app.sql.rows<{ id: string; name: string }>(
    sql`select id, name from benefit_tiers order by position limit 2`,
  )
  await app.sql.run(sql`update member_covers set superseded_at = recorded_at where member_id = ${memberId}`)
  const covers: [string, string, { id: string }, string | null][] = [
    ["covered", "2026-03-01", first!, "2026-05-01"],
    ["covered", "2026-05-01", second!, "2026-06-01"],
    ["suspended", "2026-06-01", second!, "2026-07-01"],
    ["covered", "2026-07-01", second!, "2026-08-01"],
    ["suspended", "2026-09-01", second!, "2026-10-01"],
    ["covered", "2026-10-05", second!, null],
  ]
  for (const [kind, from, tier, until] of covers)
    await app.sql.run(sql`
      insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
      values (${randomUUID()}, ${groupId}, ${policyId}, ${memberId}, ${tier.id}, ${kind}, daterange(${from}::date, ${until}::date), now())`)
  const moved = async (from: string, to: string) => {
    const query = { from, to, groupId, pageSize: 100 }
    const { rows, sums } = await app.as(app.people.manager).reports.rows({ report: "movements", query })
    const number = (await app.sql.rows<{ number: string }>(sql`select number from members where id = ${memberId}`))[0]!
    const mine = rows.filter((row) => row.memberNumber === number.number)
    expect(sums?.joined).toBe(rows.reduce((sum, row) => sum + Number(row.joined), 0))
    for (const row of mine) expect(row.opens).toEqual({ kind: "member", id: memberId })
    return mine.map((row) => [row.on, row.movement, row.tier, row.tierBefore, row.joined])
  }
  expect(await moved("2026-01-01", "2026-12-31")).toEqual([
    ["2026-03-01", "joiner", first!.name, null, 1],
    ["2026-05-01", "tier_change", second!.name, first!.name, 0],
    ["2026-06-01", "suspended", second!.name, null, -1],
    ["2026-07-01", "resumed", second!.name, null, 1],
    ["2026-08-01", "leaver", second!.name, null, -1],
    ["2026-09-01", "suspended", second!.name, null, 0],
    ["2026-10-01", "leaver", second!.name, null, 0],
    ["2026-10-05", "joiner", second!.name, null, 1],
  ])
  for (const dir of ["asc", "desc"] as const) {
    const query = { from: "2026-01-01", to: "2026-12-31", groupId, dir }
    const { chart } = await app.as(app.people.manager).reports.rows({ report: "movements", query })
    expect(chart?.map(({ label }) => label)).toEqual(["Joiner", "Leaver", "Suspended", "Cover resumed", "Tier change"])
  }
  expect(await moved("2026-05-01", "2026-06-01")).toEqual([
    ["2026-05-01", "tier_change", second!.name, first!.name, 0],
    ["2026-06-01", "suspended", second!.name, null, -1],
  ])
})

test("movements of members who joined on one day are paged by name", async () => {
  const { policyId, groupId } = await insureGroup(app, "Crowded Works")
  const manager = app.as(app.people.manager)
  const letters = "qwertyuiopasdfghjklzxcvbnm"
  for (const letter of letters)
    await createMember(manager, policyId, { firstName: `A${letter}`, lastName: "Adams", startOn: "2026-02-01" })
  const read = async (query: Record<string, string | number>) => {
    const period = { from: "2026-01-01", to: "2026-03-31", groupId }
    const { rows, total } = await manager.reports.rows({ report: "movements", query: { ...period, ...query } })
    expect(total).toBe(28)
    return rows.map(({ memberName }) => memberName)
  }
  const names = [...letters].sort().map((letter) => `A${letter} Adams`)
  expect(await read({ pageSize: 100 })).toEqual(["Lerato Botha", "Sipho Dlamini", ...names])
  for (const sort of ["on", "movement", "memberName", "groupName"])
    for (const dir of ["asc", "desc"]) {
      const whole = await read({ sort, dir, pageSize: 100 })
      const pages = [...(await read({ sort, dir })), ...(await read({ sort, dir, page: 2 }))]
      expect(pages, `${sort} ${dir}`).toEqual(whole)
    }
})

test("data quality lists ID numbers that contradict the birth date or belong to two employers' members", async () => {
  const other = await insureGroup(app, "Other Works")
  const said = async () => {
    const { rows } = await app
      .as(app.people.manager)
      .reports.rows({ report: "doubtful_data", query: { pageSize: 100 } })
    return rows.filter(({ problem }) => problem !== "missing").map((row) => [row.groupName, row.problem, row.what])
  }
  const number = "8001015009087"
  await app.sql.run(
    sql`update members set id_number = ${number}, date_of_birth = '1980-01-01' where id = ${scene.memberId}`,
  )
  expect((await said()).filter(([group]) => group === "Moving Works")).toEqual([])
  await app.sql.run(
    sql`update members set id_number = ${number}, date_of_birth = '1980-10-01' where id = ${other.memberId}`,
  )
  expect((await said()).sort()).toEqual([
    ["Moving Works", "several_groups", "Also in Other Works"],
    ["Other Works", "id_conflict", "The ID number says another date of birth"],
    ["Other Works", "several_groups", "Also in Moving Works"],
  ])
  await app.sql.run(sql`update members set status = 'Terminated', end_on = '2026-01-31' where id = ${other.memberId}`)
  expect(await said()).toEqual([])
})
