import { randomUUID } from "node:crypto"
import { addDays, addMonths, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { RateTable } from "@milkwood/domain/policies/rates"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { table } from "../../../domain/test/premium-histories.ts"
import { fc, seed } from "../../../domain/test/property.ts"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { owedByMonth } from "../premiums/owed.queries.ts"
import { withTiers } from "../premiums/premiums.samples.ts"
import { createCheckedList } from "../staff-lists/staff-lists.samples.ts"
import { createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { changeByMonth, effectByMonth, ignoreUnbillable, loadDifferenceByMonth } from "./effect.samples.ts"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  app = await openBillingApp()
  server = await app.serve()
})
afterAll(() => app.close())

const start: Day = "2026-03-01"
const day = fc.oneof(
  fc.integer({ min: 0, max: 260 }).map((days) => addDays(start, days)),
  fc.constantFrom("2026-06-01", "2026-08-31", "2026-09-01", "2026-11-02", "2026-12-01"),
)
const tier = fc.option(fc.nat({ max: 1 }), { nil: null })
const salary = fc.option(fc.integer({ min: 1_000_00, max: 90_000_00 }), { nil: null })

/** A rate for every tier, so that most changes affect an amount. */
const rateForEverybody: RateTable = {
  ...{ ageOn: "month", sumAssured: null },
  rows: ["tier-1", null].map((tierId, at) => ({
    ...{ person: "member" as const, tierId, ageFrom: null, ageUntil: null, cents: (at + 3) * 100_00, perMille: null },
  })),
}

const rowArbitrary = fc.record({
  staff: fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 200 }),
      tier: fc.nat({ max: 1 }),
      salary,
      state: fc.constantFrom("covered", "suspended", "gone", "to go"),
      on: fc.integer({ min: 0, max: 120 }),
      listed: fc.boolean(),
      listedTier: tier,
      listedSalary: salary,
    }),
    { minLength: 1, maxLength: 6 },
  ),
  joiners: fc.array(fc.record({ from: fc.option(day, { nil: null }), tier, salary }), { minLength: 1, maxLength: 3 }),
  billed: fc.integer({ min: 4, max: 8 }),
  rated: fc.option(fc.oneof(fc.constant(rateForEverybody), table), { nil: null, freq: 4 }),
  undone: fc.constantFrom("no", "at once", "billed between"),
  applyChanges: fc.boolean(),
  changesOn: fc.option(day, { nil: null }),
  leaversOn: fc.option(day, { nil: null }),
  late: fc.option(fc.nat({ max: 5 }), { nil: null }),
})

const runCount = Number(process.env.RUNS ?? 15)
let peopleCount = 40_000
let policyCount = 0

