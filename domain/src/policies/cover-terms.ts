import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Stretch } from "../kernel/stretches.ts"

/** The terms of a policy that claims are judged by. Each is dated on its own. */
export const coverTerms = ["product type", "sum assured", "waiting period"] as const
export type CoverTerm = (typeof coverTerms)[number]

/** A new value of one term. */
export type CoverTermValue =
  | { term: "product type"; productTypeId: string }
  | { term: "sum assured"; sumAssuredCents: Cents | null }
  | { term: "waiting period"; waitingPeriodMonths: number }

/** A new value of one term with its first day. */
export type CoverTermChange = CoverTermValue & { from: Day }

/**
 * The term that applies on a day: the one whose days include it, and before the start of the policy the first one. The
 * database has the same rule (`policy_terms_on`).
 */
export function termOn<Term extends Stretch>(timeline: readonly Term[], day: Day): Term | undefined {
  const inOrder = timeline.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const applies = inOrder.findLast(({ from, until }) => from <= day && (until === null || day <= until))
  const [first] = inOrder
  return applies ?? (first && day < first.from ? first : undefined)
}
