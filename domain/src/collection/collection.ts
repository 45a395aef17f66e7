import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** How a policy stands with its premiums (specification 2, section 4; design: money, "Premium collection"). */
export const collectionStatuses = ["Current", "Partial", "Overdue"] as const
export type CollectionStatus = (typeof collectionStatuses)[number]

/** A debt this many days late is Overdue, whatever was paid of it. */
export const overdueDays = 30

/**
 * Current: the policy has nothing overdue. Partial: everything overdue is less than 30 days late, and part of it was
 * paid. Overdue: everything else. `daysLate` is counted from the due day of the oldest overdue invoice. The SQL twin is
 * in collection-list.queries.ts; a test compares them.
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

/** Collected ÷ expected in whole per cent, rounded half up; null where nothing was expected. */
export function collectionRate(collectedCents: Cents, expectedCents: Cents): number | null {
  return expectedCents > 0 ? Math.round((collectedCents * 100) / expectedCents) : null
}

/** What came of a call. */
export const callOutcomes = ["reached", "no_answer", "promise", "dispute"] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const callOutcomeNames: Record<CallOutcome, string> = {
  reached: "Reached",
  no_answer: "No answer",
  promise: "Promise to pay",
  dispute: "Dispute",
}

/** A call, or a mail that was sent about what is owed. */
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
 * A promise is kept once receipts taken since it was made, dated up to its day, come to its amount; it is open through
 * its day, and broken from the day after. SQL says the same (promises.queries.ts); a test compares.
 */
export function promiseState(promise: { amountCents: Cents; on: Day; receivedCents: Cents }, today: Day): PromiseState {
  if (promise.receivedCents >= promise.amountCents) return "kept"
  return today > promise.on ? "broken" : "open"
}

/** What stands with a policy: its last promise or dispute. Reaching somebody again ends a dispute, not a promise. */
export const standings = ["promised", "broken", "kept", "disputed"] as const
export type Standing = (typeof standings)[number]

export const standingNames: Record<Standing, string> = {
  promised: "Promised",
  broken: "Promise broken",
  kept: "Promise kept",
  disputed: "Disputed",
}

/** What the office has to do about a policy whose premium is overdue. */
export const collectionTasks = ["notice", "grace_over", "call"] as const
export type CollectionTask = (typeof collectionTasks)[number]

export const collectionTaskNames: Record<CollectionTask, string> = {
  notice: "Notice of non-payment due",
  grace_over: "Grace period over",
  call: "Employer to call",
}

/** Days after which an employer with an overdue premium is called again. */
export const callAgainDays = 7

/** Rows of the list by what a card counts. */
export const collectionViews = ["collected", "outstanding", "behind"] as const
export const collectionViewNames: Record<(typeof collectionViews)[number], string> = {
  collected: "Something collected",
  outstanding: "Something outstanding",
  behind: "Rate below 100 %",
}

/** What may be done about what a policy owes, by somebody who may. */
export const collectionActions = ["call", "remind"] as const
export type CollectionAction = (typeof collectionActions)[number]

/** What a policy's open invoices ask for beyond its unallocated credit; never below 0. Units: cents. */
export const owedCents = ({ outstandingCents, creditCents }: { outstandingCents: Cents; creditCents: Cents }): Cents =>
  Math.max(outstandingCents - creditCents, 0)

/** A call needs a number; a reminder needs an address and something owed (`owedCents`). */
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
