import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { addDays, addMonths, type Day } from "@milkwood/domain/kernel/calendar"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fc } from "../../../domain/test/property.ts"
import { memberOf, sampleIdNumber } from "../members/members.samples.ts"
import { sentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { becameOf, differenceByMonth, saidOf } from "./effect.samples.ts"

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
const who = fc.nat({ max: 3 })
const change = fc.oneof(
  fc.record({ act: fc.constant("addMember" as const), startOn: fc.option(day, { nil: null }), again: fc.boolean() }),
  fc.record({ act: fc.constant("terminateMember" as const), who, on: day }),
  fc.record({ act: fc.constant("suspendMember" as const), who, on: day }),
  fc.record({ act: fc.constant("reinstateMember" as const), who, on: day }),
  fc.record({ act: fc.constant("changeTier" as const), who, on: day }),
  fc.record({ act: fc.constant("withdrawPlans" as const), who }),
  fc.record({
    act: fc.constant("changePremium" as const),
    premiumCents: fc.integer({ min: 100_00, max: 500_00 }),
    from: fc.option(day, { nil: null }),
  }),
  fc.record({ act: fc.constant("suspendPolicy" as const) }),
  fc.record({ act: fc.constant("reinstatePolicy" as const) }),
  fc.record({ act: fc.constant("terminatePolicy" as const), on: day }),
  fc.record({ act: fc.constant("setBilledFrom" as const), month: fc.option(day, { nil: null }) }),
  fc.record({
    act: fc.constant("setEndRule" as const),
    rule: fc.constantFrom("whole month" as const, "by days" as const),
    from: fc.option(day, { nil: null }),
  }),
)
type Drawn = typeof change extends fc.Arbitrary<infer T> ? T : never

/** The change as the dialog proposes it, and the command that is called for it. */
async function asked(policyId: string, memberIds: string[], tiers: string[], drawn: Drawn, persons: number[]) {
  const { manager } = app
  const reason = "As asked"
  const member = async (at: number) => {
    const found = await manager.members.detail({ memberId: memberIds[at]! })
    return { memberId: found.id, version: found.version, reason, tierId: found.tierId }
  }
  const policy = await manager.policies.detail({ policyId })
  const ofPolicy = { policyId, version: policy.version, reason }
  switch (drawn.act) {
    case "addMember": {
      const person = drawn.again ? persons[0]! : person_()
      const proposed: ProposedChange = {
        ...{ act: "addMember", policyId, tierId: tiers[0]!, startOn: drawn.startOn },
        ...{ idNumber: sampleIdNumber(person), passportNumber: null, dateOfBirth: null, dependents: [] },
      }
      const sample = { person, ...(drawn.startOn && { startOn: drawn.startOn }) }
      return { proposed, run: async () => memberIds.push((await memberOf(manager, policyId, sample)).id) }
    }
    case "terminateMember":
    case "suspendMember":
    case "reinstateMember": {
      const { tierId: _, ...of } = await member(drawn.who)
      const verbs = { terminateMember: "terminate", suspendMember: "suspend", reinstateMember: "reinstate" } as const
      return {
        proposed: { act: drawn.act, memberId: of.memberId, on: drawn.on } as ProposedChange,
        run: () => manager.members[verbs[drawn.act]]({ ...of, on: drawn.on }),
      }
    }
    case "changeTier": {
      const { tierId, ...of } = await member(drawn.who)
      const to = tiers.find((id) => id !== tierId)!
      return {
        proposed: { act: "changeTier", memberId: of.memberId, tierId: to, on: drawn.on } as ProposedChange,
        run: () => manager.members.changeTier({ ...of, tierId: to, on: drawn.on }),
      }
    }
    case "withdrawPlans": {
      const { tierId: _, ...of } = await member(drawn.who)
      return {
        proposed: { act: "withdrawPlans", memberId: of.memberId } as ProposedChange,
        run: () => manager.members.withdraw(of),
      }
    }
    case "changePremium":
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: () =>
          manager.policies.updateSection({
            policyId,
            version: policy.version,
            change: {
              section: "coverage",
              values: {
                ...policy.coverage,
                premiumCents: drawn.premiumCents,
                ...(drawn.from && { premiumFromOn: drawn.from }),
              },
            },
          }),
      }
    case "setBilledFrom":
    case "setEndRule": {
      const { month: billedFromOn, rule: endRule, from } = { month: undefined, rule: undefined, from: null, ...drawn }
      const values = {
        ...policy.terms,
        ...(billedFromOn !== undefined && { billedFromOn }),
        ...(endRule && { endRule }),
        ...(from && { endRuleFromOn: from }),
      }
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: () =>
          manager.policies.updateSection({ policyId, version: policy.version, change: { section: "terms", values } }),
      }
    }
    case "terminatePolicy":
      return {
        proposed: { ...drawn, policyId } as ProposedChange,
        run: () => manager.policies.terminate({ ...ofPolicy, on: drawn.on }),
      }
    case "suspendPolicy":
      return { proposed: { ...drawn, policyId }, run: () => manager.policies.suspend(ofPolicy) }
    case "reinstatePolicy":
      return { proposed: { ...drawn, policyId }, run: () => manager.policies.reinstate(ofPolicy) }
  }
}

let people = 500
const person_ = () => people++

test("what a dialog says of a change is what the difference becomes by its command, for random changes", {
  timeout: 600_000,
}, async () => {
  const { tiers } = await app.manager.benefits.choices()
  const tierIds = tiers.map(({ id }) => id)
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 5, max: 8 }),
      async (changes, billed) => {
        const persons = [person_(), person_(), person_(), person_()]
        const { id: policyId } = await app.policy({ startOn: start, members: 1 })
        const first = (await app.manager.members.list({ policyId })).rows.map(({ id }) => id)
        const memberIds = [...first]
        for (const [index, person] of persons.entries())
          memberIds.push((await memberOf(app.manager, policyId, { person, startOn: addDays(start, index * 40) })).id)
        for (let month = 0; month < billed; month++)
          await sentInvoice(app.manager, {
            policyId,
            month: addMonths(start, month),
            invoiceOn: addMonths(start, month),
          })
        for (const drawn of changes) {
          app.clock.advance({ seconds: 1 })
          const { proposed, run } = await asked(policyId, memberIds, tierIds, drawn, persons)
          const { effect } = await app.manager.billing.effect({ change: proposed })
          const month = effect?.month ?? "2026-12-01"
          const before = await differenceByMonth(app, policyId, month)
          const refused = await (run() as Promise<unknown>).then(
            () => null,
            (error: unknown) => error as Error,
          )
          const after = await differenceByMonth(app, policyId, month)
          const became = becameOf(before, after)
          const said = saidOf(effect)
          if (effect === null && refused === null) expect(became).toEqual(new Map())
          if (refused === null || effect === null) {
            expect({ drawn, said }).toEqual({ drawn, said: became })
            expect(effect?.cents ?? 0).toBe([...became.values()].reduce((sum, cents) => sum + cents, 0))
            if (became.size > 0) compared++
          }
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 25) },
  )
  expect(compared).toBeGreaterThan(10)
})
