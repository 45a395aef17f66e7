import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { isHeldAsCredit, type Refund } from "./refund.ts"
import type { RefundFact } from "./refund-facts.ts"

export interface RefundChange {
  value: Refund
  facts: RefundFact[]
}

export const refundFactHead = ({ id, number, groupId }: Pick<Refund, "id" | "number" | "groupId">) => ({
  record: { kind: "refund" as const, id, label: number },
  groupId,
})

/** Refuses with NOT_ENOUGH_CREDIT and both amounts if the refund, in cents, exceeds the credit. */
export function checkWithinCredit(
  amountCents: Cents,
  creditCents: Cents,
  currency: Currency,
): Decision<Cents, "NOT_ENOUGH_CREDIT"> {
  if (amountCents <= creditCents) return amountCents
  const there = creditCents > 0 ? `${formatMoney(creditCents, currency)} of credit` : "no credit"
  return refuse(
    "NOT_ENOUGH_CREDIT",
    `The policy has ${there}; ${formatMoney(amountCents, currency)} cannot be refunded.`,
  )
}

export const refundMadeFact = (refund: Refund): RefundFact => ({
  ...refundFactHead(refund),
  type: "RefundMade",
  policyId: refund.policyId,
  amountCents: refund.amountCents,
  because: refund.reason,
  after: { method: refund.method, reference: refund.reference },
})

export interface RefundPart {
  id: string
  receiptId: string
  amountCents: Cents
}

/** Splits an invoice's open cents over the refund's parts, in order. */
export function splitHeldCredit<P extends RefundPart>(
  outstandingCents: Cents,
  parts: readonly P[],
): { part: P; cents: Cents }[] {
  let left = outstandingCents
  return parts.flatMap((part) => {
    const cents = Math.min(left, part.amountCents)
    if (cents <= 0) return []
    left -= cents
    return [{ part, cents }]
  })
}

/** Completes a refund whose credit is fully allocated. */
export const completeHeldRefund = (refund: Refund, on: Day): Refund => ({
  ...refund,
  status: "completed",
  refundedOn: on,
  version: refund.version + 1,
})

/** Cancels a kept refund and frees its unused credit. WRONG_STATUS for any other refund. */
export function cancelHeldRefund(
  refund: Refund,
  { leftCents, reason }: { leftCents: Cents; reason: string },
): Decision<RefundChange, "WRONG_STATUS"> {
  if (!isHeldAsCredit(refund) || refund.status !== "processing") return refuse("WRONG_STATUS")
  return {
    value: { ...refund, status: "cancelled", statusReason: reason, version: refund.version + 1 },
    facts: [{ ...refundFactHead(refund), type: "RefundCancelled", amountCents: leftCents, reason }],
  }
}
