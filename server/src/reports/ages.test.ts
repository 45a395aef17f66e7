import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

test("ages are completed years, one line for each band, gender and tier of all employers", async () => {
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
  // Twenty-five today, tomorrow, long ago; nobody knows.
  expect(await lines("2026-10-15", ["2001-10-15", "2001-10-16", "1990-01-01", null])).toEqual([
    ["Under 25", "female", 1, 24],
    ["25 to 34", "female", 1, 25],
    ["35 to 44", "female", 1, 36],
    ["Not known", null, 1, null],
  ])
  // Of two employers in one line; who is very old is not forgotten.
  expect(await lines("2026-10-15", ["1991-10-16", "1990-10-16", "1990-10-15", "1890-01-01"])).toEqual([
    ["25 to 34", "female", 1, 34],
    ["35 to 44", "female", 2, 35.5],
    ["65 and over", null, 1, 130],
  ])
  expect(await lines("2026-10-15", ["1990-01-01", "1989-10-16", "1980-01-01", "1960-01-01"], one.groupId)).toEqual([
    ["35 to 44", "female", 2, 36],
  ])
})

test("who was born on 29 February is a year older on 1 March where there is none", async () => {
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
