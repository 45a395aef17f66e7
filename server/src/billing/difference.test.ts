import { randomUUID } from "node:crypto"
import { type BilledDocument, type Cause, causesOf } from "@milkwood/domain/billing/difference"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createHistory, historyMonths, instantAtStep, someSteps } from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { createMember } from "../members/members.samples.ts"
import { storeHistory } from "../premiums/premiums.samples.ts"
import { createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import {
  comparedMonthsSql,
  comparePolicyMonth,
  differenceOf,
  loadMemberDifferences,
  type MemberDifference,
} from "./difference.queries.ts"
import { loadSettledBilling, markMonthSettled } from "./settled.queries.ts"
import { findMismatchedMonths } from "./settled.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const last = historyMonths.at(-1)!
let invoiceCount = 0
const historiesTried = Number(process.env.RUNS ?? 50)

/** Bills the lines; a line without a member makes the total positive. */
async function createBill(policyId: string, lines: { memberId: string; month: Day; cents: number }[], at: string) {
  const id = randomUUID()
  const sum = lines.reduce((total, { cents }) => total + cents, 0)
  const filler = Math.max(1, 1 - sum)
  await app.sql.run(sql`
    with made as (
      insert into invoices (id, group_id, policy_id, number, kind, invoice_on, due_on, period_start_on, period_end_on,
        subtotal_cents, vat_percent, vat_cents, total_cents, created_at)
      select ${id}::uuid, group_id, id, ${`T-${++invoiceCount}`}, 'other', '2026-01-01', '2026-01-31', '2026-01-01', '2026-01-31',
        ${sum + filler}, 0, 0, ${sum + filler}, ${at}::timestamptz
      from policies where id = ${policyId} returning group_id
    )
    insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, member_id,
      billed_month, vat_class, vat_percent)
    select gen_random_uuid(), made.group_id, ${id}::uuid, place, 'x', 1, cents, cents, "memberId", month, 'exempt', 0
    from made, rows from (jsonb_to_recordset(${JSON.stringify([...lines, { cents: filler }])}::jsonb)
      as ("memberId" uuid, month date, cents bigint)) with ordinality as line ("memberId", month, cents, place)`)
  await app.sql.run(sql`
    with paper as (
      insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, created_at)
      select gen_random_uuid(), group_id, 'invoice', 'x', 'application/pdf', 1, '', ${`paper-${invoiceCount}`}, ${at}::timestamptz
      from policies where id = ${policyId} returning id
    ), sent as (
    update invoices set status = 'sent', approved_at = ${at}::timestamptz, sent_at = ${at}::timestamptz, sent_to = 'x',
      pdf_file_id = (select id from paper) where id = ${id} returning *
    )
    insert into premium_parts (id, group_id, policy_id, invoice_id, number, month, net_cents, posted_on, earned_on, is_earned_at_once)
    select gen_random_uuid(), group_id, policy_id, id, number, month, cents, invoice_on, invoice_on, true
    from sent, lateral (
      select cover_month(l.billed_month, kind, period_start_on, period_end_on) as month, sum(l.total_cents) as cents
      from invoice_lines l where l.invoice_id = sent.id group by 1) lines
    where cents <> 0`)
  return `T-${invoiceCount}`
}

const differenceLinesOf = (differences: MemberDifference[]) =>
  differences.flatMap(({ memberId, causes }) =>
    causes.flatMap(({ months }) => months.map(({ month, cents }) => ({ memberId, month, cents }))),
  )

const findDifference = (policyId: string, month: Day, at: string) =>
  differenceOf(app.sql, policyId, month, Temporal.Instant.from(at))

test("for any history, differences equal the domain's, and billing them leaves none", {
  timeout: 3_600_000,
}, async () => {
  /** Counts how often settled months were skipped. */
  let laidSince = 0
  await fc.assert(
    fc.asyncProperty(
      someSteps,
      fc.array(fc.tuple(fc.nat({ max: 30 }), fc.constantFrom(...historyMonths)), { maxLength: 4 }),
      fc.array(
        fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...historyMonths), fc.integer({ min: -400_00, max: 400_00 })),
        {
          maxLength: 2,
        },
      ),
      async (some, runs, hands) => {
        const history = createHistory(some)
        const { policyId, memberIds } = await storeHistory(app.sql, history)
        const billed = new Map<string, number>()
        const billedAt = new Map<Day, string>()
        const documents = new Map<string, BilledDocument[]>()
        const first = new Map<Day, Pick<BilledDocument, "kind" | "number" | "by" | "run">>()
        const book = async (lines: { memberId: string; month: Day; cents: number }[], at: string) => {
          if (lines.length === 0) return
          const number = await createBill(policyId, lines, at)
          const ofInvoice = new Map<string, number>()
          for (const { memberId, month, cents } of lines)
            ofInvoice.set(`${memberId} ${month}`, (ofInvoice.get(`${memberId} ${month}`) ?? 0) + cents)
          for (const [key, cents] of ofInvoice) {
            const document = { kind: "invoice" as const, number, at, cents, by: null, run: null }
            documents.set(key, [...(documents.get(key) ?? []), document])
          }
          for (const { memberId, month, cents } of lines) {
            if (!first.has(month)) first.set(month, { kind: "invoice", number, by: null, run: null })
            billed.set(`${memberId} ${month}`, (billed.get(`${memberId} ${month}`) ?? 0) + cents)
            if (!billedAt.has(month)) billedAt.set(month, at)
          }
        }
        await book(
          hands.map(([who, month, cents]) => ({ memberId: memberIds[who]!, month, cents })),
          instantAtStep(0),
        )
        const end = instantAtStep(some.length + 40)
        for (const [at, month] of [...runs.sort(([a], [b]) => a - b), [some.length + 40, last] as const]) {
          const knownAt = Temporal.Instant.from(instantAtStep(at))
          const asked = { policies: sql`select ${policyId}::uuid`, month, knownAt }
          const settled = await loadSettledBilling(app.sql, policyId, knownAt)
          if (settled) {
            laidSince += 1
            expect(await findMismatchedMonths(app.sql, settled, asked)).toEqual([])
          }
          const { found, isUnrated } = await comparePolicyMonth(app.sql, policyId, month, knownAt)
          const others = memberIds.slice(1)
          expect(await loadMemberDifferences(app.sql, policyId, { memberIds: others, month, knownAt })).toEqual(
            found.filter(({ memberId }) => others.includes(memberId)),
          )
          for (const [who, memberId] of memberIds.entries()) {
            const member = history.members[who]!
            const there = found.find((one) => one.memberId === memberId)
            const asked = historyMonths
              .filter((one) => one <= month)
              .map((one) => ({
                month: one,
                billedCents: billed.get(`${memberId} ${one}`) ?? 0,
                policyBilledAt: billedAt.get(one) ?? null,
                isBilled: documents.has(`${memberId} ${one}`),
                documents: documents.get(`${memberId} ${one}`) ?? [],
                ...(first.has(one) && { policyInvoice: first.get(one)! }),
              }))
            // Not compared: the database has other tier ids.
            const withoutTier = (causes: Cause[]) => causes.map(({ tier: _, ...cause }) => cause)
            expect(withoutTier(there?.causes ?? [])).toEqual(
              withoutTier(causesOf(history.policy, member, asked, instantAtStep(at))),
            )
            for (const one of there?.months ?? []) {
              const due = calculateOwedPremium(history.policy, member, one.month, instantAtStep(at))
              expect(one).toMatchObject({ owedCents: due.cents, cents: due.cents! - one.billedCents, vat: due.vat })
            }
          }
          await book(differenceLinesOf(found), instantAtStep(at))
          if (!isUnrated) await markMonthSettled({ tx: app.sql, now: knownAt }, { policyId, month })
        }
        for (const [who, memberId] of memberIds.entries())
          for (const month of historyMonths) {
            const due = calculateOwedPremium(history.policy, history.members[who]!, month, end)
            const before = due.cents === 0 && "nothing" in due && due.nothing === "before billed here from"
            // A month without a rate is neither billed nor credited.
            if (!before && due.cents !== null) expect(billed.get(`${memberId} ${month}`) ?? 0).toBe(due.cents)
          }
        expect(await findDifference(policyId, last, end)).toEqual([])
      },
    ),
    { numRuns: historiesTried },
  )
  expect(laidSince).toBeGreaterThan(historiesTried / 10)
})

