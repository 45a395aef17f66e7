import { randomUUID } from "node:crypto"
import { lastOfMonth } from "@milkwood/domain/kernel/calendar"
import {
  chartsOfRole,
  type DashboardCard,
  dashboardCards,
  dashboardCharts,
  monthEndsBefore,
  monthsUpTo,
} from "@milkwood/domain/reports/dashboard"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createDraftClaim,
  createRejectedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createReversedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import type { Client } from "../test/app.ts"
import { storeMonthEnds } from "./dashboard.queries.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
let manager: Client
const today = "2026-11-05"
const months = monthsUpTo(today)

beforeAll(async () => {
  app = await openClaimApp()
  manager = app.as(app.people.manager)
  app.clock.set("2026-08-31T22:30:00Z")
  scene = await insureGroup(app, "Charted Dairy")
  other = await insureGroup(app, "Other Works")
  for (const each of [scene, other]) await createCompanyHistory(each)
  app.clock.set("2026-11-05T08:00:00Z")
  await storeCurrentMonthEnds()
})
afterAll(() => app.close())

/** Creates the records, beginning in September's first hour. */
async function createCompanyHistory({ policyId, cast, sample }: ClaimScene): Promise<void> {
  const early = { ...sample, incidentOn: "2026-07-10", notificationOn: "2026-07-12" }
  app.clock.set("2026-08-31T22:30:00Z")
  await createSubmittedClaim(cast, early)
  app.clock.set("2026-09-20T08:00:00Z")
  const september = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await manager.billing.credit({
    ...{ invoiceId: september.id, idempotencyKey: randomUUID(), amountCents: 23_00, reason: "A slip" },
  })
  await createApprovedClaim(cast, early)
  const decidedLater = await createRoutedClaim(cast, early)
  await createDraftClaim(cast, early)
  await recordedReceipt(manager, { policyId, amountCents: 100_50, receivedOn: "2026-09-18" })
  await createReversedReceipt(manager, { policyId, amountCents: 7_00, receivedOn: "2026-09-19" })
  app.clock.set("2026-10-12T08:00:00Z")
  await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-02" })
  await createDraftInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  await createRejectedClaim(cast, early)
  await recordedReceipt(manager, { policyId, amountCents: 200_00, receivedOn: "2026-10-11" })
  await createMember(manager, policyId, { firstName: "Late", lastName: "Joiner", startOn: "2026-10-05" })
  expect(decidedLater.status).toBe("pending_group_admin")
}

const storeCurrentMonthEnds = () =>
  app.app.moment().then((moment) => app.app.database.transaction("jobs", (tx) => storeMonthEnds({ tx, ...moment })))

const monthRange = (month: string) => ({ from: month, to: lastOfMonth(month) })
const sumBy = <R>(rows: R[], of: (row: R) => number) => rows.reduce((sum, row) => sum + of(row), 0)

test("the chart's billed and collected amounts equal premium billing, receipts and ledger by month", async () => {
  const { money } = await manager.reports.dashboardCharts({})
  expect(money!.map(({ month }) => month)).toEqual(months)
  expect(money!.filter(({ billedCents }) => billedCents !== 0)).toHaveLength(2)
  for (const { month, billedCents, collectedCents } of money!) {
    const { from, to } = monthRange(month)
    const { sums } = await manager.reports.rows({ report: "premium_billing", query: { from, to } })
    expect(billedCents, month).toBe(sums?.remainingCents ?? 0)
    const { rows } = await manager.receipts.list({ receivedFrom: from, receivedTo: to, pageSize: 100 })
    const stood = rows.filter(({ status }) => status !== "Reversed")
    expect(collectedCents, month).toBe(sumBy(stood, ({ amountCents }) => amountCents))
  }
  const { accounts } = await manager.ledger.trialBalance({})
  const balance = (name: string) => {
    const found = accounts.find(({ account }) => account === name)
    return (found?.creditCents ?? 0) - (found?.debitCents ?? 0)
  }
  expect(sumBy(money!, ({ billedCents }) => billedCents)).toBe(
    sumBy(["premium_income", "unearned_premium", "accrued_premium", "vat_output"], (account) => balance(account)),
  )
  expect(sumBy(money!, ({ collectedCents }) => collectedCents)).toBe(-balance("bank") - balance("undeposited"))
})

