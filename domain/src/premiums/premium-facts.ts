import type { Vat } from "../benefits/vat.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import type { EndRule } from "../policies/end-rule.ts"
import type { RateTable } from "../policies/rates.ts"

/** ISO text in UTC, `2026-09-20T08:00:00.25Z`. */
export type Instant = string

/** When the fact was recorded and superseded; null while it is current. */
export interface Recorded {
  recordedAt: Instant
  supersededAt: Instant | null
}

/** Valid from `from` to `until`, inclusive; null is unbounded. */
export interface Fact extends Recorded {
  from: Day
  until: Day | null
}

export interface CoverFact extends Fact {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether kind and tier were recorded for the first day; false if they continue (`CoverDays`). */
  setsKind?: boolean
  setsTier?: boolean
}

export interface PeriodFact extends Fact {
  kind: "active" | "suspended"
}

/** A flat premium per member, or a rate table with a premium of zero. Rate tables are immutable. */
export interface PremiumFact extends Fact {
  premiumCents: Cents
  rates?: (RateTable & { id: string }) | null
}

export interface EndRuleFact extends Fact {
  rule: EndRule
}

/** First day of the first month that is billed in Milkwood. */
export interface BilledFromFact extends Recorded {
  month: Day
}

/** VAT of the product type from a day; null for the first, which has no start. */
export interface VatFact extends Recorded, Vat {
  from: Day | null
}

export interface PolicyFacts {
  periods: readonly PeriodFact[]
  premiums: readonly PremiumFact[]
  endRules: readonly EndRuleFact[]
  billedFrom: readonly BilledFromFact[]
  vat: readonly VatFact[]
  /** Its anniversary may be the age day. */
  startOn?: Day | null
}

/** May be corrected. */
export interface BirthFact extends Recorded {
  bornOn: Day | null
}

/** Days on which the dependent is covered with the member. */
export interface DependentFact extends Fact {
  dependentId: string
  relationship: Relationship
  bornOn: Day | null
}

export interface SalaryFact extends Fact {
  monthlyCents: Cents
}

/** Facts behind a member's premium. Apart from cover, they are only set for rate tables. */
export interface MemberFacts {
  covers: readonly CoverFact[]
  births?: readonly BirthFact[]
  dependents?: readonly DependentFact[]
  salaries?: readonly SalaryFact[]
}

/** Negative if `a` is earlier. Text order alone would put a fraction of a second before none. */
export function compareInstants(a: Instant, b: Instant): number {
  const [first, second] = [a.slice(0, -1), b.slice(0, -1)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Facts recorded by then and not yet superseded. */
export function knownBy<F extends Recorded>(facts: readonly F[], at: Instant): F[] {
  return facts.filter(
    ({ recordedAt, supersededAt }) =>
      compareInstants(recordedAt, at) <= 0 && (supersededAt === null || compareInstants(supersededAt, at) > 0),
  )
}

/** Both bounds are inclusive. */
export const holdsOn = ({ from, until }: Pick<Fact, "from" | "until">, day: Day): boolean =>
  from <= day && (until === null || day <= until)

/** The fact valid on a day; facts of one kind, known at one time, never overlap. */
export function factOn<F extends Fact>(facts: readonly F[], day: Day): F | undefined {
  return facts.find((fact) => holdsOn(fact, day))
}
