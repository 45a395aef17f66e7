import { type Refusal, refuse } from "../kernel/refusal.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { Payee } from "./payout-shape.ts"

/** A payment whose payee differs from an earlier one needs the confirmation of a second person, and waits. */
export interface PayeeChange {
  /** The earlier payee that this one differs from; null while it differs from none. */
  payeeWas: Payee | null
  /** Who changed it in this payment, and when; null while it is as it was made. ISO text. */
  payeeChangedBy: string | null
  payeeChangedAt: string | null
  createdBy: string
  createdAt: string
  payeeConfirmedBy: string | null
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s.,'-]+/g, " ")
    .trim()

/** The earlier payments that a payee is compared with. */
export interface EarlierPayees {
  /**
   * Attempts to pay the same obligation (a claim, or a policy's refunds), whatever became of them, newest first. An
   * attempt that was released has passed four eyes.
   */
  attempts: readonly { payee: Payee; isReleased: boolean }[]
  /** The payee of the last payment that went to a bank account under the same name, for the same employer. */
  known: Payee | null
}

/**
 * The earlier payee that holds a payment back, or null. A payment is held when its name or account differs from the last
 * released attempt of its obligation (from any attempt while none was released), or when a known payee has another account.
 */
export function earlierPayee(payee: Payee, { attempts, known }: EarlierPayees): Payee | null {
  const lastReleased = attempts.find(({ isReleased }) => isReleased)
  const compared = lastReleased ? [lastReleased] : attempts
  const other = compared.find((attempt) => !isSamePayee(payee, attempt.payee))
  if (other) return other.payee
  return known !== null && isOtherAccountOf(payee, known) ? known : null
}

const hasSameName = (one: Payee, other: Payee) => plain(one.payeeName) === plain(other.payeeName)

const hasSameAccount = (one: Payee, other: Payee) =>
  one.payeeAccountNumber === other.payeeAccountNumber && one.payeeBranchCode === other.payeeBranchCode

/** Whether two payees have the same name and the same account; payees who are paid by hand have none. */
export const isSamePayee = (one: Payee, other: Payee): boolean => hasSameName(one, other) && hasSameAccount(one, other)

/** Whether a payee has the name of a known one and another bank account. */
export const isOtherAccountOf = (payee: Payee, known: Payee): boolean =>
  hasSameName(payee, known) &&
  payee.payeeAccountNumber !== "" &&
  known.payeeAccountNumber !== "" &&
  !hasSameAccount(payee, known)

/** The moment from which a held payment may be released; null for a payment that is not held. */
export function payeeWaitsUntil(payout: PayeeChange, waitHours: number): Temporal.Instant | null {
  if (payout.payeeWas === null) return null
  return Temporal.Instant.from(payout.payeeChangedAt ?? payout.createdAt).add({ hours: waitHours })
}

/** Whether the actor may confirm the payee of a held payment: everybody but the user who entered it. */
export const mayConfirmPayee = (payout: PayeeChange, { userId }: RuleActor): boolean =>
  payout.payeeWas !== null && payout.payeeConfirmedBy === null && (payout.payeeChangedBy ?? payout.createdBy) !== userId

/** Refuses PAYEE_WAITS until the payee of a held payment is confirmed and its hours are over. */
export function refuseChangedPayee(
  payout: PayeeChange,
  waitHours: number,
  now: Temporal.Instant,
): Refusal<"PAYEE_WAITS"> | null {
  const until = payeeWaitsUntil(payout, waitHours)
  if (until === null) return null
  if (payout.payeeConfirmedBy === null) {
    return refuse("PAYEE_WAITS", "The payee differs from an earlier payment: a second person must confirm it first.")
  }
  if (Temporal.Instant.compare(now, until) >= 0) return null
  return refuse(
    "PAYEE_WAITS",
    `The payee differs from an earlier payment: it waits for ${waitHours} hours after it was entered.`,
  )
}
