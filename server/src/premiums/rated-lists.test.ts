import { randomUUID } from "node:crypto"
import { read as readWorkbook, utils } from "@e965/xlsx"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { RateRow } from "@milkwood/domain/policies/rates"
import type { ReportId } from "@milkwood/domain/reports/catalogue"
import { defaultDefinition } from "@milkwood/domain/reports/custom-report"
import { sql } from "drizzle-orm"
import Papa from "papaparse"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember, type SampleMember } from "../members/members.samples.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"

const today = "2026-11-02"
const start = "2026-09-01"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
let tiers: Record<string, string>
let policyId: string
let number: string
const ids: Record<string, string> = {}

const row = (person: RateRow["person"], over: Partial<RateRow>): RateRow => ({
  ...{ person, tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: null },
  ...over,
})
const dependent = (relationship: "spouse" | "child" | "other", dateOfBirth: Day | null, fromOn?: Day) => ({
  ...{ firstName: "Sam", lastName: "Nkosi", idNumber: null, gender: null, relationship, dateOfBirth },
  ...(fromOn && { fromOn }),
})

async function addMember(
  of: string,
  dateOfBirth: Day | null,
  sample: SampleMember = {},
  firstName = sample.firstName!,
) {
  const member = await createMember(app.manager, of, { startOn: start, ...sample })
  ids[firstName] = member.id
  return app.manager.members.update({
    ...{ memberId: member.id, version: member.version },
    personal: { ...member.personal, idNumber: null, passportNumber: `P${randomUUID().slice(0, 8)}`, dateOfBirth },
  })
}
const versionOf = async (memberId: string) => (await app.manager.members.detail({ memberId })).version

async function createRatedDraft(groupName: string) {
  const draft = await createDraftPolicy(app.manager, { groupName, startOn: start, endOn: "2026-12-31" })
  const rows = [
    row("member", { tierId: tiers.Gold!, ageFrom: 35, ageUntil: 44, cents: 412_00 }),
    row("member", { ageUntil: 34, cents: 300_00 }),
    row("member", { ageFrom: 35, cents: 500_00 }),
    row("spouse", { ageUntil: 49, cents: 180_00 }),
    row("spouse", { ageFrom: 50, cents: 220_10 }),
    row("child", { cents: 45_05 }),
  ]
  const rates = { ageOn: "month" as const, sumAssured: null, rows }
  await app.manager.policies.saveRates({ policyId: draft.id, version: draft.version, rates })
  return draft
}
async function activatePolicy(of: string) {
  const { version } = await app.manager.policies.detail({ policyId: of })
  await app.manager.policies.activate({ policyId: of, version })
}

beforeAll(async () => {
  app = await openBillingApp()
  server = await app.serve()
  tiers = Object.fromEntries((await app.manager.benefits.choices()).tiers.map(({ id, name }) => [name, id]))
  const draft = await createRatedDraft("Rated Works")
  ;[policyId, number] = [draft.id, draft.number]
  const family = [dependent("spouse", "1976-05-05"), dependent("child", "2015-01-01"), dependent("child", null)]
  await addMember(policyId, "1986-03-01", { firstName: "Thandi", tier: "Gold", dependents: family })
  const young = dependent("spouse", "1990-01-01")
  await addMember(policyId, "1991-11-02", { firstName: "Birthday", tier: "Silver", dependents: [young] })
  await addMember(policyId, "1985-01-01", { firstName: "Mover", tier: "Silver" })
  await addMember(policyId, "1970-01-01", { firstName: "Leaver", tier: "Silver" })
  await addMember(policyId, "1960-01-01", { firstName: "Suspended", tier: "Silver" })
  const spouse = dependent("spouse", "1970-01-01")
  await addMember(policyId, "1975-01-01", {
    firstName: "Later",
    tier: "Gold",
    startOn: "2026-12-01",
    dependents: [spouse],
  })
})
afterAll(() => app.close())

