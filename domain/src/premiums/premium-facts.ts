import type { Vat } from "../benefits/vat.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import type { EndRule } from "../policies/end-rule.ts"
import type { RateTable } from "../policies/rates.ts"

/** An instant as ISO text in UTC, `2026-09-20T08:00:00.25Z`. */
export type Instant = string

/** When somebody wrote a fact down, and when they took it back; null while it stands. */
export interface Recorded {
  recordedAt: Instant
  supersededAt: Instant | null
}

/** A fact that holds on days; `until` is the last of them, inclusive, or null without an end. */
export interface Fact extends Recorded {
  from: Day
  until: Day | null
}

export interface CoverFact extends Fact {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether the kind, and the tier, were recorded for the first day; false where they continue (`CoverDays`). */
  setsKind?: boolean
  setsTier?: boolean
}

export interface PeriodFact extends Fact {
  kind: "active" | "suspended"
}

/** One premium for every member, or a rate table, `rates`; then the premium is nothing. A table never changes. */
export interface PremiumFact extends Fact {
  premiumCents: Cents
  rates?: (RateTable & { id: string }) | null
}

export interface EndRuleFact extends Fact {
  rule: EndRule
}

/** The first month, by its first day, that a policy owes here. */
export interface BilledFromFact extends Recorded {
  month: Day
}

/** VAT of the product type from a day on; the first has none and held before all others. */
export interface VatFact extends Recorded, Vat {
  from: Day | null
}

/** What a policy's premiums rest on. */
export interface PolicyFacts {
  periods: readonly PeriodFact[]
  premiums: readonly PremiumFact[]
  endRules: readonly EndRuleFact[]
  billedFrom: readonly BilledFromFact[]
  vat: readonly VatFact[]
  /** The policy's first day, whose anniversary ages may count on; it stays once there are facts. */
  startOn?: Day | null
}

/** A member's date of birth, which may be put right. */
export interface BirthFact extends Recorded {
  bornOn: Day | null
}

/** A dependent and the days on which they are covered with the member. */
export interface DependentFact extends Fact {
  dependentId: string
  relationship: Relationship
  bornOn: Day | null
}

/** What a member earns a month. */
export interface SalaryFact extends Fact {
  monthlyCents: Cents
}

/** What a member's premiums rest on. Beyond cover, it is what rate tables read; left out where there is none. */
export interface MemberFacts {
  covers: readonly CoverFact[]
  births?: readonly BirthFact[]
  dependents?: readonly DependentFact[]
  salaries?: readonly SalaryFact[]
}

/** Orders two instants: below 0 when the first is earlier. Text alone would put a fraction of a second before none. */
export function compareInstants(a: Instant, b: Instant): number {
  const [first, second] = [a.slice(0, -1), b.slice(0, -1)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** The facts that stood at an instant: recorded by then, and not superseded by then. */
export function knownBy<F extends Recorded>(facts: readonly F[], at: Instant): F[] {
  return facts.filter(
    ({ recordedAt, supersededAt }) =>
      compareInstants(recordedAt, at) <= 0 && (supersededAt === null || compareInstants(supersededAt, at) > 0),
  )
}

/** Whether a fact holds on a day. */
export const holdsOn = ({ from, until }: Pick<Fact, "from" | "until">, day: Day): boolean =>
  from <= day && (until === null || day <= until)

/** The fact that holds on a day; facts of one thing never overlap as far as they are known together. */
export function factOn<F extends Fact>(facts: readonly F[], day: Day): F | undefined {
  return facts.find((fact) => holdsOn(fact, day))
}
