import { type Cents, formatRand } from "../kernel/money.ts"
import { type RefundMethod, type RefundReason, refundReasonNames } from "./refund.ts"

interface RefundNews {
  record: { kind: "refund"; id: string; label: string }
  groupId: string
}

/** What can happen to a refund itself; what becomes of its payment is the payment's news. */
export type RefundFact = RefundNews &
  (
    | {
        type: "RefundMade"
        policyId: string
        amountCents: Cents
        because: RefundReason
        after: { method: RefundMethod; reference: string }
      }
    | { type: "RefundKept"; amountCents: Cents; invoice: string }
    | { type: "RefundGivenBack"; amountCents: Cents; reason: string }
    | { type: "RefundTakenAgain"; amountCents: Cents }
    | { type: "RefundCancelled"; amountCents: Cents; reason: string }
  )

type FactOf<T extends RefundFact["type"]> = Extract<RefundFact, { type: T }>

export const refundSentences: { [T in RefundFact["type"]]: (fact: FactOf<T>) => string } = {
  RefundMade: ({ amountCents, because }) =>
    `prepared the refund of ${formatRand(amountCents)} (${refundReasonNames[because].toLowerCase()})`,
  RefundKept: ({ amountCents, invoice }) => `set ${formatRand(amountCents)} of it against ${invoice}`,
  RefundGivenBack: ({ amountCents }) => `gave ${formatRand(amountCents)} back to the policy's credit`,
  RefundTakenAgain: ({ amountCents }) => `took ${formatRand(amountCents)} of the policy's credit again`,
  RefundCancelled: ({ amountCents }) => `cancelled the refund; ${formatRand(amountCents)} is free credit again`,
}
