import type { Day } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import type { Cents, Currency } from "../kernel/money.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { preparerIds, type RuleActor } from "../platform/permission.ts"
import { canConfirmPayee, type EarlierPayees, findEarlierPayee, refuseChangedPayee } from "./payee-guard.ts"
import { type Payout, payoutLifecycle, payoutSubjectOf, refuseOwnRelease } from "./payout.ts"
import type { PayoutFact } from "./payout-facts.ts"
import { type Payee, payeeFields } from "./payout-shape.ts"

export interface PayoutChange {
  value: Payout
  facts: PayoutFact[]
}

type PayoutDecision = Decision<PayoutChange, "WRONG_STATUS">

const payoutFactHead = (payout: Payout) => ({
  record: { kind: "payout" as const, id: payout.id, label: payout.number },
  groupId: payout.groupId,
  subject: payoutSubjectOf(payout),
})

function applyPayoutChange(payout: Payout, changes: Partial<Payout>, fact: PayoutFact): PayoutChange {
  return { value: { ...payout, ...changes, version: payout.version + 1 }, facts: [fact] }
}

export function createPayoutChange(payout: Payout): PayoutChange {
  const { amountCents, method, payeeName, reference } = payout
  return {
    value: payout,
    facts: [{ ...payoutFactHead(payout), type: "PayoutMade", amountCents, after: { method, payeeName, reference } }],
  }
}

/**
 * Releases a payment. FOUR_EYES for its preparers (`releaseLimitCents` as for `canRelease`); PAYEE_WAITS for a changed
 * payee that is unconfirmed or within `payeeWaitHours`.
 */
export function release(
  payout: Payout,
  actor: RuleActor,
  { releaseLimitCents, payeeWaitHours }: { releaseLimitCents: Cents; payeeWaitHours: number },
  now: Temporal.Instant,
  currency: Currency,
): Decision<PayoutChange, "WRONG_STATUS" | "FOUR_EYES" | "PAYEE_WAITS"> {
  const status = applyTransition(payoutLifecycle, payout, "release")
  if (isRefusal(status)) return status
  return (
    refuseOwnRelease(payout, actor, releaseLimitCents, currency) ??
    refuseChangedPayee(payout, payeeWaitHours, now) ??
    markReleased(payout, actor, now)
  )
}

/** The caller has already checked that the release is allowed (`release`, `releaseBatch`). */
export function markReleased(
  payout: Payout,
  actor: RuleActor,
  now: Temporal.Instant,
  bankAccountId = payout.bankAccountId,
): PayoutChange {
  return applyPayoutChange(
    payout,
    { status: "processing", releasedBy: actor.userId, releasedAt: now.toString(), bankAccountId, statusReason: null },
    { ...payoutFactHead(payout), type: "PayoutReleased", amountCents: payout.amountCents },
  )
}

/** A second user confirms the payee of a held payment. FOUR_EYES for the user who entered it. */
export function confirmPayee(payout: Payout, actor: RuleActor): Decision<PayoutChange, "WRONG_STATUS" | "FOUR_EYES"> {
  const status = applyTransition(payoutLifecycle, payout, "confirmPayee")
  if (isRefusal(status)) return status
  if (payout.formerPayee === null || payout.payeeConfirmedBy !== null) {
    return refuse("WRONG_STATUS", "The payee of this payment does not need confirmation.")
  }
  if (!canConfirmPayee(payout, actor)) {
    return refuse("FOUR_EYES", "You entered the payee of this payment. Someone else must confirm it.")
  }
  return applyPayoutChange(
    payout,
    { payeeConfirmedBy: actor.userId },
    { ...payoutFactHead(payout), type: "PayoutPayeeConfirmed" },
  )
}

/**
 * Completes a payment on a day from the release (`releasedOn`) to today; INVALID otherwise. `bankAccountId` replaces
 * the paying account if known.
 */
export function complete(
  payout: Payout,
  days: { completedOn: Day; releasedOn: Day | null; today: Day },
  now: Temporal.Instant,
  bankAccountId = payout.bankAccountId,
): Decision<PayoutChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(payoutLifecycle, payout, "complete")
  if (isRefusal(status)) return status
  const { completedOn, releasedOn, today } = days
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "completedOn", message }] })
  if (completedOn > today) return wrong("The payment date is in the future")
  if (releasedOn !== null && completedOn < releasedOn) return wrong("The payment date is before the release")
  return applyPayoutChange(
    payout,
    { status, completedOn, completedAt: now.toString(), bankAccountId },
    { ...payoutFactHead(payout), type: "PayoutCompleted", amountCents: payout.amountCents, completedOn },
  )
}

