import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { batchStatuses } from "./batch.ts"
import { batchesContract } from "./batches.contract.ts"
import { paymentRowStatuses, payoutActions, payoutMethods, payoutStatuses, subjectKinds } from "./payout.ts"
import { payee } from "./payout-shape.ts"
import { payoutSubjectFilters, payoutsList } from "./payouts.list.ts"

const tags = ["Payouts"]

export const payoutRow = z.object({
  id: z.uuid(),
  number: z.string(),
  subject: z.object({ kind: z.enum(subjectKinds), id: z.uuid(), label: z.string() }),
  memberId: z.uuid().nullable(),
  memberName: z.string().nullable(),
  /** Empty for a claim that awaits payment. */
  payeeName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  amountCents: cents,
  /** Null until the payment is made. */
  method: z.enum(payoutMethods).nullable(),
  reference: z.string(),
  /** "waiting": an approved claim without a payment; `id` is the claim's and there is no number. */
  status: z.enum(paymentRowStatuses),
  completedOn: day.nullable(),
  returnedOn: day.nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum([...payoutActions, "process"])),
})
export type PayoutRow = z.infer<typeof payoutRow>

export const payoutDetail = payoutRow.extend({
  method: z.enum(payoutMethods),
  status: z.enum(payoutStatuses),
  allowedActions: z.array(z.enum(payoutActions)),
  notes: z.string(),
  payeeBank: z.string(),
  payeeBranchCode: z.string(),
  payeeAccountNumber: z.string(),
  payeeEmail: z.string(),
  /** The earlier payee; null if the payment is not held. */
  formerPayee: z
    .object({
      method: z.enum(payoutMethods),
      payeeName: z.string(),
      payeeBank: z.string(),
      payeeBranchCode: z.string(),
      payeeAccountNumber: z.string(),
      payeeEmail: z.string().default(""),
    })
    .nullable(),
  payeeConfirmedByName: z.string().nullable(),
  /** Null for a payment that is not held. */
  payeeWaitsUntil: instant.nullable(),
  batch: z
    .object({ id: z.uuid(), number: z.string(), status: z.enum(batchStatuses), endToEndId: z.string().nullable() })
    .nullable(),
  createdByName: z.string().nullable(),
  releasedByName: z.string().nullable(),
  releasedAt: instant.nullable(),
  statusReason: z.string().nullable(),
  timeline: timelinePage,
})
export type PayoutDetail = z.infer<typeof payoutDetail>

const wrongStatus = { WRONG_STATUS: { status: 409, message: "The payment's status no longer allows this." } } as const
const fourEyes = {
  FOUR_EYES: { status: 403, message: "You prepared this payment. Someone else must release it." },
} as const
/** A retried refund reserves its credit again. */
export const notEnoughCredit = {
  NOT_ENOUGH_CREDIT: { status: 409, message: "The policy no longer has enough credit for this refund." },
} as const
const payeeWaiting = {
  PAYEE_WAITS: {
    status: 409,
    message: "The payee changed, and the change is not confirmed yet or its waiting hours are not over.",
  },
} as const
const step = z.object({ payoutId: z.uuid(), idempotencyKey: z.uuid(), version: z.int() })
const reason = text(500).min(1, "Enter a reason")

export const payoutsContract = {
  batches: batchesContract,

  /**
   * Payments of claims and refunds (`paidFor` narrows), and approved claims that await payment. Searches number,
   * subject, member, group and reference; totals cover all matches.
   */
  list: readProcedure("payouts.read")
    .route({ method: "GET", path: "/payouts", summary: "List payments", tags })
    .input(listInput(payoutsList, { paidFor: z.enum(payoutSubjectFilters).default("all") }))
    .output(
      listOutput(payoutsList, payoutRow, {
        /**
         * Counts and amounts: approved claims without a payment; and, among matches, payments in process and completed.
         */
        cards: z.object({
          waiting: z.object({ count: z.int(), cents }),
          underway: z.object({ count: z.int(), cents }).nullable(),
          completed: z.object({ count: z.int(), cents }).nullable(),
        }),
      }),
    ),

  /** One payment with its history and allowed actions. */
  detail: readProcedure("payouts.read", { shows: "payout" })
    .route({ method: "GET", path: "/payouts/{payoutId}", summary: "Read a payment", tags })
    .input(z.object({ payoutId: z.uuid() }))
    .output(payoutDetail),

  /** A page of the audit trail, newest first. NOT_FOUND as for the payment. */
  activity: readProcedure("payouts.read")
    .route({ method: "GET", path: "/payouts/{payoutId}/activity", summary: "Read the audit trail of a payment", tags })
    .input(z.object({ payoutId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** Changes the payee before release. The actor may then not release the payment, even below the limit. */
  changePayee: writeProcedure("payouts.write")
    .route({ method: "PUT", path: "/payouts/{payoutId}/payee", summary: "Change the payee", tags })
    .input(payee.safeExtend({ payoutId: z.uuid(), version: z.int() }))
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...proofRequired }),

  /** A second user confirms a changed payee. FOUR_EYES for the user who entered it. */
  confirmPayee: writeProcedure("payouts.write")
    .route({ method: "POST", path: "/payouts/{payoutId}/payee/confirmation", summary: "Confirm a changed payee", tags })
    .input(z.object({ payoutId: z.uuid(), version: z.int() }))
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...fourEyes, ...proofRequired }),

  /**
   * Suggested payee: from the claim's last released payment, else the member's last payment, else the policy's. Null
   * before the first. `isOfClaim`: any other payee would hold the payment.
   */
  lastPayee: readProcedure("payouts.write")
    .route({ method: "GET", path: "/payouts/payee", summary: "Read the payee of the last payment", tags })
    .input(
      z.object({
        policyId: z.uuid(),
        memberId: z.uuid().nullable().default(null),
        claimId: z.uuid().nullable().default(null),
      }),
    )
    .output(payee.safeExtend({ isOfClaim: z.boolean() }).nullable()),

  /** Releases a payment and freezes payee and amount. A preparer may release only up to the release limit. */
  release: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/release", summary: "Release a payment", tags })
    .input(step)
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...fourEyes, ...payeeWaiting, ...proofRequired }),

  /** Completes and posts a payment; its claim is paid on that day. */
  complete: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/complete", summary: "Complete a payment", tags })
    .input(step.extend({ completedOn: day }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** Marks a payment that the bank returned as failed; it can be retried or cancelled. */
  fail: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/fail", summary: "Mark a payment as failed", tags })
    .input(step.extend({ reason }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** Makes a failed payment await release again. */
  retry: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/retry", summary: "Retry a failed payment", tags })
    .input(step)
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...notEnoughCredit }),

  /** Cancels a payment that is not completed, even in process; the claim may get another. */
  cancel: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/cancel", summary: "Cancel a payment", tags })
    .input(step.extend({ reason }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** Posts the return of a completed payment; its paid claim is approved again. INVALID for a wrong day. */
  return: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/return", summary: "Record a returned payment", tags })
    .input(step.extend({ returnedOn: day, reason }))
    .output(payoutDetail)
    .errors(wrongStatus),
}
