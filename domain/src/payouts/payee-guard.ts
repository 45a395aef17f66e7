import { type Refusal, refuse } from "../kernel/refusal.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { Payee } from "./payout-shape.ts"

/**
 * A payee that is another than at the last payment: of the same member, or where it is about none of the same policy. It
 * needs a second person, and waits.
 */
export interface PayeeChange {
  /** Whom the last payment went to; null while this one goes to the same, or is the first. */
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

/** Whom the last payment went to, where that was somebody else; null otherwise. */
export const changedPayee = (payee: Payee, last: Payee | null): Payee | null =>
  last !== null && !isSamePayee(payee, last) ? last : null

/** Whether two payees are one: the same account at a bank, or by hand the same name. */
export function isSamePayee(one: Payee, other: Payee): boolean {
  const byBank = ({ payeeAccountNumber }: Payee) => payeeAccountNumber !== ""
  if (byBank(one) !== byBank(other)) return false
  if (!byBank(one)) return plain(one.payeeName) === plain(other.payeeName)
  return one.payeeAccountNumber === other.payeeAccountNumber && one.payeeBranchCode === other.payeeBranchCode
}

/** From when on a payment to a changed payee may be released; null where the payee did not change. */
export function payeeWaitsUntil(payout: PayeeChange, waitHours: number): Temporal.Instant | null {
  if (payout.payeeWas === null) return null
  return Temporal.Instant.from(payout.payeeChangedAt ?? payout.createdAt).add({ hours: waitHours })
}

/** Whether somebody may confirm that the changed payee is right: anybody but who gave it. */
export const mayConfirmPayee = (payout: PayeeChange, { userId }: RuleActor): boolean =>
  payout.payeeWas !== null && payout.payeeConfirmedBy === null && (payout.payeeChangedBy ?? payout.createdBy) !== userId

/** Refuses PAYEE_WAITS while a changed payee is not confirmed, or its time is not over. */
export function refuseChangedPayee(
  payout: PayeeChange,
  waitHours: number,
  now: Temporal.Instant,
): Refusal<"PAYEE_WAITS"> | null {
  const until = payeeWaitsUntil(payout, waitHours)
  if (until === null) return null
  if (payout.payeeConfirmedBy === null) {
    return refuse("PAYEE_WAITS", "The payee has changed since the last payment: a second person must confirm it first.")
  }
  if (Temporal.Instant.compare(now, until) >= 0) return null
  return refuse(
    "PAYEE_WAITS",
    `The payee has changed since the last payment: it waits for ${waitHours} hours after it was given.`,
  )
}