export function fail(payout: Payout, reason: string): PayoutDecision {
  const status = applyTransition(payoutLifecycle, payout, "fail")
  if (isRefusal(status)) return status
  return applyPayoutChange(
    payout,
    { status, ...resetRelease(payout), statusReason: reason },
    { ...payoutFactHead(payout), type: "PayoutFailed", reason },
  )
}

/** Makes a failed payment await release again. */
export function retry(payout: Payout): PayoutDecision {
  const status = applyTransition(payoutLifecycle, payout, "retry")
  if (isRefusal(status)) return status
  return applyPayoutChange(payout, { status, statusReason: null }, { ...payoutFactHead(payout), type: "PayoutRetried" })
}

/** Cancels a payment that is not completed. Its claim or refund can then get a new payment. */
export function cancel(payout: Payout, reason: string): PayoutDecision {
  const status = applyTransition(payoutLifecycle, payout, "cancel")
  if (isRefusal(status)) return status
  return applyPayoutChange(
    payout,
    { status, ...resetRelease(payout), statusReason: reason },
    { ...payoutFactHead(payout), type: "PayoutCancelled", reason },
  )
}

const resetRelease = ({ status, releasesUndone }: Payout) => ({
  releasedBy: null,
  releasedAt: null,
  releasesUndone: status === "processing" ? releasesUndone + 1 : releasesUndone,
})

/** Records that a completed payment was returned, on a day from its completion to today; INVALID otherwise. */
export function returnPayout(
  payout: Payout,
  days: { returnedOn: Day; today: Day },
  reason: string,
): Decision<PayoutChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(payoutLifecycle, payout, "return")
  if (isRefusal(status)) return status
  const { returnedOn, today } = days
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "returnedOn", message }] })
  if (returnedOn > today) return wrong("The day is in the future")
  if (returnedOn < payout.completedOn!) return wrong("The return date is before the payment date")
  return applyPayoutChange(
    payout,
    { status, returnedOn, statusReason: reason },
    { ...payoutFactHead(payout), type: "PayoutReturned", amountCents: payout.amountCents, returnedOn, reason },
  )
}

/** Undoes a completion or return that was based on a bank line. */
export function takeBack(payout: Payout, reason: string): PayoutDecision {
  const status = applyTransition(payoutLifecycle, payout, "takeBack")
  if (isRefusal(status)) return status
  const { amountCents, completionsUndone, returnsUndone } = payout
  if (status === "processing") {
    return applyPayoutChange(
      payout,
      { status, completedOn: null, completedAt: null, completionsUndone: completionsUndone + 1 },
      { ...payoutFactHead(payout), type: "PayoutCompletionTakenBack", amountCents, reason },
    )
  }
  return applyPayoutChange(
    payout,
    { status, returnedOn: null, statusReason: null, returnsUndone: returnsUndone + 1 },
    {
      ...payoutFactHead(payout),
      type: "PayoutReturnTakenBack",
      amountCents,
      completedOn: payout.completedOn!,
      reason,
    },
  )
}

/**
 * Changes payee or method. The actor becomes a preparer, and may not release the payment. A payee different from an
 * `earlier` one holds the payment.
 */
export function changePayee(
  payout: Payout,
  payee: Payee,
  actor: RuleActor,
  { earlier, now }: { earlier: EarlierPayees; now: Temporal.Instant },
): PayoutDecision {
  const status = applyTransition(payoutLifecycle, payout, "changePayee")
  if (isRefusal(status)) return status
  const preparedBy = [...new Set([...payout.preparedBy, ...preparerIds(actor)])]
  return applyPayoutChange(
    payout,
    {
      ...payeeFields(payee),
      status,
      preparedBy,
      payeeChangedBy: actor.userId,
      payeeChangedAt: now.toString(),
      formerPayee: findEarlierPayee(payee, earlier),
      payeeConfirmedBy: null,
    },
    {
      ...payoutFactHead(payout),
      type: "PayoutPayeeChanged",
      before: { ...payeeFields(payout) },
      after: { ...payeeFields(payee) },
    },
  )
}
