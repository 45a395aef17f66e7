import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** How a policy stands with its premiums (specification 2, section 4; design: money, "Premium collection"). */
export const collectionStatuses = ["Current", "Partial", "Overdue"] as const
export type CollectionStatus = (typeof collectionStatuses)[number]

/**
 * Current: nothing is overdue. Partial: something is overdue, and something of it was paid. Overdue: something is
 * overdue, and nothing of it was paid. The list says the same in SQL (collection-list.queries.ts); a test compares.
 */
export function collectionStatus({
  overdueCents,
  paidOfOverdueCents,
}: {
  overdueCents: Cents
  paidOfOverdueCents: Cents
}): CollectionStatus {
  if (overdueCents <= 0) return "Current"
  return paidOfOverdueCents > 0 ? "Partial" : "Overdue"
}

/** Collected of expected in whole per cent, rounded half up; null where nothing was expected. */
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

/** What a policy owes beyond the credit that it holds; nothing, or less, is paid up. Units: cents. */
export const owedCents = ({ outstandingCents, creditCents }: { outstandingCents: Cents; creditCents: Cents }): Cents =>
  Math.max(outstandingCents - creditCents, 0)

/** A reminder goes to who owes something and has an address. */
export function collectionActionsOf(
  policy: { phone: string; contactEmail: string; outstandingCents: Cents; creditCents: Cents },
  mayWrite: boolean,
): CollectionAction[] {
  if (!mayWrite) return []
  return [
    ...(policy.phone !== "" ? (["call"] as const) : []),
    ...(policy.contactEmail !== "" && owedCents(policy) > 0 ? (["remind"] as const) : []),
  ]
}
