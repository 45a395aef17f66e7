import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { addDays, addMonths, type Day } from "@milkwood/domain/kernel/calendar"
import { afterAll, beforeAll, expect, test } from "vitest"
import { table } from "../../../domain/test/premium-histories.ts"
import { fc } from "../../../domain/test/property.ts"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { withTiers } from "../premiums/premiums.samples.ts"
import { createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { changeByMonth, effectByMonth, ignoreUnbillable, loadDifferenceByMonth } from "./effect.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const start: Day = "2026-03-01"
const day = fc.oneof(
  fc.integer({ min: 0, max: 260 }).map((days) => addDays(start, days)),
  fc.constantFrom("2026-06-01", "2026-08-31", "2026-09-01", "2026-10-31", "2026-11-02", "2026-12-01"),
)
const memberIndex = fc.nat({ max: 3 })
const memberIndexes = fc.uniqueArray(memberIndex, { minLength: 1, maxLength: 4 })
const tier = fc.nat({ max: 1 })
const laterChoice = fc.option(fc.constantFrom("keep" as const, "replace" as const), { nil: undefined })
const salary = fc.option(fc.integer({ min: 1_000_00, max: 90_000_00 }), { nil: null })
const dependentsArbitrary = fc.array(
  fc.record({
    relationship: fc.constantFrom("spouse" as const, "child" as const, "parent" as const),
    dateOfBirth: fc.option(fc.constantFrom("1980-05-05", "1996-10-01", "2008-09-15", "2020-01-01"), {
      nil: null,
      freq: 6,
    }),
    fromOn: fc.option(day, { nil: null }),
    untilOn: fc.option(day, { nil: null }),
  }),
  { maxLength: 2 },
)
const changeArbitrary = fc.oneof(
  fc.record({
    ...{ act: fc.constant("addMember" as const), startOn: fc.option(day, { nil: null }), again: fc.boolean() },
    ...{ tier, family: dependentsArbitrary, salary },
  }),
  fc.record({ act: fc.constant("terminateMember" as const), whose: memberIndexes, on: day }),
  fc.record({ act: fc.constant("suspendMember" as const), whose: memberIndexes, on: day, laterChanges: laterChoice }),
  fc.record({ act: fc.constant("reinstateMember" as const), whose: memberIndexes, on: day, laterChanges: laterChoice }),
  fc.record({
    act: fc.constant("changeTier" as const),
    whose: memberIndexes,
    tier,
    on: day,
    laterChanges: laterChoice,
  }),
  fc.record({ act: fc.constant("withdrawPlans" as const), whose: memberIndexes }),
  // Adds to existing dependents; `drop` removes the first, `until` ends the cover of the last.
  fc.record({
    ...{
      act: fc.constant("changeDependents" as const),
      who: memberIndex,
      family: dependentsArbitrary,
      drop: fc.boolean(),
    },
    until: fc.option(day, { nil: null }),
  }),
  fc.record({ act: fc.constant("setSalary" as const), who: memberIndex, salary, on: day, laterChanges: laterChoice }),
  fc.record({
    act: fc.constant("changePremium" as const),
    premiumCents: fc.integer({ min: 100_00, max: 500_00 }),
    from: fc.option(day, { nil: null }),
    laterChanges: laterChoice,
  }),
  fc.record({
    act: fc.constant("changeRates" as const),
    table,
    from: fc.option(day, { nil: null }),
    laterChanges: laterChoice,
  }),
  fc.record({ act: fc.constant("suspendPolicy" as const) }),
  fc.record({ act: fc.constant("reinstatePolicy" as const) }),
  fc.record({ act: fc.constant("terminatePolicy" as const), on: day }),
  fc.record({ act: fc.constant("setBilledFrom" as const), month: fc.option(day, { nil: null }) }),
  fc.record({
    act: fc.constant("setEndRule" as const),
    rule: fc.constantFrom("whole month" as const, "by days" as const),
    from: fc.option(day, { nil: null }),
    laterChanges: laterChoice,
  }),
)
type DrawnChange = typeof changeArbitrary extends fc.Arbitrary<infer T> ? T : never

interface ProposedCase {
  proposed: ProposedChange
  run: (() => Promise<unknown>)[]
}

async function toProposedCase(
  policyId: string,
  memberIds: string[],
  tiers: string[],
  drawn: DrawnChange,
  persons: number[],
): Promise<ProposedCase> {
  const { manager } = app
  const reason = "As asked"
  const member = (at: number) => manager.members.detail({ memberId: memberIds[at]! })
  const each = (places: number[], act: (of: { memberId: string; version: number; reason: string }) => unknown) =>
    places.map((at) => async () => {
      const { id: memberId, version } = await member(at)
      await act({ memberId, version, reason })
    })
  const policy = await manager.policies.detail({ policyId })
  const ofPolicy = { policyId, version: policy.version, reason }
  switch (drawn.act) {
    case "addMember": {
      const person = drawn.again ? persons[0]! : nextPersonNumber()
      const { startOn, salary: monthlyCents, family } = drawn
      const dependents = family.map((one) => ({ ...one, ...personNames, idNumber: null }))
      const proposed: ProposedChange = {
        ...{ act: "addMember", policyId, tierId: tiers[drawn.tier]!, startOn, monthlyCents },
        ...{ idNumber: sampleIdNumber(person), passportNumber: null, dateOfBirth: null, dependents },
      }
      const sample = { person, tier: tierNames[drawn.tier]!, ...(startOn && { startOn }), monthlyCents, dependents }
      return { proposed, run: [async () => memberIds.push((await createMember(manager, policyId, sample)).id)] }
    }
    case "terminateMember":
    case "suspendMember":
    case "reinstateMember": {
      const { act, whose, on } = drawn
      const verbs = { terminateMember: "terminate", suspendMember: "suspend", reinstateMember: "reinstate" } as const
      const dated = { on, ...(drawn.act !== "terminateMember" && { laterChanges: drawn.laterChanges }) }
      return {
        proposed: { act, memberIds: whose.map((at) => memberIds[at]!), ...dated },
        run: each(whose, (of) => manager.members[verbs[act]]({ ...of, ...dated })),
      }
    }
    case "changeTier": {
      const { act, whose, on, laterChanges } = drawn
      const tierId = tiers[drawn.tier]!
      return {
        proposed: { act, memberIds: whose.map((at) => memberIds[at]!), tierId, on, laterChanges },
        run: each(whose, (of) => manager.members.changeTier({ ...of, tierId, on, laterChanges })),
      }
    }
    case "withdrawPlans": {
      const { act, whose } = drawn
      return {
        proposed: { act, memberIds: whose.map((at) => memberIds[at]!) },
        run: each(whose, (of) => manager.members.withdraw(of)),
      }
    }
    case "changeDependents": {
      const there = (await member(drawn.who)).dependents.map(({ birthYear: _, ...one }) => one)
      const kept = drawn.drop ? there.slice(1) : there
      const dependents = [
        ...kept.map((one, at) => (at === kept.length - 1 && drawn.until ? { ...one, untilOn: drawn.until } : one)),
        ...drawn.family.map((one) => ({ ...one, ...personNames, idNumber: null })),
      ]
      return {
        proposed: { act: drawn.act, memberId: memberIds[drawn.who]!, dependents },
        run: each([drawn.who], ({ memberId, version }) => manager.members.update({ memberId, version, dependents })),
      }
    }
    case "setSalary": {
      const { act, on, salary: monthlyCents, laterChanges } = drawn
      return {
        proposed: { act, memberId: memberIds[drawn.who]!, monthlyCents, on, laterChanges },
        run: each([drawn.who], ({ memberId, version }) =>
          manager.members.setSalary({ memberId, version, monthlyCents, on, laterChanges }),
        ),
      }
    }
    case "changeRates": {
      const { table, from, laterChanges } = drawn
      const rates = withTiers(table, tiers)
      return {
        proposed: { act: drawn.act, policyId, rates, from, laterChanges },
        run: [
          () =>
            manager.policies.saveRates({
              ...{ policyId, version: policy.version, rates, laterChanges },
              ...(from && { fromOn: from }),
            }),
        ],
      }
    }
    case "changePremium":
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: [
          () =>
            manager.policies.updateSection({
              policyId,
              version: policy.version,
              change: {
                section: "coverage",
                values: {
                  ...policy.coverage,
                  premiumCents: drawn.premiumCents,
                  ...(drawn.from && { premiumFromOn: drawn.from }),
                  laterChanges: drawn.laterChanges,
                },
              },
            }),
        ],
      }
    case "setBilledFrom":
    case "setEndRule": {
      const { month: billedFromOn, rule: endRule, from } = { month: undefined, rule: undefined, from: null, ...drawn }
      const values = {
        ...policy.terms,
        ...(billedFromOn !== undefined && { billedFromOn }),
        ...(endRule && { endRule }),
        ...(from && { endRuleFromOn: from }),
        ...(drawn.act === "setEndRule" && { laterChanges: drawn.laterChanges }),
      }
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: [
          () =>
            manager.policies.updateSection({ policyId, version: policy.version, change: { section: "terms", values } }),
        ],
      }
    }
    case "terminatePolicy":
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: [() => manager.policies.terminate({ ...ofPolicy, on: drawn.on })],
      }
    case "suspendPolicy":
      return { proposed: { ...drawn, policyId }, run: [() => manager.policies.suspend(ofPolicy)] }
    case "reinstatePolicy":
      return { proposed: { ...drawn, policyId }, run: [() => manager.policies.reinstate(ofPolicy)] }
  }
}

