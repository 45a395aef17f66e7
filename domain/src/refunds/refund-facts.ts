import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type RefundMethod, type RefundReason, refundReasonNames } from "./refund.ts"

interface RefundFactHead {
  record: { kind: "refund"; id: string; label: string }
  groupId: string
}

export type RefundFact = RefundFactHead &
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

export const refundSentences: { [T in RefundFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } = {
  RefundMade: ({ amountCents, because }, currency) =>
    `prepared the refund of ${formatMoney(amountCents, currency)} (${refundReasonNames[because].toLowerCase()})`,
  RefundKept: ({ amountCents, invoice }, currency) =>
    `set ${formatMoney(amountCents, currency)} of it against ${invoice}`,
  RefundGivenBack: ({ amountCents }, currency) =>
    `returned ${formatMoney(amountCents, currency)} to the policy's credit`,
  RefundTakenAgain: ({ amountCents }, currency) =>
    `used ${formatMoney(amountCents, currency)} of the policy's credit again`,
  RefundCancelled: ({ amountCents }, currency) =>
    `cancelled the refund; ${formatMoney(amountCents, currency)} is available as credit again`,
}