test("the claims chart equals the claims list by month of submission, in the installation's timezone", async () => {
  const { claims } = await manager.reports.dashboardCharts({})
  for (const { month, pending, approved, rejected } of claims!) {
    const { from: submittedFrom, to: submittedTo } = monthRange(month)
    const of = async (tab: "pending" | "approved" | "rejected") =>
      (await manager.claims.list({ tab, submittedFrom, submittedTo })).total
    expect({ pending, approved, rejected }, month).toEqual({
      ...{ pending: await of("pending"), approved: await of("approved"), rejected: await of("rejected") },
    })
  }
  const september = claims!.find(({ month }) => month === "2026-09-01")
  expect(september).toMatchObject({ pending: 4, approved: 2, averageDays: 0 })
})

test("the chart's earned premium is the amount billed for the month and equals claims experience", async () => {
  const { experience } = await app.as(app.people.underwriter).reports.dashboardCharts({})
  const { rows } = await manager.reports.rows({
    report: "claims_experience",
    query: { from: months[0]!, to: lastOfMonth(today), pageSize: 100 },
  })
  const billed = await app.sql.rows<{ month: string; cents: number }>(sql`
    select month, sum(cents)::bigint as cents from (
      select billed_month as month, l.total_cents as cents
      from invoice_lines l join invoices i on i.id = l.invoice_id where i.status = 'sent'
      union all
      select billed_month, -net_cents from credit_note_lines
    ) lines group by month`)
  for (const { month, earnedCents, incurredCents, ledgerCents } of experience!) {
    const its = rows.filter((row) => row.month === month)
    expect(earnedCents, month).toBe(billed.find((one) => one.month === month)?.cents ?? 0)
    expect(ledgerCents, month).toBe(sumBy(its, (row) => Number(row.ledgerCents)))
    expect(earnedCents, month).toBe(sumBy(its, (row) => Number(row.earnedCents)))
    expect(incurredCents, month).toBe(sumBy(its, (row) => Number(row.incurredCents)))
  }
  expect(sumBy(experience!, ({ earnedCents }) => earnedCents)).toBeGreaterThan(0)
})

test("the ageing chart equals debtors' ageing; an employer's invoice chart equals the invoice list", async () => {
  const { ageing } = await manager.reports.dashboardCharts({})
  const { sums } = await manager.reports.debtorsAgeing({})
  expect(ageing).toEqual(
    Object.fromEntries(Object.keys(ageing!).map((bucket) => [bucket, (sums as Record<string, number>)[bucket]])),
  )
  const signatory = app.as(scene.people.signatory)
  const theirs = await signatory.reports.dashboardCharts({})
  expect(sumBy(Object.values(theirs.ageing!), (cents) => cents) * 2).toBe(sums!.totalCents)
  for (const { month, openCents } of theirs.invoiced!) {
    const { from: invoicedFrom, to: invoicedTo } = monthRange(month)
    const { rows } = await signatory.billing.list({ invoicedFrom, invoicedTo, pageSize: 100 })
    expect(openCents, month).toBe(sumBy(rows, (row) => row.openCents))
  }
})

