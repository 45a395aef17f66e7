import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { batchStatuses } from "./batch.ts"
import { batchesContract } from "./batches.contract.ts"
import { paymentRowStatuses, payoutActions, payoutMethods, payoutStatuses, subjectKinds } from "./payout.ts"
import { payee } from "./payout-shape.ts"
import { paidFor, payoutsList } from "./payouts.list.ts"

const tags = ["Payouts"]

export const payoutRow = z.object({
  id: z.uuid(),
  number: z.string(),
  /** What is paid for. */
  subject: z.object({ kind: z.enum(subjectKinds), id: z.uuid(), label: z.string() }),
  memberId: z.uuid().nullable(),
  memberName: z.string().nullable(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  amountCents: cents,
  /** Null while nobody has made the payment. */
  method: z.enum(payoutMethods).nullable(),
  reference: z.string(),
  /** "waiting": an approved claim that waits for its payment; its id is the claim's, and there is no number. */
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
  payeeName: z.string(),
  payeeBank: z.string(),
  payeeBranchCode: z.string(),
  payeeAccountNumber: z.string(),
  payeeEmail: z.string(),
  /** The earlier payee that this one differs from; null for a payment that is not held. */
  payeeWas: z
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
  /** The moment from which a held payment may be released; null for a payment that is not held. */
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

const wrongStatus = { WRONG_STATUS: { status: 409, message: "The payment is not in a status for this." } } as const
const fourEyes = {
  FOUR_EYES: { status: 403, message: "You prepared this payment: somebody else must release it." },
} as const
/** A refund takes its credit again, if it still is there. */
export const notEnoughCredit = {
  NOT_ENOUGH_CREDIT: { status: 409, message: "The policy no longer has enough credit for this refund." },
} as const
const payeeWaits = {
  PAYEE_WAITS: {
    status: 409,
    message: "The payee changed since the last payment, and is not confirmed or still waits.",
  },
} as const
const step = z.object({ payoutId: z.uuid(), idempotencyKey: z.uuid(), version: z.int() })
const reason = text(500).min(1, "Give the reason")

export const payoutsContract = {
  batches: batchesContract,

  /**
   * Payments of claims and of refunds, and approved claims that wait for a payment; `paidFor` narrows them to one of the
   * two. Searched by number, claim or refund, member, group or reference; sums and counts are over everything that matches.
   */
  list: read("payouts.read")
    .route({ method: "GET", path: "/payouts", summary: "List payments", tags })
    .input(listInput(payoutsList, { paidFor: z.enum(paidFor).default("all") }))
    .output(
      listOutput(payoutsList, payoutRow, {
        /** The three cards: approved claims without a payment; of what matches, payments on their way and completed. */
        cards: z.object({
          waiting: z.object({ count: z.int(), cents }),
          underway: z.object({ count: z.int(), cents }).nullable(),
          completed: z.object({ count: z.int(), cents }).nullable(),
        }),
      }),
    ),

  /** One payment with its history and what the reader may do. */
  detail: read("payouts.read", { shows: "payout" })
    .route({ method: "GET", path: "/payouts/{payoutId}", summary: "Show a payment", tags })
    .input(z.object({ payoutId: z.uuid() }))
    .output(payoutDetail),

  /** A page of what happened to a payment, newest first. NOT_FOUND as for it. */
  activity: read("payouts.read")
    .route({ method: "GET", path: "/payouts/{payoutId}/activity", summary: "The trail of a payment", tags })
    .input(z.object({ payoutId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** Changes who is paid, before the release. Whoever does may not release it, whatever the limit. */
  changePayee: write("payouts.write")
    .route({ method: "PUT", path: "/payouts/{payoutId}/payee", summary: "Change the payee", tags })
    .input(payee.safeExtend({ payoutId: z.uuid(), version: z.int() }))
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...proofRequired }),

  /** A second person confirms a payee that differs from an earlier payment. FOUR_EYES for the user who entered it. */
  confirmPayee: write("payouts.write")
    .route({ method: "POST", path: "/payouts/{payoutId}/payee/confirmation", summary: "Confirm a changed payee", tags })
    .input(z.object({ payoutId: z.uuid(), version: z.int() }))
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...fourEyes, ...proofRequired }),

  /**
   * The payee to offer for the next payment: of the last released attempt to pay the claim, else of the last payment of
   * the member, or without a member of the policy. Null before the first. `isOfClaim` says that a payment of the claim to
   * any other payee is held.
   */
  lastPayee: read("payouts.write")
    .route({ method: "GET", path: "/payouts/payee", summary: "The payee of the last payment", tags })
    .input(
      z.object({
        policyId: z.uuid(),
        memberId: z.uuid().nullable().default(null),
        claimId: z.uuid().nullable().default(null),
      }),
    )
    .output(payee.safeExtend({ isOfClaim: z.boolean() }).nullable()),

  /** Releases a payment: it is on its way, and payee and amount stand still. Four eyes above the limit of the settings. */
  release: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/release", summary: "Release a payment", tags })
    .input(step)
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...fourEyes, ...payeeWaits, ...proofRequired }),

  /** The money has arrived: posts it, and the claim is paid on that day. */
  complete: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/complete", summary: "Complete a payment", tags })
    .input(step.extend({ completedOn: day }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** The bank sent it back; it can be retried or cancelled. */
  fail: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/fail", summary: "Mark a payment as failed", tags })
    .input(step.extend({ reason }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** Puts a failed payment up for release again. */
  retry: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/retry", summary: "Retry a failed payment", tags })
    .input(step)
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...notEnoughCredit }),

  /** Cancels a payment that is not completed, also one on its way; the claim may then get another. */
  cancel: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/cancel", summary: "Cancel a payment", tags })
    .input(step.extend({ reason }))
    .output(payoutDetail)
    .errors(wrongStatus),

  /** A completed payment came back: posts it, and a claim that it had paid is approved again. INVALID for a wrong day. */
  return: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/return", summary: "Record a returned payment", tags })
    .input(step.extend({ returnedOn: day, reason }))
    .output(payoutDetail)
    .errors(wrongStatus),
}