test("a backdated member owes earlier months, and a leaver is credited for later months", async () => {
  const policy = await app.policy({ members: 1 })
  for (const month of ["2026-08-01", "2026-09-01", "2026-10-01"])
    await createSentInvoice(app.manager, { policyId: policy.id, month, invoiceOn: "2026-11-02" })
  app.clock.set("2026-11-03T08:00:00Z")
  const late = await createMember(app.manager, policy.id, { startOn: "2026-09-15" })
  const [first] = (await app.manager.members.list({ policyId: policy.id, page: 1 })).rows.filter(
    ({ id }) => id !== late.id,
  )
  const { version } = await app.manager.members.detail({ memberId: first!.id })
  await app.manager.members.terminate({ memberId: first!.id, version, on: "2026-09-10", reason: "Left" })
  const found = await findDifference(policy.id, "2026-10-31", "2026-11-04T08:00:00Z")
  const told = found.map(({ memberId, causes }) => [memberId, causes.map(({ kind, on, months }) => [kind, on, months])])
  const before = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07"]
  expect(Object.fromEntries(told as [string, unknown][])).toEqual({
    [late.id]: [["joined", "2026-09-15", [{ month: "2026-10-01", cents: 350_00 }]]],
    [first!.id]: [
      ["month", null, before.map((month) => ({ month: `${month}-01`, cents: 350_00 }))],
      ["left", "2026-09-10", [{ month: "2026-10-01", cents: -350_00 }]],
    ],
  })
  app.clock.set("2026-11-02T08:00:00Z")
})

test("a month without a premium is not a difference and is reported separately", async () => {
  const policy = await app.policy()
  await app.sql.run(
    sql`update policy_premiums set valid = daterange('2026-10-01', null) where policy_id = ${policy.id}`,
  )
  const found = await findDifference(policy.id, "2026-10-01", "2026-11-04T08:00:00Z")
  expect(found[0]!.months.map(({ month }) => month)).toEqual(["2026-10-01"])
  const all = comparedMonthsSql({ policies: sql`select ${policy.id}::uuid`, month: "2026-10-01" })
  expect(await app.sql.rows(sql`select from (${all}) d where owed_cents is null`)).toHaveLength(9)
  expect((await app.manager.billing.nextInvoice({ policyId: policy.id })).next).toMatchObject({
    month: "2026-01-01",
    members: 0,
    monthCents: 0,
    adjusted: 0,
    unrated: 1,
  })
})