test("stored month-end figures equal the dashboard at each month end and are stored once", async () => {
  const figures = await manager.reports.dashboard({})
  const said: Record<string, Record<DashboardCard, number>> = {}
  for (const monthEnd of ["2026-09-30", "2026-10-31"]) {
    app.clock.set(`${monthEnd}T20:00:00Z`)
    const then = await manager.reports.dashboard({})
    said[monthEnd] = Object.fromEntries(dashboardCards.map((card) => [card, then[card].now])) as never
  }
  app.clock.set("2026-11-05T08:00:00Z")
  const ends = monthEndsBefore(today)
  for (const card of dashboardCards) {
    expect(figures[card].months).toHaveLength(12)
    expect(figures[card].months.at(-1)).toBe(figures[card].now)
    for (const [monthEnd, cards] of Object.entries(said)) {
      // Only these cards can be recomputed for a past day.
      if (!["outstandingPremiums", "overduePayments", "totalMembers"].includes(card))
        expect(figures[card].months[ends.indexOf(monthEnd)], `${card} ${monthEnd}`).toBe(cards[card])
    }
  }
  expect(figures.totalMembers.months.slice(-3)).toEqual([4, 6, 6])
  expect(figures.outstandingPremiums.months.at(-2)).toBe(figures.outstandingPremiums.before)
  expect(figures.overduePayments.months.at(-2)).toBe(figures.overduePayments.before)
  expect(figures.pendingClaims.months.at(-2)).toBe(figures.pendingClaims.before)
  const count = () => app.sql.row<{ rows: number }>(sql`select count(*) as rows from dashboard_month_ends`)
  const before = await count()
  await storeCurrentMonthEnds()
  expect(await count()).toEqual(before)
  expect(before!.rows).toBe(ends.length * 2)
  const all = () => app.sql.rows(sql`select * from dashboard_month_ends order by month_end, group_id`)
  const together = await all()
  await app.sql.run(sql`delete from member_month_ends where month_end = '2026-09-30'`)
  for (const monthEnd of ["2026-10-31", "2026-09-30", "2026-08-31"]) {
    await app.sql.run(sql`delete from dashboard_month_ends where month_end = ${monthEnd}::date`)
    await storeCurrentMonthEnds()
  }
  expect(await all()).toEqual(together)
})

test("each role has only its own charts; an employer's users see only their groups", async () => {
  const readers: [UserActor, readonly string[]][] = [
    [app.people.admin, chartsOfRole.admin],
    [app.people.manager, chartsOfRole.manager],
    [app.people.underwriter, chartsOfRole.underwriter],
    [scene.people.hr, chartsOfRole.group_admin],
    [scene.people.signatory, chartsOfRole.policy_holder],
  ]
  for (const [reader, expected] of readers) {
    const charts = await app.as(reader).reports.dashboardCharts({})
    const given = dashboardCharts.filter((chart) => charts[chart] !== null)
    expect([...given].sort(), reader.role!).toEqual([...expected].sort())
  }
  const all = await manager.reports.dashboardCharts({})
  const mine = await app.as(scene.people.hr).reports.dashboardCharts({})
  const theirs = await app.as(other.people.hr).reports.dashboardCharts({})
  all.claims!.forEach((month, place) => {
    for (const name of ["pending", "approved", "rejected"] as const)
      expect(mine.claims![place]![name] + theirs.claims![place]![name]).toBe(month[name])
  })
  expect(mine.members!.at(-1)!.active).toBe(3)
  expect(mine.members!.at(-2)!.active).toBe(3)
  const nobody = app.as(await app.people.groupAdmin())
  const none = await nobody.reports.dashboardCharts({})
  expect(none.members!.map(({ active }) => active ?? 0)).toEqual(months.map(() => 0))
  expect(sumBy(none.claims!, ({ pending, approved, rejected }) => pending + approved + rejected)).toBe(0)
  expect(sumBy(none.invoiced!, ({ paidCents, openCents }) => paidCents + openCents)).toBe(0)
  await expect(app.as(app.people.none).reports.dashboardCharts({})).rejects.toMatchObject({ code: "FORBIDDEN" })
})

test("an employer's users see their members, this month's invoices and the amount owed", async () => {
  const hr = app.as(scene.people.hr)
  const standing = await hr.reports.employerStanding({})
  expect(standing).toMatchObject({
    members: { active: 3, pending: 0, suspended: 0 },
    invoices: [],
    invoiceCount: 0,
    lastStaffList: null,
  })
  const unpaid = (await hr.billing.list({ tab: "unpaid", pageSize: 100 })).rows
  expect(standing!.owedCents).toBe(sumBy(unpaid, ({ openCents }) => openCents))
  expect(standing!.overdueCents).toBe(
    sumBy(
      unpaid.filter(({ dueOn }) => dueOn < today),
      ({ openCents }) => openCents,
    ),
  )
  app.clock.set("2026-10-15T08:00:00Z")
  const october = await hr.reports.employerStanding({})
  app.clock.set("2026-11-05T08:00:00Z")
  expect(october!.invoices).toMatchObject([{ groupName: "Charted Dairy", totalCents: unpaid[0]!.totalCents }])
  expect(october!.invoiceCount).toBe(1)
  for (const insurer of [app.people.admin, app.people.manager, app.people.underwriter])
    expect(await app.as(insurer).reports.employerStanding({})).toBeNull()
})
