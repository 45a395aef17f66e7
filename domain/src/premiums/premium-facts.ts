import type { Vat } from "../benefits/vat.ts"
import type { Day } from "../kernel/calendar.ts"
import type { DatedFact, RecordedTimes } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import type { EndRule } from "../policies/end-rule.ts"
import type { RateTable } from "../policies/rates.ts"

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
