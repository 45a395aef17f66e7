import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { DateRange } from "../kernel/stretches.ts"

/** Terms that affect claims; each has its own dated changes. */
export const coverTerms = ["product type", "sum assured", "waiting period", "owning fund"] as const
export type CoverTerm = (typeof coverTerms)[number]

export type CoverTermValue =
  | { term: "product type"; productTypeId: string }
  | { term: "sum assured"; sumAssuredCents: Cents | null }
  | { term: "waiting period"; waitingPeriodMonths: number }
  /** The retirement fund that owns the policy; empty: the employer. */
  | { term: "owning fund"; owningFund: string }

export type CoverTermChange = CoverTermValue & { from: Day }

/**
 * The term whose days include `day`; the first term before the start of the policy. The SQL function `policy_terms_on`
 * has the same rule.
 */
export function termOn<Term extends DateRange>(timeline: readonly Term[], day: Day): Term | undefined {
  const inOrder = timeline.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const applies = inOrder.findLast(({ from, until }) => from <= day && (until === null || day <= until))
  const [first] = inOrder
  return applies ?? (first && day < first.from ? first : undefined)
}