const personNames = { firstName: "Sam", lastName: "Nkosi", gender: null }
let people = 500
const nextPersonNumber = () => people++
let tierNames: string[] = []

test("the previewed effect equals the billing effect of random changes", {
  timeout: 900_000,
}, async () => {
  const { tiers } = await app.manager.benefits.choices()
  const tierIds = tiers.map(({ id }) => id)
  tierNames = tiers.map(({ name }) => name)
  const compared = new Map<string, number>()
  const times = () => [...compared.values()].reduce((sum, each) => sum + each, 0)
  const property = fc.asyncProperty(
    fc.array(changeArbitrary, { minLength: 1, maxLength: 10 }),
    fc.option(fc.tuple(table, fc.array(salary, { minLength: 4, maxLength: 4 }), fc.array(dependentsArbitrary)), {
      nil: null,
    }),
    fc.integer({ min: 5, max: 8 }),
    async (changes, rated, billed) => {
      const persons = [nextPersonNumber(), nextPersonNumber(), nextPersonNumber(), nextPersonNumber()]
      const { id: policyId, version } = await app.policy({ startOn: start, members: 1 })
      if (rated) {
        const rates = withTiers(rated[0], tierIds)
        await app.manager.policies.saveRates({ policyId, version, rates, fromOn: start })
      }
      const memberIds = (await app.manager.members.list({ policyId })).rows.map(({ id }) => id)
      for (const [index, person] of persons.entries()) {
        const sample = {
          ...{ person, startOn: addDays(start, index * 40), tier: tierNames[index % 2]! },
          monthlyCents: rated?.[1][index] ?? null,
          dependents: (rated?.[2][index] ?? []).map((one) => ({
            ...one,
            ...personNames,
            idNumber: null,
            untilOn: null,
          })),
        }
        memberIds.push((await createMember(app.manager, policyId, sample)).id)
      }
      for (let month = 0; month < billed; month++) {
        const invoiceOn = addMonths(start, month)
        await createSentInvoice(app.manager, { policyId, month: invoiceOn, invoiceOn }).catch(ignoreUnbillable)
      }
      for (const drawn of changes) {
        app.clock.advance({ seconds: 1 })
        const { proposed, run } = await toProposedCase(policyId, memberIds, tierIds, drawn, persons)
        const { effects, refused } = await app.manager.billing.effect({ change: proposed })
        const effect = effects[0] ?? null
        const month = effect?.month ?? "2026-12-01"
        const before = await loadDifferenceByMonth(app, policyId, month)
        let refusals = 0
        for (const one of run) await one().catch(() => refusals++)
        const after = await loadDifferenceByMonth(app, policyId, month)
        const became = changeByMonth(before, after)
        const said = effectByMonth(effect)
        // An unforeseen refusal (such as a duplicate person) changes nothing.
        if ("whose" in drawn ? refusals !== refused : refusals > 0 && effect !== null) continue
        expect({ drawn, said }).toEqual({ drawn, said: became })
        expect(effect?.cents ?? 0).toBe([...became.values()].reduce((sum, cents) => sum + cents, 0))
        if (became.size > 0) compared.set(drawn.act, (compared.get(drawn.act) ?? 0) + 1)
      }
    },
  )
  // Most random changes affect no billed month, so repeat until enough do.
  for (let round = 0; round < 4 && times() <= 10; round++) {
    await fc.assert(property, { numRuns: Number(process.env.RUNS ?? 25) })
  }
  expect(times()).toBeGreaterThan(10)
})
