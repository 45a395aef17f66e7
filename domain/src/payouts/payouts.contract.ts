import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { payoutActions, payoutMethods, payoutStatuses, subjectKinds } from "./payout.ts"
import { payee } from "./payout-shape.ts"
import { payoutsList } from "./payouts.list.ts"

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
  method: z.enum(payoutMethods),
  reference: z.string(),
  status: z.enum(payoutStatuses),
  completedOn: day.nullable(),
  returnedOn: day.nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(payoutActions)),
})
export type PayoutRow = z.infer<typeof payoutRow>

export const payoutDetail = payoutRow.extend({
  notes: z.string(),
  payeeName: z.string(),
  payeeBank: z.string(),
  payeeBranchCode: z.string(),
  payeeAccountNumber: z.string(),
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
  NOT_ENOUGH_CREDIT: { status: 409, message: "The policy has not enough credit for this refund any more." },
} as const
const step = z.object({ payoutId: z.uuid(), idempotencyKey: z.uuid(), version: z.int() })
const reason = text(500).min(1, "Give the reason")

export const payoutsContract = {
  /** Claim payments by number, claim, member, group or reference; sums and counts over everything that matches. */
  list: read("payouts.read")
    .route({ method: "GET", path: "/payouts", summary: "List payments", tags })
    .input(listInput(payoutsList))
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
  detail: read("payouts.read")
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
    .errors(wrongStatus),

  /** Releases a payment: it is on its way, and payee and amount stand still. Four eyes above the limit of the settings. */
  release: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payouts/{payoutId}/release", summary: "Release a payment", tags })
    .input(step)
    .output(payoutDetail)
    .errors({ ...wrongStatus, ...fourEyes }),

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
