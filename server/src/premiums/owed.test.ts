import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { owed } from "@milkwood/domain/premiums/owed"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { historyMonths, historyOf, someSteps } from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { owedByMonth, vatByMonth } from "./owed.queries.ts"
import { store } from "./premiums.samples.ts"

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

test(
  "the set-wise rule says what the domain's says, of any history, as known at any moment",
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(someSteps, fc.nat(), fc.boolean(), async (some, moment, now) => {
        const history = historyOf(some)
        const knownAt = now ? history.instants.at(-1)! : history.instants[moment % history.instants.length]!
        const { policyId, memberIds } = await store(app.sql, history)
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
            const pure = owed(history.policy, member, month, knownAt)
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

test("a policy that does not exist owes nothing", async () => {
  const asked = { policies: sql`select ${randomUUID()}::uuid as id`, month: "2026-01-01" }
  expect(await app.sql.rows(owedByMonth(asked))).toEqual([])
})
