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

/** How credit goes back: paid out, or kept for the policy's open and coming invoices. */
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

/** For these, what was billed and is not owed is first taken back by a correcting credit note, which releases the credit. */
export const isCorrected = (reason: RefundReason): boolean =>
  reason === "policy_cancellation" || reason === "pro_rata_refund"

/** Credit that is kept and not paid out. */
export const isKept = ({ method }: { method: RefundMethod }): boolean => method === "credit_note"

/** A refund as it is stored. Instants are ISO text. */
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
  /** Of a refund that is paid out that of its payment, kept by the database. */
  status: RefundStatus
  /** When it was completed: the money has left, or all of it is set against invoices. */
  refundedOn: Day | null
  statusReason: string | null
  version: number
}

export const refundActions = ["cancel"] as const
export type RefundAction = (typeof refundActions)[number]

/** What may be done with the refund itself; of one that is paid out everything is done with its payment. */
export const refundActionsFor = (refund: Pick<Refund, "method" | "status">, mayWrite: boolean): RefundAction[] =>
  mayWrite && isKept(refund) && refund.status === "processing" ? ["cancel"] : []
