import { randomUUID } from "node:crypto"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { startJob } from "../platform/work/jobs.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { releasePremium } from "./premium-parts.ts"

const [september, october, november, december] = ["2026-09-01", "2026-10-01", "2026-11-01", "2026-12-01"] as const

let app: BillingApp
let manager: BillingApp["manager"]
let policyId: string
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-20T08:00:00Z" })
  manager = app.manager
})
beforeEach(async () => {
  policyId = (await app.policy({ premiumCents: 100_00 })).id
})
afterAll(() => app.close())

async function readMovements(...accounts: string[]): Promise<string[]> {
  const rows = await app.sql.rows<{ said: string }>(sql`
    select account || ' ' || to_char(effective_on, 'YYYY-MM-DD') || ' ' || -sum(amount_cents) as said
    from ledger_postings where policy_id = ${policyId} and account = any (${sql.param(accounts)}::text[])
    group by account, effective_on order by account, effective_on`)
  return rows.map(({ said }) => said)
}
const createInvoice = (month: string, invoiceOn: string, more = {}) =>
  createSentInvoice(manager, { policyId, month, invoiceOn, with: more })
const creditInvoicePart = (invoice: InvoiceDetail, amountCents: number | null) =>
  manager.billing.credit({ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents, reason: "Too much" })
async function runMorningJobs(): Promise<void> {
  await app.transaction(app.people.manager, (cx) =>
    startJob(cx, { kind: "ledger.releasePremium", label: "Monthly premium income", payload: {} }),
  )
  await app.runJobs()
}
const readDeferred = async (month: string) =>
  (await manager.monthEnd.month({ month })).checks.find(({ key }) => key === "deferred")!

test("premium of an earlier open month is its income; VAT and debtors follow the document", async () => {
  await createInvoice(october, "2026-11-10")
  expect(await readMovements("premium_income", "accrued_premium", "unearned_premium")).toEqual([
    "accrued_premium 2026-10-01 -10000",
    "accrued_premium 2026-11-10 10000",
    "premium_income 2026-10-01 10000",
  ])
  expect(await readMovements("vat_output", "premium_debtors")).toEqual([
    "premium_debtors 2026-11-10 -11500",
    "vat_output 2026-11-10 1500",
  ])
})

test("a discount is shared in proportion to the premium of its months", async () => {
  const members = await manager.members.list({ policyId })
  const memberId = members.rows[0]!.id
  const line = (billedMonth: string, unitCents: number) => ({
    description: "Premium",
    quantity: 1,
    unitCents,
    memberId,
    billedMonth,
  })
  const lines = [line(october, 100_00), line(november, 100_00), line(december, 100_00)]
  await createInvoice(november, "2026-11-10", { lines, discountCents: 1_00, discountReason: "Paid a year ahead" })
  expect(await readMovements("premium_income", "unearned_premium", "premium_debtors")).toEqual([
    "premium_debtors 2026-11-10 -34400",
    "premium_income 2026-10-01 9967",
    "premium_income 2026-11-10 9966",
    "unearned_premium 2026-11-10 9967",
  ])
})

test("premium of a closed month is income of the first open month", async () => {
  const closing = { idempotencyKey: randomUUID(), month: september }
  const reasons = Object.fromEntries(
    ["billed", "sent", "statements", "lines", "receipts", "payouts"].map((key) => [key, "Not of this test"]),
  )
  await manager.monthEnd.close({ ...closing, reasons })
  await createInvoice("2026-08-01", "2026-11-10")
  expect(await readMovements("premium_income")).toEqual(["premium_income 2026-10-01 10000"])
  const other = await app.policy({ premiumCents: 100_00 })
  policyId = other.id
  // Documents of the closed month also count on the first open day.
  await createInvoice(september, "2026-09-20")
  expect(await readMovements("premium_income", "accrued_premium", "premium_debtors")).toEqual([
    "premium_debtors 2026-10-01 -11500",
    "premium_income 2026-10-01 10000",
  ])
})

test("experience reports use cover months and reconcile with the ledger", async () => {
  const { number, groupId } = await app.policy({ premiumCents: 100_00 })
  policyId = (await app.sql.row<{ id: string }>(sql`select id from policies where number = ${number}`))!.id
  // August is closed, so its premium is in the ledger in October.
  await createInvoice("2026-08-01", "2026-11-10", { discountCents: 4_00, discountReason: "Late" })
  await createInvoice(november, "2026-11-01")
  await creditInvoicePart(await createInvoice(december, "2026-11-12"), 11_50)
  const asked = { groupId, from: "2026-07-01", to: "2027-01-31", pageSize: 100 }
  const { rows, sums } = await manager.reports.rows({ report: "claims_experience", query: asked })
  expect(rows.map((row) => [row.month, row.earnedCents, row.timingCents, row.ledgerCents])).toEqual([
    ["2026-08-01", 96_00, -96_00, 0],
    [october, 0, 96_00, 96_00],
    [november, 100_00, 0, 100_00],
  ])
  expect(sums).toMatchObject({ earnedCents: 196_00, timingCents: 0, ledgerCents: 196_00 })
  const lines = await app.sql.rows<{ month: string; cents: number }>(sql`
    select l.billed_month as month, sum(l.total_cents - i.discount_cents)::bigint as cents
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.policy_id = ${policyId} and l.billed_month <= ${november} group by 1 order by 1`)
  expect(rows.flatMap(({ month, earnedCents }) => (earnedCents ? [{ month, cents: earnedCents }] : []))).toEqual(lines)
  const portfolio = await manager.reports.rows({ report: "scheme_portfolio", query: { groupId, asOf: "2026-11-20" } })
  expect(portfolio.rows).toMatchObject([{ earnedCents: 196_00, timingCents: 0, ledgerCents: 196_00, lossRatio: 0 }])
  const before = await manager.reports.rows({ report: "scheme_portfolio", query: { groupId, asOf: "2026-09-30" } })
  expect(before.rows).toMatchObject([{ earnedCents: 96_00, timingCents: -96_00, ledgerCents: 0 }])
})

