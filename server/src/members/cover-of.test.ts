import { randomUUID } from "node:crypto"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { coverOf, type PersonCover } from "@milkwood/domain/members/cover-of"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { coverFactsOf, coverSteps, createCoverHistory, dependentIds } from "../../../domain/test/cover-histories.ts"
import { createHistory, historyStart, instantAtStep, someSteps } from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { storeHistory } from "../premiums/premiums.samples.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { storeCoverHistory } from "./cover-histories.samples.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

interface CoverRow {
  member: number
  dependent: string | null
  day: Day
  tier: number
  productTypeId: string
  insured: string
  age: number | null
  gap: PersonCover["gap"]
  coveredSince: Day | null
  waitingPeriodMonths: number
  maxCoverCents: number | null
  salaryMultiple: number | null
  coverPercentage: number | null
  incidentLimitCents: number | null
  yearLimitCents: number | null
  coverYear: string | null
}

const someDays = fc.array(
  fc.integer({ min: -40, max: 900 }).map((days) => addDays(historyStart, days)),
  { minLength: 3, maxLength: 3 },
)

test("SQL and domain rule give the same cover for any history, known at any time", { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      someSteps,
      coverSteps,
      fc.nat(14),
      fc.boolean(),
      someDays,
      async (some, steps, moment, now, days) => {
        const history = createHistory(some)
        const cover = createCoverHistory(steps)
        const knownAt = now ? instantAtStep(1_000) : instantAtStep(moment)
        const { policyId, memberIds } = await storeHistory(app.sql, history)
        const stored = await storeCoverHistory(app.sql, { policyId, memberIds }, cover)
        const rows = await app.sql.rows<CoverRow>(sql`
        select m.place::int - 1 as member, p.name as dependent, on_day as day, t.position as tier,
          c.product_type_id as "productTypeId", c.insured, c.age, c.gap, c.covered_since as "coveredSince",
          c.waiting_period_months as "waitingPeriodMonths", c.max_cover_cents as "maxCoverCents",
          c.salary_multiple::float8 as "salaryMultiple", c.cover_percentage as "coverPercentage",
          c.incident_limit_cents as "incidentLimitCents", c.year_limit_cents as "yearLimitCents", c.cover_year as "coverYear"
        from unnest(${sql.param(memberIds)}::uuid[]) with ordinality m (id, place)
        cross join unnest(${sql.param([null, ...dependentIds])}::text[]) p (name)
        cross join unnest(${sql.param(days)}::date[]) on_day
        cross join lateral cover_of(m.id, md5(m.id || p.name)::uuid, ${stored.benefitId}::uuid, on_day,
          ${now ? null : knownAt}::timestamptz) c
        join benefit_tiers t on t.id = c.tier_id`)
        expect(rows).toHaveLength(memberIds.length * (dependentIds.length + 1) * days.length)
        for (const row of rows) {
          const { member, dependent, day, tier, productTypeId, insured, age, gap, coveredSince, waitingPeriodMonths } =
            row
          const { maxCoverCents, salaryMultiple, coverPercentage, incidentLimitCents, yearLimitCents, coverYear } = row
          const pure = coverOf(coverFactsOf(cover, history.members[member]!, dependent), day, knownAt)
          const sqlCover = {
            ...{ tierId: `tier-${tier}`, productTypeId: stored.nameOf(productTypeId), insured, gap, coveredSince },
            ...{ waitingPeriodMonths, age },
            given:
              gap === null
                ? { maxCoverCents, salaryMultiple, coverPercentage, incidentLimitCents, yearLimitCents, coverYear }
                : null,
          }
          // Both are before birth, in other numbers.
          const pureAge = pure.age !== null && pure.age < 0 ? -1 : pure.age
          expect(sqlCover, `${member} ${dependent} ${day}`).toEqual({ ...pure, age: pureAge })
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 50) },
  ),
)

test("terms of a product benefit never overlap, and an amount excludes a salary multiple", async () => {
  const { benefitId, productBenefitIds } = await storeCoverHistory(
    app.sql,
    await storeHistory(app.sql, createHistory([])),
    createCoverHistory({
      configured: ["product-a tier-1"],
      first: {
        ...{ amountCents: 100, salaryMultiple: null, percentage: 0, incidentLimitCents: null, yearLimitCents: null },
        ...{ coverYear: "calendar", dependents: null },
      },
      steps: [],
    }),
  )
  expect(benefitId).toBeTruthy()
  const insert = (values: string) =>
    app.sql.run(sql`
      insert into product_benefit_terms (id, product_benefit_id, valid, amount_cents, salary_multiple, percentage,
        cover_year, dependents_alike, recorded_at)
      values (${randomUUID()}, ${productBenefitIds[0]!}, ${sql.raw(values)}, 0, 'calendar', true, now())`)
  await expect(insert("'[2026-01-01,)', 100, null")).rejects.toMatchObject({
    constraint: "product_benefit_terms_do_not_overlap",
  })
  await expect(insert("'[2026-01-01,)', 100, 2")).rejects.toMatchObject({
    constraint: "product_benefit_terms_have_one_maximum",
  })
})
