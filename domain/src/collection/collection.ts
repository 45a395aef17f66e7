import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** Collection status (specification 2, section 4; docs/premium-collection.md). */
export const collectionStatuses = ["Current", "Partial", "Overdue"] as const
export type CollectionStatus = (typeof collectionStatuses)[number]

/** A debt this many days late is Overdue, even if partly paid. */
export const overdueDays = 30

/**
 * Current: nothing overdue. Partial: overdue by less than 30 days and partly paid. Overdue: otherwise. `daysLate`
 * counts from the oldest overdue due day. A test compares the SQL version in collection-list.queries.ts.
 */
export function collectionStatus({
  overdueCents,
  paidOfOverdueCents,
  daysLate,
}: {
  overdueCents: Cents
  paidOfOverdueCents: Cents
  daysLate: number
}): CollectionStatus {
  if (overdueCents <= 0) return "Current"
  return paidOfOverdueCents > 0 && daysLate < overdueDays ? "Partial" : "Overdue"
}

/** Collected ÷ expected in whole per cent, rounded half up; null if nothing was expected. */
export function collectionRate(collectedCents: Cents, expectedCents: Cents): number | null {
  return expectedCents > 0 ? Math.round((collectedCents * 100) / expectedCents) : null
}

export const callOutcomes = ["reached", "no_answer", "promise", "dispute"] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const callOutcomeNames: Record<CallOutcome, string> = {
  reached: "Reached",
  no_answer: "No answer",
  promise: "Promise to pay",
  dispute: "Dispute",
}

export const contactKinds = ["call", "reminder", "notice"] as const
export type ContactKind = (typeof contactKinds)[number]

export const promiseStates = ["open", "kept", "broken"] as const
export type PromiseState = (typeof promiseStates)[number]

export const promiseStateNames: Record<PromiseState, string> = {
  open: "Promise open",
  kept: "Promise kept",
  broken: "Promise broken",
}

/**
 * Kept: receipts after the promise, dated up to its day, reach the amount. Otherwise open through its day, then broken.
 * A test compares the SQL version in promises.queries.ts.
 */
export function promiseState(promise: { amountCents: Cents; on: Day; receivedCents: Cents }, today: Day): PromiseState {
  if (promise.receivedCents >= promise.amountCents) return "kept"
  return today > promise.on ? "broken" : "open"
}

/** The result of the last promise or dispute. A later call that reaches the employer ends a dispute, not a promise. */
export const collectionStandings = ["promised", "broken", "kept", "disputed"] as const
export type Standing = (typeof collectionStandings)[number]

export const standingNames: Record<Standing, string> = {
  promised: "Promised",
  broken: "Promise broken",
  kept: "Promise kept",
  disputed: "Disputed",
}

export const collectionTasks = ["notice", "grace_over", "call"] as const
export type CollectionTask = (typeof collectionTasks)[number]

export const collectionTaskNames: Record<CollectionTask, string> = {
  notice: "Notice of non-payment due",
  grace_over: "Grace period ended",
  call: "Employer to call",
}

export const daysUntilNextCall = 7

export const collectionViews = ["collected", "outstanding", "behind"] as const
export const collectionViewNames: Record<(typeof collectionViews)[number], string> = {
  collected: "With collections",
  outstanding: "With outstanding amounts",
  behind: "Rate below 100 %",
}

export const collectionActions = ["call", "remind"] as const
export type CollectionAction = (typeof collectionActions)[number]

export const owedCents = ({ outstandingCents, creditCents }: { outstandingCents: Cents; creditCents: Cents }): Cents =>
  Math.max(outstandingCents - creditCents, 0)

/** A call needs a number; a reminder needs an address and a debt (`owedCents`). */
export function collectionActionsOf(
  policy: { phone: string; contactEmail: string; owedCents: Cents },
  mayWrite: boolean,
): CollectionAction[] {
  if (!mayWrite) return []
  return [
    ...(policy.phone !== "" ? (["call"] as const) : []),
    ...(policy.contactEmail !== "" && policy.owedCents > 0 ? (["remind"] as const) : []),
  ]
}
