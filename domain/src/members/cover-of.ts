import {
  type BenefitTerms,
  type CoverGap,
  type CoverYear,
  coverAmountOf,
  type InsuredKind,
  salaryMultipleCents,
} from "../benefits/benefit-terms.ts"
import { addDays, ageOn, type Day, maxDay } from "../kernel/calendar.ts"
import { type DatedFact, factOn, factsKnownAt, type Instant, type RecordedTimes } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import type { CoverFact, DependentFact, SalaryFact } from "./member-dated-facts.ts"

export interface TermsFact extends BenefitTerms, RecordedTimes {
  /** Null: from the beginning. */
  from: Day | null
  until: Day | null
  productTypeId: string
  tierId: string
}

export interface ProductTypeFact extends DatedFact {
  productTypeId: string
}

export interface WaitingPeriodFact extends DatedFact {
  months: number
}

/** The facts from which the cover of one person by one benefit follows. */
export interface BenefitCoverFacts {
  /** Today's tier, for days without cover. */
  tierId: string
  bornOn: Day | null
  covers: readonly CoverFact[]
  salaries: readonly SalaryFact[]
  /** The insured dependent; null if the member is insured. */
  dependent: (Pick<DependentFact, "relationship" | "bornOn"> & { covers: readonly DependentFact[] }) | null
  policy: {
    startOn: Day
    /** Today's, for days without a recorded term. */
    productTypeId: string
    waitingPeriodMonths: number
    productTypes: readonly ProductTypeFact[]
    waitingPeriods: readonly WaitingPeriodFact[]
  }
  /** Terms of the benefit in all product types and tiers. */
  terms: readonly TermsFact[]
}

/** Cover in cents of one person by one benefit for an incident. */
export interface PersonCover {
  tierId: string
  productTypeId: string
  insured: InsuredKind
  /** Completed years on the incident day, below 0 before birth; null is unknown. */
  age: number | null
  /** Null with a `gap`. */
  given: GivenCover | null
  gap: CoverGap | null
  /** First day from which the waiting period counts; null without cover. */
  coveredSince: Day | null
  waitingPeriodMonths: number
}

export interface GivenCover {
  /** 0 means no maximum. */
  maxCoverCents: Cents
  /** The multiple of the monthly salary that gives the maximum; null for an amount. */
  salaryMultiple: number | null
  /** Whole percentage; 0 means not set, which is 100. */
  coverPercentage: number
  incidentLimitCents: Cents | null
  yearLimitCents: Cents | null
  coverYear: CoverYear
}

/**
 * The cover of a person by a benefit for an incident on a day, as known at an instant. It follows the policy's product
 * type and the member's tier of the incident day, and the benefit's terms for the person's kind and age. Incidents
 * before the policy's start use its first product type. Source of the rule: the policy; the waiting period counts from
 * the day the person's cover of this benefit began. The SQL function `cover_of` is the same rule for sets.
 */
export function coverOf(facts: BenefitCoverFacts, incidentOn: Day, knownAt: Instant): PersonCover {
  const { policy } = facts
  const on = maxDay(incidentOn, policy.startOn)
  const productTypes = factsKnownAt(policy.productTypes, knownAt)
  const productTypeId = factOn(productTypes, on)?.productTypeId ?? policy.productTypeId
  const tierId = factOn(factsKnownAt(facts.covers, knownAt), incidentOn)?.tierId ?? facts.tierId
  const person = personOn(facts, incidentOn, knownAt)
  const known = factsKnownAt(facts.terms, knownAt)
  const terms = known.find(
    (one) =>
      one.productTypeId === productTypeId &&
      one.tierId === tierId &&
      (one.from === null || one.from <= incidentOn) &&
      (one.until === null || incidentOn <= one.until),
  )
  const amount = terms ? coverAmountOf(terms, person.insured, person.age) : "product"
  const monthlyCents = factOn(factsKnownAt(facts.salaries, knownAt), incidentOn)?.monthlyCents ?? null
  const given = terms && typeof amount !== "string" ? givenCover(terms, amount, monthlyCents) : null
  return {
    tierId,
    productTypeId,
    ...person,
    given,
    gap: given ? null : typeof amount === "string" ? amount : "salary",
    coveredSince: coveredSince(facts, productTypes, incidentOn, knownAt),
    waitingPeriodMonths: factOn(factsKnownAt(policy.waitingPeriods, knownAt), on)?.months ?? policy.waitingPeriodMonths,
  }
}

function personOn(
  { bornOn, dependent }: BenefitCoverFacts,
  incidentOn: Day,
  knownAt: Instant,
): { insured: InsuredKind; age: number | null } {
  const age = (born: Day | null) => (born === null ? null : ageOn(born, incidentOn))
  if (dependent === null) return { insured: "member", age: age(bornOn) }
  const cover = factOn(factsKnownAt(dependent.covers, knownAt), incidentOn) ?? dependent
  return { insured: cover.relationship, age: age(cover.bornOn) }
}

function givenCover(
  { coverYear }: BenefitTerms,
  amount: Exclude<ReturnType<typeof coverAmountOf>, string>,
  monthlyCents: Cents | null,
): GivenCover | null {
  const { salaryMultiple, amountCents, percentage, incidentLimitCents, yearLimitCents } = amount
  if (salaryMultiple !== null && monthlyCents === null) return null
  const maxCoverCents = salaryMultiple === null ? amountCents : salaryMultipleCents(monthlyCents!, salaryMultiple)
  return { maxCoverCents, salaryMultiple, coverPercentage: percentage, incidentLimitCents, yearLimitCents, coverYear }
}

/** The latest of: the member's first day, the dependent's first day, and the first day of a product with the benefit. */
function coveredSince(
  { covers, dependent, terms }: BenefitCoverFacts,
  productTypes: readonly ProductTypeFact[],
  incidentOn: Day,
  knownAt: Instant,
): Day | null {
  const first = (of: readonly DatedFact[]) =>
    factsKnownAt(of, knownAt)
      .map(({ from }) => from)
      .filter((from) => from <= incidentOn)
      .sort()[0] ?? null
  const member = first(covers)
  const own = dependent ? first(dependent.covers) : member
  if (member === null || own === null) return null
  const without = productTypes
    .filter(({ productTypeId }) => !terms.some((one) => one.productTypeId === productTypeId))
    .flatMap(({ until }) => (until === null ? [] : [addDays(until, 1)]))
    .filter((from) => from <= incidentOn)
    .sort()
    .at(-1)
  return [member, own, ...(without ? [without] : [])].sort().at(-1)!
}
