import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createHistory, historyMonths, someSteps } from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { memberPremium, ratedPolicies } from "./member-premium.queries.ts"
import { owedByMonth, vatByMonth } from "./owed.queries.ts"
import { storeHistory } from "./premiums.samples.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

interface OwedRow {
  memberId: string
  month: Day
  cents: number | null
}

test("SQL and domain rule give the same premiums for any history, known at any time", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(someSteps, fc.nat(), fc.boolean(), async (some, moment, now) => {
      const history = createHistory(some)
      const knownAt = now ? history.instants.at(-1)! : history.instants[moment % history.instants.length]!
      const { policyId, memberIds } = await storeHistory(app.sql, history)
      const asked = {
        policies: sql`select ${policyId}::uuid as id`,
        month: historyMonths.at(-1)!,
        knownAt: now ? undefined : knownAt,
      }
      const rows = await app.sql.rows<OwedRow>(sql`
        select member_id as "memberId", month, cents from (${owedByMonth(asked)}) o`)
      const vat = await app.sql.rows<{ month: Day; class: string; percent: string }>(sql`
        select month, class, percent from (${vatByMonth(asked)}) v`)
      const said = new Map(rows.map(({ memberId, month, cents }) => [`${memberId} ${month}`, cents]))
      expect(said.size).toBe(rows.length)
      for (const [place, member] of history.members.entries())
        for (const month of historyMonths) {
          const pure = calculateOwedPremium(history.policy, member, month, knownAt)
          const where = `${memberIds[place]} ${month}`
          expect(said.has(where) ? said.get(where) : 0, where).toBe(pure.cents)
          const known = vat.find((one) => one.month === month)
          if (known) expect({ class: known.class, percent: Number(known.percent) }).toEqual(pure.vat)
          else expect(pure).toMatchObject({ nothing: "before billed here from" })
        }
    }),
    { numRuns: Number(process.env.RUNS ?? 60) },
  ),
)

interface PremiumRow {
  memberId: string
  month: Day
  cents: number | null
  unrated: string | null
}

test("the premiums in lists equal the domain's, for each member and for the whole policy", {
  timeout: 120_000,
}, async () => {
  let rated = 0
  await fc.assert(
    fc.asyncProperty(someSteps, async (some) => {
      const history = createHistory(some)
      const knownAt = history.instants.at(-1)!
      const { policyId, memberIds } = await storeHistory(app.sql, history)
      const months = sql`unnest(${sql.param(historyMonths)}::date[]) as on_day`
      const rows = await app.sql.rows<PremiumRow>(sql`
          select c.member_id as "memberId", on_day as month, r.cents, r.unrated
          from ${months} join member_covers c on c.policy_id = ${policyId} and c.superseded_at is null and c.valid @> on_day
            and c.kind = 'covered'
          cross join lateral (${memberPremium(
            { memberId: sql`c.member_id`, tierId: sql`c.tier_id` },
            sql`c.policy_id`,
            sql`on_day`,
          )}) r`)
      const together = await app.sql.rows<Omit<PremiumRow, "memberId">>(sql`
          select on_day as month, r.cents, r.unrated from ${months}
          join lateral (${ratedPolicies(sql`
            select id, start_on, on_day from policies where id = ${policyId}`)}) r on true`)
      for (const month of historyMonths) {
        const shown = rows.filter((row) => row.month === month)
        for (const { memberId, cents, unrated } of shown) {
          const pure = calculateOwedPremium(
            history.policy,
            history.members[memberIds.indexOf(memberId)]!,
            month,
            knownAt,
          )
          // Only full premiums are compared: suspended policies owe nothing, and a month by days owes a share.
          if (pure.cents === null) expect(cents).toBeNull()
          else if ("basis" in pure && pure.basis) expect(cents, `${memberId} ${month}`).toBe(pure.basis.premiumCents)
          if (unrated !== null) expect(cents).toBeNull()
        }
        const all = together.find((row) => row.month === month)
        if (!all) continue
        rated++
        const isWhole = shown.every(({ cents }) => cents !== null)
        expect(all.cents, month).toBe(isWhole ? shown.reduce((sum, { cents }) => sum + cents!, 0) : null)
        expect(all.unrated !== null, month).toBe(!isWhole)
        expect(shown.filter(({ cents, unrated }) => (cents === null) !== (unrated !== null))).toEqual([])
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  )
  expect(rated).toBeGreaterThan(40)
})

test("an unknown policy owes nothing", async () => {
  const asked = { policies: sql`select ${randomUUID()}::uuid as id`, month: "2026-01-01" }
  expect(await app.sql.rows(owedByMonth(asked))).toEqual([])
})
