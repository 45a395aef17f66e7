import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { refundActions, refundMethods, refundReasons, refundStatuses } from "./refund.ts"
import { refundForm } from "./refund-shape.ts"
import { refundsList } from "./refunds.list.ts"

const tags = ["Refunds"]

export const refundRow = z.object({
  id: z.uuid(),
  number: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  memberId: z.uuid().nullable(),
  memberName: z.string().nullable(),
  amountCents: cents,
  method: z.enum(refundMethods),
  reason: z.enum(refundReasons),
  periodFromOn: day.nullable(),
  periodToOn: day.nullable(),
  reference: z.string(),
  status: z.enum(refundStatuses),
  refundedOn: day.nullable(),
  /** Its payment, by which it is released and completed; null where credit is kept. */
  payoutId: z.uuid().nullable(),
  version: z.int(),
  allowedActions: z.array(z.enum(refundActions)),
})
export type RefundRow = z.infer<typeof refundRow>

export const refundDetail = refundRow.extend({
  notes: z.string(),
  statusReason: z.string().nullable(),
  createdAt: instant,
  createdByName: z.string().nullable(),
  payoutNumber: z.string().nullable(),
  /** What was released by correcting credit notes that were made for it, in cents with VAT. */
  correctedCents: cents,
  /** What it took of which receipt, and what it gave back; of kept credit the invoice that it paid. */
  parts: z.array(
    z.object({
      id: z.uuid(),
      receiptId: z.uuid(),
      receiptNumber: z.string(),
      amountCents: cents,
      invoiceId: z.uuid().nullable(),
      invoiceNumber: z.string().nullable(),
      isGivenBack: z.boolean(),
    }),
  ),
  timeline: timelinePage,
})
export type RefundDetail = z.infer<typeof refundDetail>

/** What a refund of a policy would have to do with. Amounts in cents. */
export const refundOffer = z.object({
  /** The policy's credit as it stands. */
  creditCents: cents,
  /** What correcting credit notes would take back, with VAT, and why, a sentence for each cause; nothing for other reasons. */
  correctionCents: cents,
  correction: z.array(z.string()),
  /** The credit once they are made: that of invoices which were not paid yet is none. */
  creditAfterCents: cents,
  /** What the corrections have released: what such a refund starts with. */
  releasedCents: cents,
  /** Why no correction can be made now, where there is one to make. */
  parked: z.string().nullable(),
  /** Who paid the premium: the account of the last refund, else the employer by name. */
  payee: z.object({
    payeeName: z.string(),
    payeeBank: z.string(),
    payeeBranchCode: z.string(),
    payeeAccountNumber: z.string(),
    isKnown: z.boolean(),
  }),
})
export type RefundOffer = z.infer<typeof refundOffer>

const one = z.object({ refundId: z.uuid() })

export const refundsContract = {
  /** Premium refunds by policy number, member, reference or reason; sums and counts over everything that matches. */
  list: read("payouts.read")
    .route({ method: "GET", path: "/refunds", summary: "List premium refunds", tags })
    .input(listInput(refundsList))
    .output(
      listOutput(refundsList, refundRow, {
        /** The three cards, over all refunds: pending and processing, completed, and how many there ever were. */
        cards: z.object({
          pending: z.object({ count: z.int(), cents }),
          completed: z.object({ count: z.int(), cents }),
          total: z.int(),
        }),
      }),
    ),

  /** One refund with what it holds, its history, and what the reader may do with it beside its payment. */
  detail: read("payouts.read", { shows: "refund" })
    .route({ method: "GET", path: "/refunds/{refundId}", summary: "Show a premium refund", tags })
    .input(one)
    .output(refundDetail),

  /** A page of what happened to a refund, newest first. NOT_FOUND as for it. */
  activity: read("payouts.read")
    .route({ method: "GET", path: "/refunds/{refundId}/activity", summary: "The trail of a refund", tags })
    .input(one.extend(timelineBefore))
    .output(timelinePage),

  /** What a refund of a policy would have to do with, and what its corrections would be. Changes nothing. */
  offer: read("payouts.write")
    .route({ method: "GET", path: "/policies/{policyId}/refund-offer", summary: "What can be refunded", tags })
    .input(z.object({ policyId: z.uuid(), reason: z.enum(refundReasons) }))
    .output(refundOffer),

  /**
   * Makes a refund of a policy's credit, which it holds from now on. For a cancellation or pro rata, first makes the
   * correcting credit notes of owed against billed, which release the credit; `correctionCents` is what the maker saw of
   * them, and CHANGED says that it is another by now. Paid out, a payment waits for its release by somebody else; kept
   * ("credit_note"), it is set against the open invoices at once and against coming ones when they are sent. Amounts in
   * cents.
   */
  process: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/refunds", summary: "Process a premium refund", tags })
    .input(refundForm.safeExtend({ idempotencyKey: z.uuid(), correctionCents: cents.min(0) }))
    .output(refundDetail)
    .errors({
      ...proofRequired,
      NOT_ENOUGH_CREDIT: { status: 409, message: "The policy does not have enough credit." },
      CHANGED: {
        status: 409,
        message: "What was billed and is not owed has changed meanwhile. Please check it again.",
      },
      NOT_CORRECTABLE: { status: 409, message: "What was billed cannot be corrected now." },
      PAYMENT_EXISTS: { status: 409, message: "This refund has a payment already." },
    }),

  /** Calls off credit that is kept and not used yet: it is free again. A refund that is paid out is cancelled by its payment. */
  cancel: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/refunds/{refundId}/cancel", summary: "Cancel a kept refund", tags })
    .input(one.extend({ version: z.int(), idempotencyKey: z.uuid(), reason: text(500).min(1, "Give the reason") }))
    .output(refundDetail)
    .errors({ WRONG_STATUS: { status: 409, message: "Only credit that is kept and not used yet can be called off." } }),
}