async function listPremiums(of = policyId) {
  const { rows } = await app.manager.members.list({ policyId: of, pageSize: 100 })
  return Object.fromEntries(rows.map((member) => [member.firstName, member.premiumCents ?? member.unrated]))
}

async function readReport(id: ReportId, query: Record<string, string>) {
  const answer = await app.manager.reports.rows({ report: id, query: { pageSize: 100, ...query } })
  const rows = (answer.rows as Record<string, number | string | null>[]).filter((one) => one.policyNumber === number)
  return { rows, sums: answer.sums as Record<string, number> }
}

/**
 * Independent calculation: each person's rate from `rate_rows` by whole-year age, with dependents from their own table.
 * `cents` is null without a rate.
 */
async function readRatesBySql(day: Day, of = policyId) {
  const rows = await app.sql.rows<{ name: string; cents: number | null }>(sql`
    with people as (
      select m.id, m.tier_id, 'member' as person, m.date_of_birth as born from members m where m.policy_id = ${of}
      union all
      select m.id, m.tier_id, d.relationship, d.date_of_birth from dependents d join members m on m.id = d.member_id
      where m.policy_id = ${of} and d.from_on <= greatest(${day}::date, m.start_on)
        and (d.until_on is null or d.until_on >= ${day}::date)
    ), aged as (
      select p.*, (to_char(date_trunc('month', greatest(${day}::date, m.start_on)), 'YYYYMMDD')::int
        - to_char(p.born, 'YYYYMMDD')::int) / 10000 as age
      from people p join members m using (id)
    ), rated as (
      select a.id, (
        select r.cents from rate_rows r join policies p on p.rate_table_id = r.rate_table_id
        where p.id = ${of} and r.person = a.person and (r.tier_id is null or r.tier_id = a.tier_id)
          and (r.ages is null or (a.age >= coalesce(lower(r.ages), 0) and (upper(r.ages) is null or a.age < upper(r.ages))))
        order by r.tier_id nulls last limit 1) as cents
      from aged a
    )
    select m.first_name as name, case when count(*) = count(r.cents) then sum(r.cents)::bigint end as cents
    from rated r join members m using (id) group by m.id`)
  return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]))
}

const readPolicyDetail = () => app.manager.policies.detail({ policyId })
const readPolicyRow = async (search = "Rated Works") => (await app.manager.policies.list({ search })).rows[0]!
const sumCents = (cents: (number | null)[]) => cents.reduce<number>((sum, one) => sum + one!, 0)

const fetchAsManager = (path: string) =>
  fetch(`${server.url}${path}`, { headers: server.headersOf(app.people.manager) })
const parseFigure = (cell: string) => (/^-?[\d.]+$/.test(cell) ? Number(cell) : cell)

function columnByKey(lines: string[][], by: string, of: string) {
  const [head, ...rest] = lines as [string[], ...string[][]]
  const [key, value] = [by, of].map((title) => head.findIndex((one) => one.startsWith(title)))
  return Object.fromEntries(rest.map((line) => [line[key!]!.split(" ")[0], parseFigure(line[value!]!)]))
}
async function fetchCsvColumn(path: string, by: string, of: string) {
  const text = await (await fetchAsManager(path)).text()
  return columnByKey(Papa.parse<string[]>(text.replace("\uFEFF", "").trim()).data, by, of)
}
async function fetchXlsxColumn(path: string, by: string, of: string) {
  const { Sheets } = readWorkbook(Buffer.from(await (await fetchAsManager(path)).arrayBuffer()))
  const lines = utils.sheet_to_json<string[]>(Object.values(Sheets)[0]!, { header: 1, defval: "", raw: true })
  return columnByKey(
    lines.map((line) => line.map(String)),
    by,
    of,
  )
}

async function previewCustomRows(type: "members" | "groups", fields: string[]) {
  const filters = [{ field: "policyNumber", operator: "is" as const, value: number }]
  const definition = { ...defaultDefinition, range: "custom" as const, from: null, to: null, type, fields, filters }
  return (await app.manager.reports.custom.preview({ definition })).rows as Record<string, unknown>[]
}

