import type { Vat } from "../benefits/vat.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import type { EndRule } from "../policies/end-rule.ts"
import type { RateTable } from "../policies/rates.ts"

/** ISO text in UTC, `2026-09-20T08:00:00.25Z`. */
export type Instant = string

/** The times at which the fact was recorded and superseded; `supersededAt` is null while it is current. */
export interface RecordedTimes {
  recordedAt: Instant
  supersededAt: Instant | null
}

/** Valid from `from` to `until`, inclusive; null is unbounded. */
export interface DatedFact extends RecordedTimes {
  from: Day
  until: Day | null
}

export interface CoverFact extends DatedFact {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether kind and tier were recorded for the first day; false if they continue from before (`CoverDays`). */
  setsKind?: boolean
  setsTier?: boolean
}

export interface PeriodFact extends DatedFact {
  kind: "active" | "suspended"
}

/** A flat premium per member, or a rate table with a premium of zero. Rate tables are immutable. */
export interface PremiumFact extends DatedFact {
  premiumCents: Cents
  rates?: (RateTable & { id: string }) | null
}

export interface EndRuleFact extends DatedFact {
  rule: EndRule
}

/** First day of the first month that Milkwood bills. */
export interface BilledFromFact extends RecordedTimes {
  month: Day
}

/** VAT of the product type from a day; null for the first, which has no start. */
export interface VatFact extends RecordedTimes, Vat {
  from: Day | null
}

export interface PolicyFacts {
  periods: readonly PeriodFact[]
  premiums: readonly PremiumFact[]
  endRules: readonly EndRuleFact[]
  billedFrom: readonly BilledFromFact[]
  vat: readonly VatFact[]
  /** The anniversary of this day may be the age day. */
  startOn?: Day | null
}

/** A date of birth, which may have been corrected. */
export interface BirthFact extends RecordedTimes {
  bornOn: Day | null
}

/** Days on which the dependent is covered with the member. */
export interface DependentFact extends DatedFact {
  dependentId: string
  relationship: Relationship
  bornOn: Day | null
}

export interface SalaryFact extends DatedFact {
  monthlyCents: Cents
}

/** Facts from which a member's premium follows. Apart from cover, they are needed only for rate tables. */
export interface MemberFacts {
  covers: readonly CoverFact[]
  births?: readonly BirthFact[]
  dependents?: readonly DependentFact[]
  salaries?: readonly SalaryFact[]
}

/**
 * Negative if `a` is earlier. Text order would sort an instant with a fraction of a second before the same second
 * without.
 */
export function compareInstants(a: Instant, b: Instant): number {
  const [first, second] = [a.slice(0, -1), b.slice(0, -1)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Facts recorded by then and not yet superseded. */
export function factsKnownAt<F extends RecordedTimes>(facts: readonly F[], at: Instant): F[] {
  return facts.filter(
    ({ recordedAt, supersededAt }) =>
      compareInstants(recordedAt, at) <= 0 && (supersededAt === null || compareInstants(supersededAt, at) > 0),
  )
}

/** Both bounds are inclusive. */
export const isInForceOn = ({ from, until }: Pick<DatedFact, "from" | "until">, day: Day): boolean =>
  from <= day && (until === null || day <= until)

/** The fact valid on a day; facts of one kind, known at one time, never overlap. */
export function factOn<F extends DatedFact>(facts: readonly F[], day: Day): F | undefined {
  return facts.find((fact) => isInForceOn(fact, day))
}
