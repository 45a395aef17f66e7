import { expect, test } from "vitest"
import {
  anyTerms,
  changeTerms,
  coverFactsOf,
  coverSteps,
  createCoverHistory,
  dependentIds,
  productTypes,
} from "../../test/cover-histories.ts"
import { createHistory, historyStart, instantAtStep, someSteps, tiers } from "../../test/premium-histories.ts"
import { fc } from "../../test/property.ts"
import type { BenefitTerms, CoverGap } from "../benefits/benefit-terms.ts"
import { addDays } from "../kernel/calendar.ts"
import { type BenefitCoverFacts, coverOf } from "./cover-of.ts"

const at = "2024-01-01T08:00:00Z"
const now = "2026-01-01T08:00:00Z"
const always = { from: "2024-01-01", until: null, recordedAt: at, supersededAt: null }
const none = { salaryMultiple: null, percentage: 0, incidentLimitCents: null, yearLimitCents: null }
const funeral: BenefitTerms = {
  ...{ ...none, amountCents: 50_000_00, coverYear: "calendar" },
  dependents: [
    { ...none, insured: "spouse", ageFrom: 0, ageTo: null, amountCents: 30_000_00 },
    { ...none, insured: "child", ageFrom: 0, ageTo: 5, amountCents: 10_000_00 },
    { ...none, insured: "child", ageFrom: 6, ageTo: 20, amountCents: 20_000_00 },
  ],
}
const dependentOf = (relationship: "spouse" | "child" | "parent", bornOn: string | null) => ({
  ...{ relationship, bornOn },
  covers: [{ ...always, dependentId: "d", relationship, bornOn }],
})
const createFacts = (changes: Partial<BenefitCoverFacts> = {}): BenefitCoverFacts => ({
  tierId: "gold",
  bornOn: "1980-05-01",
  covers: [{ ...always, kind: "covered", tierId: "gold" }],
  salaries: [],
  dependent: null,
  policy: {
    startOn: "2024-01-01",
    productTypeId: "life",
    waitingPeriodMonths: 6,
    productTypes: [{ ...always, productTypeId: "life" }],
    waitingPeriods: [{ ...always, months: 6 }],
  },
  terms: [{ ...funeral, ...always, from: null, productTypeId: "life", tierId: "gold" }],
  ...changes,
})

test.each<[string, BenefitCoverFacts["dependent"], number | CoverGap]>([
  ["the member", null, 50_000_00],
  ["a spouse", dependentOf("spouse", null), 30_000_00],
  ["a child of 5", dependentOf("child", "2019-07-02"), 10_000_00],
  ["a child on the sixth birthday", dependentOf("child", "2019-07-01"), 20_000_00],
  ["a child of 20", dependentOf("child", "2004-07-02"), 20_000_00],
  ["a child on the 21st birthday", dependentOf("child", "2004-07-01"), "age"],
  ["a child born on the day after", dependentOf("child", "2025-07-02"), "not born"],
  ["a child without a date of birth", dependentOf("child", null), "birth date"],
  ["a parent", dependentOf("parent", "1950-01-01"), "person"],
])("the cover of %s follows relationship and age on the incident day", (_, dependent, expected) => {
  const { given, gap } = coverOf(createFacts({ dependent }), "2025-07-01", now)
  expect(gap ?? given!.maxCoverCents).toBe(expected)
})

test("a product without the benefit, and a salary multiple without a salary, leave a gap", () => {
  expect(coverOf(createFacts({ terms: [] }), "2025-07-01", now)).toMatchObject({ given: null, gap: "product" })
  const multiple = { ...funeral, amountCents: 0, salaryMultiple: 2.5 }
  const terms = [{ ...multiple, ...always, from: null, productTypeId: "life", tierId: "gold" }]
  expect(coverOf(createFacts({ terms }), "2025-07-01", now).gap).toBe("salary")
  const salaries = [{ ...always, monthlyCents: 10_000_01 }]
  expect(coverOf(createFacts({ terms, salaries }), "2025-07-01", now).given?.maxCoverCents).toBe(25_000_03)
})

test("the waiting period counts from the day on which cover of the benefit began, and products that have it add up", () => {
  const sinceOf = (second: string) =>
    coverOf(
      createFacts({
        policy: {
          ...createFacts().policy,
          productTypes: [
            { ...always, until: "2024-12-31", productTypeId: "other" },
            { ...always, from: "2025-01-01", productTypeId: "life" },
          ],
        },
        terms: ["life", second].map((productTypeId) => ({
          ...{ ...funeral, ...always, from: null, productTypeId, tierId: "gold" },
        })),
      }),
      "2025-07-01",
      now,
    )
  expect(sinceOf("none")).toMatchObject({ coveredSince: "2025-01-01", waitingPeriodMonths: 6 })
  expect(sinceOf("other")).toMatchObject({ coveredSince: "2024-01-01" })
})

test("a dependent's cover begins no earlier than the member's", () => {
  const since = (from: string) => {
    const spouse = dependentOf("spouse", null)
    const dependent = { ...spouse, covers: spouse.covers.map((cover) => ({ ...cover, from })) }
    return coverOf(createFacts({ dependent }), "2025-07-01", now).coveredSince
  }
  expect([since("2023-06-01"), since("2024-06-01"), since("2025-07-02")]).toEqual(["2024-01-01", "2024-06-01", null])
})

const RUNS = Number(process.env.RUNS ?? 1_000)
const anyDay = fc.integer({ min: -40, max: 900 }).map((days) => addDays(historyStart, days))
const anyPerson = fc.option(fc.constantFrom(...dependentIds), { nil: null })

test("a change of terms affects only incidents of its days, and only once it is known", { timeout: 600_000 }, () =>
  fc.assert(
    fc.property(
      fc.record({ some: someSteps, cover: coverSteps, who: fc.nat(3), person: anyPerson, on: anyDay }),
      fc.record({ terms: anyTerms, from: anyDay, product: fc.nat(1), tier: fc.nat(1) }),
      ({ some, cover, who, person, on }, change) => {
        const member = createHistory(some).members[who]!
        const history = createCoverHistory(cover)
        const [before, after] = [instantAtStep(100), instantAtStep(101)]
        const earlier = coverOf(coverFactsOf(history, member, person), on, before)
        expect(earlier.gap === null).toBe(earlier.given !== null)
        const facts = history.terms.map((fact) => ({ ...fact }))
        changeTerms(facts, after, {
          ...{ productTypeId: productTypes[change.product]!, tierId: tiers[change.tier]! },
          ...{ from: change.from, terms: change.terms },
        })
        const changed = coverFactsOf({ ...history, terms: facts }, member, person)
        expect(coverOf(changed, on, before)).toEqual(earlier)
        if (on < change.from) expect(coverOf(changed, on, after)).toEqual(earlier)
        const current = { ...changed, terms: facts.filter(({ supersededAt }) => supersededAt === null) }
        expect(coverOf(current, on, after)).toEqual(coverOf(changed, on, after))
      },
    ),
    { numRuns: RUNS },
  ),
)