describe("rate-table premiums", () => {
  test("are shown for a draft and its members as of the day each cover begins", async () => {
    const expected = await readRatesBySql(today)
    expect(await listPremiums()).toEqual(expected)
    expect(expected).toEqual({
      ...{ Thandi: 412_00 + 220_10 + 2 * 45_05, Birthday: 300_00 + 180_00, Mover: 500_00, Leaver: 500_00 },
      ...{ Suspended: 500_00, Later: 500_00 + 220_10 },
    })
    const all = sumCents(Object.values(expected))
    expect(await readPolicyDetail()).toMatchObject({ rated: true, monthlyPremiumCents: all, unrated: null })
    expect(await readPolicyRow()).toMatchObject({ premiumCents: null, monthlyPremiumCents: all, unrated: null })
  })

  test("are shown in member and policy lists, their exports and the detail pages", async () => {
    await activatePolicy(policyId)
    const moved = { memberId: ids.Mover!, version: await versionOf(ids.Mover!), tierId: tiers.Gold!, on: "2026-10-01" }
    await app.manager.members.changeTier(moved)
    const left = { memberId: ids.Leaver!, version: await versionOf(ids.Leaver!), on: "2026-10-15", reason: "Resigned" }
    await app.manager.members.terminate(left)
    const paused = { memberId: ids.Suspended!, version: await versionOf(ids.Suspended!), on: today, reason: "Leave" }
    await app.manager.members.suspend(paused)

    const expected = await readRatesBySql(today)
    expect(expected).toMatchObject({ Mover: 412_00, Leaver: 500_00 })
    expect(await listPremiums()).toEqual(expected)
    const { Leaver, Suspended, ...billed } = expected
    const all = sumCents(Object.values(billed))
    expect(await readPolicyDetail()).toMatchObject({ monthlyPremiumCents: all, unrated: null })
    expect(await readPolicyRow()).toMatchObject({ monthlyPremiumCents: all, unrated: null })
    for (const [name, memberId] of Object.entries(ids)) {
      const member = await app.manager.members.detail({ memberId })
      expect(member, name).toMatchObject({
        premiumCents: expected[name],
        unrated: null,
        policy: { premiumCents: null },
      })
    }
    const files = Object.fromEntries(Object.entries(expected).map(([name, cents]) => [name, cents! / 100]))
    expect(await fetchCsvColumn(`/api/members.csv?policyId=${policyId}`, "Name", "Premium")).toEqual(files)
    expect(await fetchXlsxColumn(`/api/members.xlsx?policyId=${policyId}`, "Name", "Premium")).toEqual(files)
    expect(await fetchCsvColumn("/api/policies.csv?search=rated+works", "Policy number", "Monthly premium")).toEqual({
      [number]: all / 100,
    })
  })

  test("are in the member register with a total, as at a day", async () => {
    for (const day of ["2026-10-01", "2026-11-01", today]) {
      const expected = await readRatesBySql(day)
      const { rows, sums } = await readReport("member_register", { asOf: day, policyId })
      const shown = Object.fromEntries(rows.map(({ name, premiumCents }) => [String(name).split(" ")[0], premiumCents]))
      const covered = await app.sql.rows<{ name: string; kind: string }>(sql`
        select m.first_name as name, c.kind from member_covers c join members m on m.id = c.member_id
        where c.policy_id = ${policyId} and c.superseded_at is null and c.valid @> ${day}::date`)
      const premiums = covered.map(({ name, kind }) => [name, kind === "covered" ? expected[name] : 0] as const)
      expect(shown, day).toEqual(Object.fromEntries(premiums))
      expect(sums.premiumCents, day).toBe(sumCents(premiums.map(([, cents]) => cents!)))
    }
  })

  test("are in portfolio and renewals for all covered members, now and at the start", async () => {
    const { Thandi, Birthday, Mover } = await readRatesBySql(today)
    const now = sumCents([Thandi!, Birthday!, Mover!])
    const portfolio = await readReport("scheme_portfolio", { asOf: today })
    expect(portfolio.rows).toMatchObject([{ members: 3, premiumCents: now, unrated: null }])
    const renewals = await readReport("renewals", { from: "2026-12-01", to: "2026-12-31" })
    const atStart = { membersAtStart: 5, premiumAtStartCents: now + 88_00 + 2 * 500_00 }
    expect(renewals.rows).toMatchObject([{ members: 3, premiumCents: now, ...atStart }])
    const flat = await app.policy({ groupName: "Flat Works", premiumCents: 100_00, members: 2 })
    const { rows } = await app.manager.reports.rows({
      report: "scheme_portfolio",
      query: { asOf: today, pageSize: 100 },
    })
    expect(rows.find(({ policyNumber }) => policyNumber === flat.number)).toMatchObject({ premiumCents: 200_00 })
  })

  test("are in movements: joiners, leavers, suspensions and tier differences", async () => {
    const { rows, sums } = await readReport("movements", {
      from: start,
      to: today,
      groupId: (await readPolicyDetail()).groupId,
    })
    const moved = rows.map(({ memberName, movement, on, premiumCents }) => {
      return [String(memberName).split(" ")[0], movement, on, premiumCents]
    })
    const at = await readRatesBySql(start)
    expect(moved.sort()).toEqual([
      ["Birthday", "joiner", start, at.Birthday],
      ["Leaver", "joiner", start, 500_00],
      ["Leaver", "leaver", "2026-10-16", -500_00],
      ["Mover", "joiner", start, 500_00],
      ["Mover", "tier_change", "2026-10-01", 412_00 - 500_00],
      ["Suspended", "joiner", start, 500_00],
      ["Suspended", "suspended", today, -500_00],
      ["Thandi", "joiner", start, at.Thandi],
    ])
    expect(sums.premiumCents).toBe(sumCents(moved.map(([, , , cents]) => cents as number)))
  })

  test("are in report files and in custom reports of members and policies", async () => {
    const expected = await readRatesBySql("2026-11-01")
    const { runId } = await app.manager.reports.generate({
      ...{ report: "member_register", format: "excel", query: { asOf: "2026-11-01", policyId } },
      idempotencyKey: randomUUID(),
    })
    await app.runJobs()
    const { Leaver, Later, ...covered } = expected
    const file = await fetchXlsxColumn(`/api/reports/${runId}/file`, "Name", "Premium")
    expect(file).toMatchObject(Object.fromEntries(Object.entries(covered).map(([name, cents]) => [name, cents! / 100])))

    const members = await previewCustomRows("members", ["fullName", "policyNumber", "premium"])
    const shown = members.map(({ fullName, premium }) => [String(fullName).split(" ")[0], premium])
    expect(Object.fromEntries(shown)).toEqual(await readRatesBySql(today))
    const policies = await previewCustomRows("groups", ["policyNumber", "premiumAmount", "memberPremium"])
    const { monthlyPremiumCents } = await readPolicyDetail()
    expect(policies).toMatchObject([{ premiumAmount: monthlyPremiumCents, memberPremium: null }])
  })
})

