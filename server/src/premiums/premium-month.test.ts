import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  createHistory,
  type History,
  historyMonths,
  policyStart,
  type Step,
  someSteps,
  table,
  tiers,
} from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { storeHistory, withTiers } from "./premiums.samples.ts"

let app: TestApp
let tierIds: string[]
beforeAll(async () => {
  app = await openTestApp()
  tierIds = (await app.sql.rows<{ id: string }>(sql`select id from benefit_tiers order by position`)).map(
    ({ id }) => id,
  )
})
afterAll(() => app.close())

function sumOwedPerMember(policy: PolicyFacts, members: History["members"], month: string) {
  const said = { month, members: 0, cents: 0, unrated: 0 }
  for (const member of members) {
    const due = calculateOwedPremium(policy, member, month, app.clock.now().toString())
    if (due.cents === null) said.unrated++
    else if (!("nothing" in due)) {
      said.members++
      said.cents += due.cents
    }
  }
  return said
}

test("a month's total, with identical members rated once, equals the sum of all members", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      someSteps,
      table,
      fc.nat(historyMonths.length - 1),
      fc.boolean(),
      async (some, rates, place, byDays) => {
        const leaver: Step[] = [
          { step: "join", who: 0, on: historyMonths[0]!, tier: tiers[0]! },
          { step: "leave", who: 0, on: "2025-06-11" },
        ]
        const history = createHistory(byDays ? [...some, ...leaver] : some)
        const first = { recordedAt: history.instants[0]!, supersededAt: null }
        if (byDays) history.policy.endRules = [{ ...first, rule: "by days", from: historyMonths[0]!, until: null }]
        const members = [...history.members, ...history.members]
        const { policyId } = await storeHistory(app.sql, { ...history, members })
        const always = { ...first, from: policyStart, until: null }
        const proposal = {
          ...history.policy,
          premiums: [{ ...always, premiumCents: 0, rates: { ...rates, id: "proposed" } }],
        }
        for (const month of [historyMonths[place]!, "2025-06-01", historyMonths.at(-1)!]) {
          const { stands, proposed } = await app.as(app.people.manager).premiums.month({
            ...{ policyId, month },
            rates: withTiers(rates, tierIds),
          })
          for (const [said, facts] of [
            [stands, history.policy],
            [proposed!, proposal],
          ] as const) {
            expect({ ...said, unrated: said.unrated.count }).toEqual(sumOwedPerMember(facts, members, month))
            expect(said.unrated.some).toHaveLength(Math.min(10, said.unrated.count))
          }
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 60) },
  ),
)
