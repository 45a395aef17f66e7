import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { PayoutMethod } from "../payouts/payout.ts"

export const refundStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const
export type RefundStatus = (typeof refundStatuses)[number]

export const refundStatusNames: Record<RefundStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
}

/** How credit is returned; `credit_note` holds it for the policy's open and future invoices. */
export const refundMethods = ["bank_transfer", "eft", "cheque", "credit_note"] as const satisfies (
  | PayoutMethod
  | "credit_note"
)[]
export type RefundMethod = (typeof refundMethods)[number]

export const refundMethodNames: Record<RefundMethod, string> = {
  bank_transfer: "Bank Transfer",
  eft: "EFT",
  cheque: "Cheque",
  credit_note: "Credit Note",
}

export const refundReasons = [
  "policy_cancellation",
  "overpayment",
  "pro_rata_refund",
  "duplicate_payment",
  "other",
] as const
export type RefundReason = (typeof refundReasons)[number]

export const refundReasonNames: Record<RefundReason, string> = {
  policy_cancellation: "Policy Cancellation",
  overpayment: "Overpayment",
  pro_rata_refund: "Pro-rata Refund",
  duplicate_payment: "Duplicate Payment",
  other: "Other",
}

/** For these reasons, amounts billed but not owed are credited first, which releases the refunded credit. */
export const isCorrectionReason = (reason: RefundReason): boolean =>
  reason === "policy_cancellation" || reason === "pro_rata_refund"

/** Credit is held for invoices, not paid out. */
export const isHeldAsCredit = ({ method }: { method: RefundMethod }): boolean => method === "credit_note"

/** Instants are ISO text. */
export interface Refund {
  id: string
  number: string
  groupId: string
  policyId: string
  memberId: string | null
  amountCents: Cents
  method: RefundMethod
  reason: RefundReason
  periodFromOn: Day | null
  periodToOn: Day | null
  reference: string
  notes: string
  /** For a paid-out refund, the database copies its payment's status. */
  status: RefundStatus
  refundedOn: Day | null
  statusReason: string | null
  version: number
}

export const refundActions = ["cancel"] as const
export type RefundAction = (typeof refundActions)[number]

/** For kept refunds only; a paid-out refund's actions are those of its payment. */
export const refundActionsFor = (refund: Pick<Refund, "method" | "status">, mayWrite: boolean): RefundAction[] =>
  mayWrite && isHeldAsCredit(refund) && refund.status === "processing" ? ["cancel"] : []
