import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Withdrawal, withdrawalNames } from "./batch.ts"

interface BatchFactHead {
  record: { kind: "payout_batch"; id: string; label: string }
  groupId: null
}

export type BatchFact = BatchFactHead &
  (
    | { type: "BatchMade"; payments: number; after: { executionOn: Day; format: string } }
    | { type: "BatchEdited"; before: Record<string, unknown>; after: Record<string, unknown> }
    | { type: "BatchPaymentsAdded"; payments: number }
    | { type: "BatchPaymentsTakenOut"; payments: number; labels: string }
    | { type: "BatchReleased"; payments: number; amountCents: Cents }
    | { type: "BatchCancelled"; reason: string }
    | { type: "PaymentFileMade"; messageId: string; sha256: string; payments: number; amountCents: Cents }
    | { type: "PaymentFileExported"; messageId: string; sha256: string }
    | { type: "PaymentFileWithdrawn"; messageId: string; sha256: string; why: Withdrawal; reason?: string }
    | { type: "BatchAnswered"; completed: number; failed: number; left: number }
  )

type FactOf<T extends BatchFact["type"]> = Extract<BatchFact, { type: T }>

const paymentCountText = (count: number) => (count === 1 ? "1 payment" : `${count} payments`)

export const batchSentences: { [T in BatchFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } = {
  BatchMade: (fact) => `created the batch with ${paymentCountText(fact.payments)}`,
  BatchEdited: () => "edited the batch",
  BatchPaymentsAdded: (fact) => `added ${paymentCountText(fact.payments)}`,
  BatchPaymentsTakenOut: (fact) => `removed ${fact.labels}`,
  BatchReleased: (fact, currency) =>
    `released ${paymentCountText(fact.payments)}, ${formatMoney(fact.amountCents, currency)}`,
  BatchCancelled: () => "cancelled the batch",
  PaymentFileMade: (fact, currency) =>
    `created the payment file ${fact.messageId} with ${paymentCountText(fact.payments)}, ${formatMoney(fact.amountCents, currency)}`,
  PaymentFileExported: (fact) => `exported the payment file ${fact.messageId}`,
  PaymentFileWithdrawn: (fact) =>
    `withdrew the payment file ${fact.messageId}: ${withdrawalNames[fact.why].charAt(0).toLowerCase()}${withdrawalNames[fact.why].slice(1)}`,
  BatchAnswered: (fact) =>
    `imported the bank response: ${fact.completed} completed, ${fact.failed} failed, ${fact.left} still processing`,
}

export const batchFactHead = ({ id, number }: { id: string; number: string }): BatchFactHead => ({
  record: { kind: "payout_batch", id, label: number },
  groupId: null,
})
