import type { Day } from "../kernel/calendar.ts"
import type { DatedFact, RecordedTimes } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "./member.ts"

export interface CoverFact extends DatedFact {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether kind and tier were recorded for the first day; false if they continue from before (`CoverDays`). */
  setsKind?: boolean
  setsTier?: boolean
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
