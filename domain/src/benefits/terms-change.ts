import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { BenefitTerms } from "./benefit-terms.ts"

export interface TermsChange {
  from: Day
  /** Why past days are corrected; null for a change from today or later. */
  reason: string | null
}

const amounts = ["amountCents", "salaryMultiple", "percentage", "incidentLimitCents", "yearLimitCents"] as const

function isSameTerms(a: BenefitTerms, b: BenefitTerms): boolean {
  const textOf = (terms: BenefitTerms) =>
    JSON.stringify([
      amounts.map((field) => terms[field]),
      terms.coverYear,
      terms.dependents
        ?.map((one) => [one.insured, one.ageFrom, one.ageTo, ...amounts.map((field) => one[field])].join(" "))
        .sort() ?? null,
    ])
  return textOf(a) === textOf(b)
}

/**
 * The first day of changed terms; null if they equal those of that day. REASON_REQUIRED when it is before today: claims
 * of past days that are not submitted yet get another cover, so it corrects a mistake.
 */
export function changeTerms(
  before: BenefitTerms,
  after: BenefitTerms,
  { from, reason }: { from: Day | null; reason: string },
  today: Day,
): Decision<TermsChange | null, "REASON_REQUIRED"> {
  if (isSameTerms(before, after)) return null
  const first = from ?? today
  if (first >= today) return { from: first, reason: null }
  return reason.trim() === "" ? refuse("REASON_REQUIRED") : { from: first, reason: reason.trim() }
}
