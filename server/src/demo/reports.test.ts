import { createHash, randomUUID } from "node:crypto"
import { addDays, addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Role } from "@milkwood/domain/platform/permission"
import { catalogue, quickReports, type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { reportFormats } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { approveStage, type ClaimActors } from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { expectCsv, expectPaper, expectWorkbook, subtotalCellOf } from "../test/report-papers.ts"
import { testMoneyFigures } from "./figures-of-money.ts"
import { testPeopleFigures } from "./figures-of-people.ts"
import { listAllRows, type ReportRow } from "./house-says.ts"
import { playDemo } from "./play.ts"

/* Runs every report on one seeded demo. Files are compared with the screen, rows with the modules' lists, totals with
   the ledger. */

let app: TestApp
let client: Client
let madeBy: string
let today: Day
const say = vi.fn<(words: string) => void>()
const playTestDemo = () => playDemo(app.app, { databaseUrl: undefined, dataDir: "" }, say)

async function createSignedInActor(role: Role, groupId: string | null = null) {
  const person = await app.sql.row<{ userId: string; name: string; email: string }>(sql`
    select id as "userId", name, email from users u where role = ${role}
      and (${groupId}::uuid is null or exists (select from user_groups g where g.user_id = u.id and g.group_id = ${groupId}))
    order by created_at, email limit 1`)
  const groupIds = groupId ? [groupId] : []
  return { name: person!.name, client: app.as({ kind: "user", ...person!, role, groupIds, session: "played" }) }
}

// The seeding takes half a minute or more.
beforeAll(async () => {
  app = await openTestApp({ requiresDocuments: true })
  await app.sql.run(sql`delete from users`)
  await playTestDemo()
  ;({ client, name: madeBy } = await createSignedInActor("manager"))
  today = (await client.settings.display({})).today
}, 400_000)
afterAll(() => app.close())

test("a complete seeding verifies the ledger and is not repeated", async () => {
  expect(say.mock.lastCall?.[0]).toMatch(/The books hold/)
  const said = say.mock.calls.length
  await playTestDemo()
  expect(say).toHaveBeenCalledTimes(said)
})

test("the approvals of a claim are decided one after the other in working hours", async () => {
  const { together } = (await app.sql.row<{ together: number }>(sql`
    select count(*)::int as together from claim_approvals a join claim_approvals b
      on b.claim_id = a.claim_id and b.round = a.round and b.stage > a.stage and b.decided_at = a.decided_at
    where (a.decided_at at time zone 'Africa/Johannesburg')::time < '17:00'`))!
  expect(together).toBe(0)
  const outside = await app.sql.rows(sql`
    select decided_at from claim_approvals where decided_at < ${today}::date
      and (decided_at at time zone 'Africa/Johannesburg')::time not between '09:00' and '17:00'`)
  expect(outside).toEqual([])
})

test("the claims experience report earns premium by billed month and excludes future months", async () => {
  const lines = await app.sql.rows<{ month: Day; cents: number }>(sql`
    select month, sum(cents)::bigint as cents from (
      select coalesce(l.billed_month, date_trunc('month', i.period_start_on)::date) as month,
        round(sum(l.total_cents) * (i.subtotal_cents - i.discount_cents) / i.subtotal_cents) as cents
      from invoices i join invoice_lines l on l.invoice_id = i.id where i.status = 'sent' group by 1, i.id
      union all
      select coalesce(l.billed_month, date_trunc('month', i.period_start_on)::date),
        -round(sum(l.net_cents) * n.net_cents / (n.net_cents + n.discount_cents))
      from credit_notes n join invoices i on i.id = n.invoice_id join credit_note_lines l on l.credit_note_id = n.id
      where n.net_cents + n.discount_cents <> 0 group by 1, n.id
    ) documents group by month order by month`)
  const thisMonth = firstOfMonth(today)
  const [past, ahead] = [
    lines.filter(({ month }) => month <= thisMonth),
    lines.filter(({ month }) => month > thisMonth),
  ]
  expect(ahead.map(({ month }) => month)).toEqual([addMonths(thisMonth, 1)])

  const asked = { from: addMonths(thisMonth, -14), to: addMonths(thisMonth, 14) }
  const rows = await listAllRows(async (place) => {
    const answer = await client.reports.rows({ report: "claims_experience", query: { ...asked, ...place } })
    return { rows: answer.rows as ReportRow[], total: answer.total }
  })
  const of = (month: Day, name: string) =>
    rows.reduce((sum, row) => (row.month === month ? sum + Number(row[name]) : sum), 0)
  expect(past.map(({ month }) => ({ month, cents: of(month, "earnedCents") }))).toEqual(past)
})

test("reports handle cases missing from the demo, such as formula-like names and reduced claims", async () => {
  const scheme = { groupName: "=cmd() Weavers", startOn: firstOfMonth(today), endOn: addDays(today, 40) }
  const { id: policyId } = await createActivePolicy(client, { ...scheme, members: 1 })
  const child = { firstName: "+Late", lastName: "@Comer", idNumber: null, dateOfBirth: "2020-02-29", gender: null }
  const twice = { person: 70_707, startOn: today }
  const { id: memberId, version } = await createMember(client, policyId, {
    ...{ ...twice, firstName: "-Twice", lastName: "=Insured" },
    dependents: [{ ...child, relationship: "child" }],
  })
  const [elsewhere] = (await client.policies.list({ status: "Active", search: "Karoo" })).rows
  await createMember(client, elsewhere!.id, twice)
  const { contact, employment, personal } = await client.members.detail({ memberId })
  await client.members.update({
    ...{ memberId, version, contact: { ...contact, phone: "" } },
    ...{ personal, employment },
  })
  expect((await client.members.list({ toComplete: true })).total).toBeGreaterThan(0)

  const [waiting] = (await client.claims.list({ status: "pending_underwriter" })).rows
  const { group, id: claimId, requestedAmountCents } = waiting!
  const [{ client: underwriter }, { client: policy_holder }] = [
    await createSignedInActor("underwriter"),
    await createSignedInActor("policy_holder", group.id),
  ]
  const cast: ClaimActors = { captures: client, manager: client, group_admin: client, underwriter, policy_holder }
  const less = await approveStage(cast, await client.claims.detail({ claimId }), requestedAmountCents! - 432_10)
  expect(await approveStage(cast, less)).toMatchObject({ status: "approved" })
})

type Query = Record<string, string | number | boolean>

const lastTwoYears = () => ({ from: addMonths(firstOfMonth(today), -24), to: addMonths(today, 14) })
const widestQueryOf = (id: ReportId): Query => (reportOf(id).dates.kind === "period" ? lastTwoYears() : {})

async function readReportRows(report: ReportId, query: Query = widestQueryOf(report)) {
  const rows: ReportRow[] = []
  for (let page = 1; ; page++) {
    const answer = await client.reports.rows({ report, query: { ...query, page, pageSize: 100 } })
    rows.push(...(answer.rows as ReportRow[]))
    const { sums, total, chart, dates } = answer
    if (rows.length >= total) return { rows, sums: sums as Record<string, number>, total, chart, dates }
  }
}

/** Reports in which a bar of the chart opens as a filter. */
const reportsWithClickableBars = new Set<ReportId>([
  ...(["premium_billing", "cash_book", "scheme_portfolio", "movements", "claims_experience"] as const),
  ...(["dependents", "doubtful_data", "claims_register", "outstanding_claims", "decisions"] as const),
])

const reportCases: [string, ReportId, () => Query][] = [
  ...catalogue.map(({ id }): [string, ReportId, () => Query] => [id, id, () => widestQueryOf(id)]),
  ...quickReports.map(({ name, report, asked }): [string, ReportId, () => Query] => [name, report, () => asked]),
]

test.each(reportCases)(
  "the report %s has the same rows and totals on screen and in files",
  async (_, id, query) => {
    const { list, name, chart } = reportOf(id)
    const shown = { list, subtotalBy: subtotalCellOf(reportOf(id)), ...(await readReportRows(id, query())) }
    const { rows, sums } = shown
    expect(rows.length, "the demo (server/src/demo/year.ts) must produce a row of this report").toBeGreaterThan(0)
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    for (const summed of list.sums ?? [])
      expect(sums[summed], summed).toBe(rows.reduce((sum, row) => sum + Number(row[summed] ?? 0), 0))
    for (const [column, { names }] of Object.entries(list.columns))
      if (names) for (const row of rows) if (row[column] !== null) expect(Object.keys(names)).toContain(row[column])
    for (const of of chart?.of ?? [])
      if (list.sums?.includes(of))
        expect(
          shown.chart?.reduce((sum, { values }) => sum + values[of]!, 0),
          of,
        ).toBe(sums[of])

    // Opening a bar lists the rows it counts.
    for (const { label, values, narrows } of shown.chart ?? []) {
      if (!narrows) continue
      const behind = await readReportRows(id, { ...query(), ...narrows })
      for (const of of chart!.of)
        if (list.sums?.includes(of)) expect([label, behind.sums[of]]).toEqual([label, values[of]])
    }
    if (reportsWithClickableBars.has(id))
      expect(shown.chart?.filter(({ narrows }) => narrows).length, id).toBeGreaterThan(0)

    const made = new Map<string, string>()
    for (const format of reportFormats) {
      const asked = { report: id, format, query: query(), idempotencyKey: randomUUID() }
      made.set(format, (await client.reports.generate(asked)).runId)
    }
    await app.runJobs()
    const generated = (await client.reports.runs({ pageSize: 100 })).rows
    const fileOf = async (format: (typeof reportFormats)[number]) => {
      const run = generated.find((one) => one.id === made.get(format))!
      expect(run).toMatchObject({ ...{ name, format, state: "done", message: null }, rows: rows.length })
      const [file] = await app.sql.rows<{ id: string }>(sql`select file_id as id from report_runs where id = ${run.id}`)
      const bytes = await app.app.files.bytes(app.sql, file!.id)
      expect(run.sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
      expect(run.size).toBe(bytes.length)
      return { bytes, words: run.words }
    }
    expectCsv((await fileOf("csv")).bytes, shown)
    expectWorkbook((await fileOf("excel")).bytes, shown)
    const { bytes, words } = await fileOf("pdf")
    for (const day of Object.values(shown.dates)) expect(words).toContain(day)
    await expectPaper(bytes, shown, {
      ...{ organisation: "Milkwood Group Assurance", title: name, words, madeBy },
    })
  },
  60_000,
)

describe("report figures equal the lists and the ledger:", () => {
  const house = () => ({ client, today, onScreen: readReportRows })
  testMoneyFigures(house)
  testPeopleFigures(house)
})
