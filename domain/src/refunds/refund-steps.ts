import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { isKept, type Refund } from "./refund.ts"
import type { RefundFact } from "./refund-facts.ts"

/** A refund after a rule, and the news about it. */
export interface RefundChange {
  value: Refund
  facts: RefundFact[]
}

export const newsOf = ({ id, number, groupId }: Pick<Refund, "id" | "number" | "groupId">) => ({
  record: { kind: "refund" as const, id, label: number },
  groupId,
})

/** Whether a policy has the credit that a refund takes; NOT_ENOUGH_CREDIT with both figures. Units: cents. */
export function withinCredit(
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

/** The news of a refund that was made. */
export const made = (refund: Refund): RefundFact => ({
  ...newsOf(refund),
  type: "RefundMade",
  policyId: refund.policyId,
  amountCents: refund.amountCents,
  because: refund.reason,
  after: { method: refund.method, reference: refund.reference },
})

/** A part of a live refund: what it holds of a receipt. */
export interface RefundPart {
  id: string
  receiptId: string
  amountCents: Cents
}

/**
 * What kept credit pays of an invoice, as far as it goes, in the order of its parts. Units: cents.
 */
export function keptFor<P extends RefundPart>(
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

/** All of what was kept is set against invoices. */
export const keptWhole = (refund: Refund, on: Day): Refund => ({
  ...refund,
  status: "completed",
  refundedOn: on,
  version: refund.version + 1,
})

/** Calls off what is kept and not used yet: it is free credit again. WRONG_STATUS for any other refund. */
export function cancelKept(
  refund: Refund,
  { leftCents, reason }: { leftCents: Cents; reason: string },
): Decision<RefundChange, "WRONG_STATUS"> {
  if (!isKept(refund) || refund.status !== "processing") return refuse("WRONG_STATUS")
  return {
    value: { ...refund, status: "cancelled", statusReason: reason, version: refund.version + 1 },
    facts: [{ ...newsOf(refund), type: "RefundCancelled", amountCents: leftCents, reason }],
  }
}
