import { type Refusal, refuse } from "../kernel/refusal.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { Payee } from "./payout-shape.ts"

/**
 * A payment whose payee differs from an earlier one is held: it needs a second user's confirmation and a waiting
 * period.
 */
export interface PayeeChange {
  /** The earlier payee; null if the payment is not held. */
  formerPayee: Payee | null
  /** Null if the payee is unchanged since creation. ISO text. */
  payeeChangedBy: string | null
  payeeChangedAt: string | null
  createdBy: string
  createdAt: string
  payeeConfirmedBy: string | null
}

const payeeNameKey = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s.,'-]+/g, " ")
    .trim()

export interface EarlierPayees {
  /**
   * All attempts to pay the same claim, or a policy's refunds, newest first. A released attempt has passed the
   * four-eyes check.
   */
  attempts: readonly { payee: Payee; isReleased: boolean }[]
  /** Payee of the last bank payment under the same name for the same employer. */
  known: Payee | null
}

/**
 * The earlier payee because of which a payment is held, or null. Compares name and account with the last released
 * attempt (any attempt if none was released), and the account with a known payee of that name.
 */
export function findEarlierPayee(payee: Payee, { attempts, known }: EarlierPayees): Payee | null {
  const lastReleased = attempts.find(({ isReleased }) => isReleased)
  const compared = lastReleased ? [lastReleased] : attempts
  const other = compared.find((attempt) => !isSamePayee(payee, attempt.payee))
  if (other) return other.payee
  return known !== null && isOtherAccountOf(payee, known) ? known : null
}

const hasSameName = (one: Payee, other: Payee) => payeeNameKey(one.payeeName) === payeeNameKey(other.payeeName)

const hasSameAccount = (one: Payee, other: Payee) =>
  one.payeeAccountNumber === other.payeeAccountNumber && one.payeeBranchCode === other.payeeBranchCode

/** Same name and account; payees paid by hand have no account. */
export const isSamePayee = (one: Payee, other: Payee): boolean => hasSameName(one, other) && hasSameAccount(one, other)

export const isOtherAccountOf = (payee: Payee, known: Payee): boolean =>
  hasSameName(payee, known) &&
  payee.payeeAccountNumber !== "" &&
  known.payeeAccountNumber !== "" &&
  !hasSameAccount(payee, known)

/** Null for a payment that is not held. */
export function payeeWaitUntil(payout: PayeeChange, waitHours: number): Temporal.Instant | null {
  if (payout.formerPayee === null) return null
  return Temporal.Instant.from(payout.payeeChangedAt ?? payout.createdAt).add({ hours: waitHours })
}

/** Any user may confirm except the one who entered the payee. */
export const canConfirmPayee = (payout: PayeeChange, { userId }: RuleActor): boolean =>
  payout.formerPayee !== null &&
  payout.payeeConfirmedBy === null &&
  (payout.payeeChangedBy ?? payout.createdBy) !== userId

/** PAYEE_WAITS until the held payment's payee is confirmed and its waiting period is over. */
export function refuseChangedPayee(
  payout: PayeeChange,
  waitHours: number,
  now: Temporal.Instant,
): Refusal<"PAYEE_WAITS"> | null {
  const until = payeeWaitUntil(payout, waitHours)
  if (until === null) return null
  if (payout.payeeConfirmedBy === null) {
    return refuse("PAYEE_WAITS", "The payee differs from an earlier payment: a second person must confirm it first.")
  }
  if (Temporal.Instant.compare(now, until) >= 0) return null
  return refuse(
    "PAYEE_WAITS",
    `The payee differs from an earlier payment. You can release it ${waitHours} hours after the payee was entered.`,
  )
}
