import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
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
  /** Null when credit is held for invoices. */
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
  /** Correcting credit notes made for the refund; cents with VAT. */
  correctedCents: cents,
  /** Amounts taken from receipts, given back, or allocated to invoices. */
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

/** Preview of a refund of a policy. Amounts in cents. */
export const refundOffer = z.object({
  /** Current credit. */
  creditCents: cents,
  /**
   * Amount that correcting credit notes would credit, with VAT, and a sentence per cause; 0 and empty for other
   * reasons.
   */
  correctionCents: cents,
  correction: z.array(z.string()),
  /** Credit after the corrections; crediting unpaid invoices adds none. */
  creditAfterCents: cents,
  /** Released by the corrections; the default amount of the refund. */
  releasedCents: cents,
  /** Why a required correction cannot be made now. */
  parked: z.string().nullable(),
  /** The account of the last refund, otherwise the employer's name. */
  payee: z.object({
    payeeName: z.string(),
    payeeBank: z.string(),
    payeeBranchCode: z.string(),
    payeeAccountNumber: z.string(),
    isKnown: z.boolean(),
  }),
})
export type RefundOffer = z.infer<typeof refundOffer>

const refundTarget = z.object({ refundId: z.uuid() })

export const refundsContract = {
  /** Searches policy number, member, reference and reason. */
  list: readProcedure("payouts.read")
    .route({ method: "GET", path: "/refunds", summary: "List premium refunds", tags })
    .input(listInput(refundsList))
    .output(
      listOutput(refundsList, refundRow, {
        cards: z.object({
          pending: z.object({ count: z.int(), cents }),
          completed: z.object({ count: z.int(), cents }),
          total: z.int(),
        }),
      }),
    ),

  /** `allowedActions` excludes the actions of the refund's payment. */
  detail: readProcedure("payouts.read", { shows: "refund" })
    .route({ method: "GET", path: "/refunds/{refundId}", summary: "Read a premium refund", tags })
    .input(refundTarget)
    .output(refundDetail),

  /** Newest first. NOT_FOUND as for `detail`. */
  activity: readProcedure("payouts.read")
    .route({ method: "GET", path: "/refunds/{refundId}/activity", summary: "Read the audit trail of a refund", tags })
    .input(refundTarget.extend(timelineBefore))
    .output(timelinePage),

  /** A preview. Changes nothing. */
  offer: readProcedure("payouts.write")
    .route({ method: "GET", path: "/policies/{policyId}/refund-offer", summary: "Read the refundable amount", tags })
    .input(z.object({ policyId: z.uuid(), reason: z.enum(refundReasons) }))
    .output(refundOffer),

  /**
   * Makes a refund that holds the policy's credit. A cancellation or pro rata refund first makes correcting credit
   * notes; CHANGED when their total is no longer `correctionCents`, which the user saw. A paid-out refund awaits
   * release by another user; a kept refund ("credit_note") pays open and future invoices. Amounts in cents.
   */
  process: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/refunds", summary: "Process a premium refund", tags })
    .input(refundForm.safeExtend({ idempotencyKey: z.uuid(), correctionCents: cents.min(0) }))
    .output(refundDetail)
    .errors({
      ...proofRequired,
      NOT_ENOUGH_CREDIT: { status: 409, message: "The policy does not have enough credit." },
      CHANGED: {
        status: 409,
        message: "The overbilled amount has changed. Please check it again.",
      },
      NOT_CORRECTABLE: { status: 409, message: "The invoices cannot be corrected now." },
      PAYMENT_EXISTS: { status: 409, message: "This refund already has a payment." },
    }),

  /** Frees unused credit. A paid-out refund is cancelled by its payment. */
  cancel: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/refunds/{refundId}/cancel", summary: "Cancel a refund kept as credit", tags })
    .input(
      refundTarget.extend({ version: z.int(), idempotencyKey: z.uuid(), reason: text(500).min(1, "Enter a reason") }),
    )
    .output(refundDetail)
    .errors({ WRONG_STATUS: { status: 409, message: "Only a refund with unused credit can be cancelled." } }),
}