test("a credit note for a later month reduces unearned premium", async () => {
  const invoice = await createInvoice(december, "2026-11-10")
  await creditInvoicePart(invoice, 23_00)
  expect(await readMovements("premium_income", "unearned_premium")).toEqual([
    "unearned_premium 2026-11-10 10000",
    "unearned_premium 2026-11-20 -2000",
  ])
})

test("premium of December billed in November is income of December, posted once", async () => {
  const own = await createInvoice(november, "2026-11-01")
  const ahead = await createInvoice(december, "2026-11-12")
  const toCredit = await createInvoice("2027-01-01", "2026-11-12")
  await creditInvoicePart(toCredit, null)
  expect(await readMovements("premium_income")).toEqual(["premium_income 2026-11-01 10000"])
  await runMorningJobs()
  expect(await readMovements("premium_income")).toEqual(["premium_income 2026-11-01 10000"])
  expect(await verifyLedger(app.sql)).toEqual([])

  // No server ran on the first of December; now two start at once.
  app.clock.advance({ hours: 24 * 15 })
  await expect(
    app.sql.run(sql`insert into closed_months (id, month, balances, last_seq, closed_at)
      select gen_random_uuid(), month, '{}', 0, now()
      from unnest(${sql.param([october, november, december])}::date[]) month order by month`),
  ).rejects.toMatchObject({ constraint: "closed_months_are_released" })
  const both = () => app.transaction(app.people.manager, (cx) => releasePremium(cx))
  await Promise.all([both(), both(), runMorningJobs()])
  await runMorningJobs()
  expect(await readMovements("premium_income")).toEqual([
    "premium_income 2026-11-01 10000",
    "premium_income 2026-12-01 10000",
  ])
  expect(await readMovements("unearned_premium")).toContain("unearned_premium 2026-12-01 -10000")
  const entries = await app.sql.rows<{ source: string; on: string }>(sql`
    select source, effective_on as on from ledger_entries where record_id in (${own.id}, ${ahead.id}) and kind = 'premium_earned'`)
  expect(entries).toEqual([{ source: `invoice:${ahead.id}:earned:2026-12`, on: december }])
  await creditInvoicePart(ahead, 11_50)
  expect(await readMovements("premium_income")).toContain("premium_income 2026-12-05 -1000")
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("month end compares unearned premium with invoice lines for later months", async () => {
  const of = async (month: string) => (await readDeferred(month)).figures.map(({ value }) => value)
  const before = await of(november)
  expect(before[0]).toBe(before[1])
  await createInvoice("2027-02-01", "2026-11-28")
  const credit = await createInvoice("2027-03-01", "2026-11-29", { discountCents: 10_00, discountReason: "Paid early" })
  await creditInvoicePart(credit, 21_00)
  // The credit note is dated December, so November excludes it; October's premium is not deferred.
  await createInvoice(october, "2026-11-29")
  expect(await of(november)).toEqual(before.map((cents) => cents + 190_00))
  expect(await of(december)).toEqual([172_00, 172_00])
  expect(await readDeferred(november)).toMatchObject({ isDone: true, notes: [] })
  // February has not begun, so its premium is not yet earned.
  expect(await of("2027-02-01")).toEqual([172_00, 172_00])

  const meddle = (cents: number) =>
    app.sql.run(
      sql.raw(`do $$ begin
        alter table ledger_months disable trigger user;
        update ledger_months set credit_cents = credit_cents + ${cents}
          where account = 'unearned_premium' and policy_id = '${policyId}' and month = '${november}';
        alter table ledger_months enable trigger user;
      end $$`),
    )
  await meddle(1)
  expect(await readDeferred(november)).toMatchObject({ isDone: false, notes: ["They differ by R\u00a00,01."] })
  await meddle(-1)
})

test("closing a month releases its premium, and premium parts cannot be changed otherwise", async () => {
  await createInvoice("2027-01-01", "2026-12-05")
  const left = () =>
    app.sql.row<{ parts: number }>(
      sql`select count(*)::int as parts from premium_parts where earned_on is null and month <= '2027-01-01'`,
    )
  const changed = sql`update premium_parts set net_cents = net_cents + 1 where policy_id = ${policyId}`
  const removed = sql`delete from premium_parts where policy_id = ${policyId}`
  const unposted = sql`update premium_parts set earned_on = month where policy_id = ${policyId} and earned_on is null`
  for (const wrong of [changed, removed]) await expect(app.sql.run(wrong)).rejects.toThrow(/released once/)
  await expect(app.sql.run(unposted)).rejects.toMatchObject({ constraint: "premium_parts_are_posted" })
  app.clock.advance({ hours: 24 * 60 })
  const reasons = Object.fromEntries(
    ["billed", "sent", "statements", "lines", "receipts", "payouts"].map((key) => [key, "Not of this test"]),
  )
  for (const month of [october, november, december, "2027-01-01"])
    await manager.monthEnd.close({ idempotencyKey: randomUUID(), month, reasons })
  expect(await left()).toEqual({ parts: 0 })
  expect(await verifyLedger(app.sql)).toEqual([])
})