test("a rate per R 1 000 of salary uses the salary of the day", async () => {
  const draft = await createDraftPolicy(app.manager, { groupName: "Salary Works", startOn: start })
  const rows = [row("member", { perMille: 0.85 })]
  const rates = { ageOn: "anniversary" as const, sumAssured: { kind: "salary" as const, multiple: 36 }, rows }
  await app.manager.policies.saveRates({ policyId: draft.id, version: draft.version, rates })
  await addMember(draft.id, "1986-03-01", { firstName: "Paid", monthlyCents: 25_000_00 })
  await addMember(draft.id, "1986-03-01", { firstName: "Unpaid" })
  expect(await listPremiums(draft.id)).toEqual({ Paid: 765_00, Unpaid: "No salary" })
  const { monthlyPremiumCents, unrated } = await app.manager.policies.detail({ policyId: draft.id })
  expect([monthlyPremiumCents, unrated]).toEqual([null, "No rate for 1 person"])
})

describe("a person without a rate", () => {
  beforeAll(async () => {
    const draft = await createRatedDraft("Unrated Works")
    ;[policyId, number] = [draft.id, draft.number]
    await addMember(policyId, "1986-03-01", { firstName: "Rated" })
    await activatePolicy(policyId)
    const spouse = dependent("spouse", null)
    const other = dependent("other", "1950-01-01")
    await addMember(policyId, null, { firstName: "Unborn" })
    await addMember(policyId, "1986-03-01", { firstName: "Married", dependents: [spouse] })
    await addMember(policyId, "1986-03-01", { firstName: "Kin", dependents: [other] })
  })
  const reasons = {
    Unborn: "No date of birth",
    Married: "No date of birth: spouse",
    Kin: "No rate for the other dependent",
  }

  test("has no amount anywhere, but the reason instead", async () => {
    const expected = { Rated: 500_00, ...reasons }
    expect(await listPremiums()).toEqual(expected)
    const files = { ...expected, Rated: 500 }
    expect(await fetchCsvColumn(`/api/members.csv?policyId=${policyId}`, "Name", "Premium")).toEqual(files)
    expect(await fetchXlsxColumn(`/api/members.xlsx?policyId=${policyId}`, "Name", "Premium")).toEqual(files)
    const detail = await app.manager.members.detail({ memberId: ids.Married! })
    expect(detail).toMatchObject({ premiumCents: null, unrated: reasons.Married })
    const register = await readReport("member_register", { asOf: today, policyId })
    const shown = register.rows.map(({ name, premiumCents, unrated }) => [
      String(name).split(" ")[0],
      premiumCents ?? unrated,
    ])
    expect(Object.fromEntries(shown)).toEqual(expected)
    expect(register.sums).toMatchObject({ premiumCents: 500_00, withoutRate: 3 })
    const movements = await readReport("movements", {
      from: start,
      to: today,
      groupId: (await readPolicyDetail()).groupId,
    })
    const joined = movements.rows.map(({ memberName, premiumCents, unrated }) => [
      String(memberName).split(" ")[0],
      premiumCents ?? unrated,
    ])
    expect(Object.fromEntries(joined)).toEqual(expected)
    expect(movements.sums).toMatchObject({ premiumCents: 500_00, withoutRate: 3 })
  })

  test("makes the policy show the number of people without a rate instead of an amount", async () => {
    const missing = { unrated: "No rate for 3 people" }
    expect(await readPolicyDetail()).toMatchObject({ monthlyPremiumCents: null, ...missing })
    expect(await readPolicyRow("unrated works")).toMatchObject({ monthlyPremiumCents: null, ...missing })
    expect(await fetchCsvColumn("/api/policies.csv?search=unrated+works", "Policy number", "Monthly premium")).toEqual({
      [number]: missing.unrated,
    })
    const portfolio = await readReport("scheme_portfolio", { asOf: today })
    expect(portfolio.rows).toMatchObject([{ members: 4, premiumCents: null, ...missing, withoutRate: 3 }])
    expect(portfolio.sums.withoutRate).toBe(3)
    const renewals = await readReport("renewals", { from: "2026-12-01", to: "2026-12-31" })
    expect(renewals.rows).toMatchObject([{ premiumCents: null, ...missing, unratedAtStart: missing.unrated }])
    expect(renewals.sums).toMatchObject({ withoutRate: 3, withoutRateAtStart: 3 })
    const [row] = await previewCustomRows("groups", ["policyNumber", "premiumAmount"])
    expect(row!.premiumAmount).toBeNull()
  })
})