test("the previewed effect of a random staff list equals its billing effect", {
  timeout: 600_000,
}, async () => {
  const { manager } = app
  const { tiers } = await manager.benefits.choices()
  const named = (at: number) => tiers[at % tiers.length]!.name
  const tierIds = tiers.map(({ id }) => id)
  let [compared, ratedOnes, takenBack] = [0, 0, 0]
  const property = fc.asyncProperty(
    rowArbitrary,
    async ({ staff, joiners, billed, rated, undone, applyChanges, changesOn, leaversOn, late }) => {
      const { id: policyId, version: read } = await app.policy({ startOn: start, groupName: `Listed ${++policyCount}` })
      if (rated) {
        const rates = withTiers(rated, tierIds)
        await manager.policies.saveRates({ policyId, version: read, rates, fromOn: start })
      }
      const rows = ["First Name,Last Name,ID Number,Email,Benefit Tier,Start Date,Monthly Salary,Group Policy"]
      const row = (person: number, of: number | null, from: Day | null, pay: number | null) =>
        rows.push(
          [
            ...["Anna", "Nkosi", sampleIdNumber(person), `p${person}@list.example`, of === null ? "" : named(of)],
            ...[from ?? "", pay === null ? "" : pay / 100, ""],
          ].join(),
        )
      const memberIds: string[] = []
      for (const { from, tier: of, salary: monthlyCents, state, on, listed, listedTier, listedSalary } of staff) {
        const person = peopleCount++
        const startOn = addDays(start, from)
        const { id: memberId } = await createMember(manager, policyId, {
          person,
          startOn,
          tier: named(of),
          monthlyCents,
        })
        memberIds.push(memberId)
        const { version } = await manager.members.detail({ memberId })
        const dated = { memberId, version, on: addDays(startOn, on), reason: "As drawn" }
        if (state === "suspended") await manager.members.suspend(dated)
        if (state === "gone") await manager.members.terminate({ ...dated, on: addDays(startOn, on % 40) })
        if (state === "to go") await manager.members.terminate({ ...dated, on: "2027-01-31" })
        if (listed) row(person, listedTier, null, listedSalary)
      }
      for (const { from, tier: of, salary } of joiners) row(peopleCount++, of, from, salary)
      // A list needs at least one row.
      if (rows.length === 1) row(peopleCount++, null, null, null)
      for (let month = 0; month < billed; month++) {
        const invoiceOn = addMonths(start, month)
        await createSentInvoice(manager, { policyId, month: invoiceOn, invoiceOn }).catch(ignoreUnbillable)
      }
      app.clock.advance({ seconds: 1 })
      const { id: importId } = await createCheckedList(
        { app, server },
        app.people.manager,
        policyId,
        "list.csv",
        rows.join("\n"),
      )
      app.clock.advance({ seconds: 1 })
      const lateId = late === null ? undefined : memberIds[late]
      if (lateId) {
        const { version: read } = await manager.members.detail({ memberId: lateId })
        const edit = { memberId: lateId, version: read, reason: "Since the check" }
        await manager.members.terminate({ ...edit, on: "2026-12-31" }).catch(() => {})
        app.clock.advance({ seconds: 1 })
      }

      const asked = async () => {
        const { effects } = await manager.billing.effect({
          change: { act: "importStaffList", importId, applyChanges, changesOn, leaversOn },
        })
        const effect = effects[0] ?? null
        const month = effect?.month ?? "2026-12-01"
        const before = await loadDifferenceByMonth(app, policyId, month)
        const { version } = await manager.staffLists.detail({ importId })
        const choices = { applyChanges, leaversOn, ...(changesOn && { changesOn }) }
        const refused = await manager.staffLists
          .import({ importId, version, idempotencyKey: randomUUID(), ...choices })
          .then(
            () => null,
            (error: Error) => error,
          )
        await app.runJobs()
        const { status } = await manager.staffLists.detail({ importId })
        return { effect, before, after: await loadDifferenceByMonth(app, policyId, month), refused, status }
      }
      const owedBefore = await readOwed(policyId)
      let answer = await asked()
      if (!answer.refused && answer.status === "ready") {
        expect(answer.after).toEqual(answer.before)
        answer = await asked()
      }
      const { effect, before, after, refused, status } = answer
      const became = changeByMonth(before, after)
      const said = effectByMonth(effect)
      expect({ status, silent: effect === null }).toEqual(
        refused ? { status: "ready", silent: true } : { status: "completed", silent: false },
      )
      expect(said).toEqual(became)
      expect(effect?.cents ?? 0).toBe([...became.values()].reduce((sum, cents) => sum + cents, 0))
      if (became.size > 0) compared++
      if (became.size > 0 && rated) ratedOnes++
      if (status !== "completed" || undone === "no") return
      app.clock.advance({ seconds: 1 })
      if (undone === "billed between") {
        const month = addMonths(start, billed)
        await createSentInvoice(manager, { policyId, month, invoiceOn: month }).catch(ignoreUnbillable)
      }
      const { version } = await manager.staffLists.detail({ importId })
      const { code } = await manager.staffLists.undo({ importId, version }).then(
        () => ({ code: null }),
        (error: { code: string }) => error,
      )
      // Undo is refused for joiners who were billed.
      if (code !== null) {
        expect(code).toBe("HAS_HISTORY")
        return
      }
      takenBack++
      expect(await readOwed(policyId)).toEqual(owedBefore)
    },
  )
  const isEnough = () => compared > 4 && ratedOnes > 2 && takenBack > 2
  for (let round = 0; round === 0 || (!isEnough() && round < 6); round++) {
    await fc.assert(property, { numRuns: runCount, seed: seed + round })
  }
  expect(compared).toBeGreaterThan(4)
  expect(ratedOnes).toBeGreaterThan(2)
  expect(takenBack).toBeGreaterThan(2)
})

/** Null if the month cannot be billed. */
async function readOwed(policyId: string) {
  const rows = await app.sql.rows<{ memberId: string; month: Day; cents: Cents | null }>(sql`
    select member_id as "memberId", month, cents
    from (${owedByMonth({ policies: sql`${policyId}::uuid`, month: "2027-06-01" })}) o
    where cents is distinct from 0 order by member_id, month`)
  return rows
}
