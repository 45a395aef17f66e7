// Random histories of product types, waiting periods and benefit terms, beside the members of premium-histories.
import type { BenefitTerms, DependentCover } from "../src/benefits/benefit-terms.ts"
import { addDays, type Day } from "../src/kernel/calendar.ts"
import type { Instant } from "../src/kernel/dated-fact.ts"
import type { BenefitCoverFacts, ProductTypeFact, TermsFact, WaitingPeriodFact } from "../src/members/cover-of.ts"
import { type History, historyStart, instantAtStep, policyStart, tiers, writeFact } from "./premium-histories.ts"
import { fc } from "./property.ts"

export const productTypes = ["product-a", "product-b"]
export const dependentIds = ["dependent-0", "dependent-1", "dependent-2"]

export interface CoverHistory {
  productTypes: ProductTypeFact[]
  waitingPeriods: WaitingPeriodFact[]
  terms: TermsFact[]
}

const day = fc.integer({ min: 0, max: 27 * 31 }).map((days) => addDays(historyStart, days))
const cents = fc.integer({ min: 1, max: 9_999_999 })
const amount = fc
  .record({
    amountCents: fc.oneof(fc.constant(0), cents),
    salaryMultiple: fc.option(
      fc.integer({ min: 1, max: 9_999 }).map((hundredths) => hundredths / 100),
      { nil: null },
    ),
    percentage: fc.nat(100),
    incidentLimitCents: fc.option(cents, { nil: null }),
    yearLimitCents: fc.option(cents, { nil: null }),
  })
  .map((one) => (one.salaryMultiple === null ? one : { ...one, amountCents: 0 }))

const bands: [number, number | null][][] = [
  [[0, null]],
  [
    [0, 5],
    [6, 20],
  ],
  [
    [18, 30],
    [45, null],
  ],
]
const dependents: fc.Arbitrary<DependentCover[]> = fc
  .uniqueArray(fc.constantFrom("spouse" as const, "child" as const, "parent" as const, "other" as const), {
    maxLength: 4,
  })
  .chain((kinds) =>
    fc.tuple(
      ...kinds.map((insured) =>
        fc
          .tuple(fc.constantFrom(...bands), fc.array(amount, { minLength: 2, maxLength: 2 }))
          .map(([of, amounts]) => of.map(([ageFrom, ageTo], at) => ({ insured, ageFrom, ageTo, ...amounts[at]! }))),
      ),
    ),
  )
  .map((of) => of.flat())

export const anyTerms: fc.Arbitrary<BenefitTerms> = fc
  .record({
    member: amount,
    coverYear: fc.constantFrom("calendar" as const, "policy" as const),
    dependents: fc.option(dependents, { nil: null }),
  })
  .map(({ member, ...rest }) => ({ ...member, ...rest }))

const anyStep = fc.oneof(
  fc.record({
    step: fc.constant("productType" as const),
    productTypeId: fc.constantFrom(...productTypes),
    from: day,
  }),
  fc.record({ step: fc.constant("waitingPeriod" as const), months: fc.nat(12), from: day }),
  fc.record({
    step: fc.constant("terms" as const),
    productTypeId: fc.constantFrom(...productTypes),
    tierId: fc.constantFrom(...tiers),
    from: day,
    terms: anyTerms,
  }),
)

/** Some products lack the benefit, in one tier or in both. */
export const coverSteps = fc.record({
  configured: fc.uniqueArray(fc.constantFrom("product-a tier-1", "product-a tier-2", "product-b tier-1")),
  first: anyTerms,
  steps: fc.array(anyStep, { maxLength: 12 }),
})
export type CoverSteps = typeof coverSteps extends fc.Arbitrary<infer S> ? S : never

export function createCoverHistory({ configured, first, steps }: CoverSteps): CoverHistory {
  const at = instantAtStep(0)
  const always = { from: policyStart, until: null, recordedAt: at, supersededAt: null }
  const terms: TermsFact[] = configured.map((of) => {
    const [productTypeId, tierId] = of.split(" ") as [string, string]
    return { ...first, ...always, from: null, productTypeId, tierId }
  })
  const history: CoverHistory = {
    productTypes: [{ ...always, productTypeId: productTypes[0]! }],
    waitingPeriods: [{ ...always, months: 3 }],
    terms,
  }
  for (const [place, step] of steps.entries()) applyCoverStep(history, step, instantAtStep(place + 1))
  return history
}

function applyCoverStep(history: CoverHistory, step: CoverSteps["steps"][number], at: Instant): void {
  if (step.step === "productType") {
    writeFact(history.productTypes, at, step.from, null, { productTypeId: step.productTypeId })
  } else if (step.step === "waitingPeriod") {
    writeFact(history.waitingPeriods, at, step.from, null, { months: step.months })
  } else changeTerms(history.terms, at, step)
}

/** Only a configured product benefit can change; the change holds until the next recorded one. */
export function changeTerms(
  facts: TermsFact[],
  at: Instant,
  {
    productTypeId,
    tierId,
    from,
    terms,
  }: Pick<TermsFact, "productTypeId" | "tierId"> & { from: Day; terms: BenefitTerms },
): void {
  const current = facts.filter(
    (one) => one.supersededAt === null && one.productTypeId === productTypeId && one.tierId === tierId,
  )
  const spanning = current.find(
    (one) => (one.from === null || one.from <= from) && (one.until === null || from <= one.until),
  )
  if (!spanning) return
  spanning.supersededAt = at
  if (spanning.from === null || spanning.from < from) {
    facts.push({ ...spanning, until: addDays(from, -1), recordedAt: at, supersededAt: null })
  }
  facts.push({ ...terms, productTypeId, tierId, from, until: spanning.until, recordedAt: at, supersededAt: null })
}

/** The facts of a member, or of one of the member's dependents. */
export function coverFactsOf(
  history: CoverHistory,
  member: History["members"][number],
  dependentId: string | null,
): BenefitCoverFacts {
  const covers = member.dependents.filter((fact) => fact.dependentId === dependentId)
  return {
    tierId: tiers[0]!,
    bornOn: member.births.at(-1)!.bornOn,
    covers: member.covers,
    salaries: member.salaries,
    dependent: dependentId === null ? null : { relationship: "other", bornOn: null, covers },
    policy: {
      startOn: policyStart,
      productTypeId: productTypes[0]!,
      waitingPeriodMonths: 0,
      productTypes: history.productTypes,
      waitingPeriods: history.waitingPeriods,
    },
    terms: history.terms,
  }
}
