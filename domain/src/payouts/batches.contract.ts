import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { batchActions, batchStatuses, paymentFileFormats, withdrawals } from "./batch.ts"
import { batchesList } from "./batches.list.ts"
import { payoutStatuses } from "./payout.ts"

const tags = ["Payouts"]

export const batchRow = z.object({
  id: z.uuid(),
  number: z.string(),
  bankAccountId: z.uuid(),
  accountName: z.string(),
  executionOn: day,
  format: z.enum(paymentFileFormats),
  status: z.enum(batchStatuses),
  paymentCount: z.int(),
  amountCents: cents,
  createdAt: instant,
  version: z.int(),
})
export type BatchRow = z.infer<typeof batchRow>

export const batchPayment = z.object({
  payoutId: z.uuid(),
  number: z.string(),
  subjectLabel: z.string(),
  payeeName: z.string(),
  payeeBank: z.string(),
  payeeAccountNumber: z.string(),
  amountCents: cents,
  status: z.enum(payoutStatuses),
  statusReason: z.string().nullable(),
  endToEndId: z.string().nullable(),
  hasLeft: z.boolean(),
  /** The reader made the payment or changed its payee, so may not release the batch. */
  isOwn: z.boolean(),
  /** The payee changed and is unconfirmed or still in its waiting period. */
  payeeWaits: z.boolean(),
})
export type BatchPaymentRow = z.infer<typeof batchPayment>

export const paymentFile = z.object({
  id: z.uuid(),
  messageId: z.string(),
  format: z.enum(paymentFileFormats),
  sha256: z.string(),
  paymentCount: z.int(),
  controlSumCents: cents,
  executionOn: day,
  madeAt: instant,
  exportedByName: z.string().nullable(),
  exportedAt: instant.nullable(),
  withdrawn: z.enum(withdrawals).nullable(),
  withdrawnReason: z.string().nullable(),
})
export type PaymentFileRow = z.infer<typeof paymentFile>

export const batchDetail = batchRow.extend({
  bank: z.string(),
  accountNumber: z.string(),
  createdByName: z.string().nullable(),
  releasedByName: z.string().nullable(),
  releasedAt: instant.nullable(),
  statusReason: z.string().nullable(),
  underway: z.int(),
  completed: z.int(),
  returned: z.int(),
  failed: z.int(),
  /** Newest first. */
  files: z.array(paymentFile),
  /** The running job: making the file or reading the bank's answer. */
  jobId: z.uuid().nullable(),
  allowedActions: z.array(z.enum(batchActions)),
  timeline: timelinePage,
})
export type BatchDetail = z.infer<typeof batchDetail>

const wrongStatus = { WRONG_STATUS: { status: 409, message: "The batch's status no longer allows this." } } as const
const batchId = z.uuid()
const step = z.object({ batchId, idempotencyKey: z.uuid(), version: z.int() })
const reason = text(500).min(1, "Enter a reason")
const payoutIds = z.array(z.uuid()).min(1, "Choose at least one payment").max(1_000, "Choose at most 1 000 payments")
const alreadyPaid = {
  bankAccountId: z.uuid("Choose the account"),
  executionOn: day,
  format: z.enum(paymentFileFormats),
}
const notBatchable = {
  NOT_FOR_BATCH: { status: 409, message: "One of these payments cannot be added to a batch." },
} as const

/** Payment batches are prepared, released by another user, and exported as one file (docs/payouts.md). */
export const batchesContract = {
  /** Newest first, with totals of all matches. Amounts in cents. */
  list: readProcedure("payouts.read")
    .route({ method: "GET", path: "/payment-batches", summary: "List payment batches", tags })
    .input(listInput(batchesList))
    .output(listOutput(batchesList, batchRow, {})),

  /** NOT_FOUND if there is none. */
  detail: readProcedure("payouts.read", { shows: "payout_batch" })
    .route({ method: "GET", path: "/payment-batches/{batchId}", summary: "Read a payment batch", tags })
    .input(z.object({ batchId }))
    .output(batchDetail),

  /** A page of the audit trail, newest first. NOT_FOUND as for the batch. */
  activity: readProcedure("payouts.read")
    .route({
      method: "GET",
      path: "/payment-batches/{batchId}/activity",
      summary: "Read the audit trail of a batch",
      tags,
    })
    .input(z.object({ batchId, ...timelineBefore }))
    .output(timelinePage),

  /** A page of payments; failed ones and those that block the release first. */
  payments: readProcedure("payouts.read")
    .route({
      method: "GET",
      path: "/payment-batches/{batchId}/payments",
      summary: "List the payments of a batch",
      tags,
    })
    .input(z.object({ batchId, page: z.int().min(1).max(1_000).default(1) }))
    .output(z.object({ rows: z.array(batchPayment), total: z.int(), pageSize: z.int() })),

  choices: readProcedure("payouts.write")
    .route({ method: "GET", path: "/payment-batches/choices", summary: "Read the options for a new batch", tags })
    .output(
      z.object({
        accounts: z.array(z.object({ id: z.uuid(), name: z.string(), bank: z.string(), isMain: z.boolean() })),
        firstDay: day,
        waiting: z.object({ count: z.int(), cents }),
      }),
    ),

  /**
   * Makes a batch from the given bank payments, or from all unbatched ones that await release, oldest first, up to the
   * maximum. INVALID if the bank makes no payments on the day. NOT_FOR_BATCH for payments by hand, in another batch, or
   * released.
   */
  make: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches", summary: "Create a payment batch", tags })
    .input(z.object({ idempotencyKey: z.uuid(), ...alreadyPaid, payoutIds: payoutIds.optional() }))
    .output(batchDetail)
    .errors(notBatchable),

  /** Changes account, day or format of an open batch. INVALID as for `make`. */
  edit: writeProcedure("payouts.write")
    .route({ method: "PUT", path: "/payment-batches/{batchId}", summary: "Edit a payment batch", tags })
    .input(z.object({ batchId, version: z.int(), ...alreadyPaid }))
    .output(batchDetail)
    .errors(wrongStatus),

  /** Adds payments to an open batch. NOT_FOR_BATCH as for `make`, and above the maximum. */
  add: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/payments", summary: "Add payments to a batch", tags })
    .input(step.extend({ payoutIds: payoutIds.optional() }))
    .output(batchDetail)
    .errors({ ...wrongStatus, ...notBatchable }),

  /** Removes payments from an open batch; they await release again. */
  takeOut: writeProcedure("payouts.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/payment-batches/{batchId}/removals",
      summary: "Remove payments from a batch",
      tags,
    })
    .input(step.extend({ payoutIds }))
    .output(batchDetail)
    .errors(wrongStatus),

  /**
   * Releases a batch and starts its file. FOUR_EYES if the actor prepared a payment or changed its payee; LIMIT above
   * the largest batch; PAYEE_WAITS for a changed payee; EMPTY; INVALID for a past execution day.
   */
  release: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/release", summary: "Release a payment batch", tags })
    .input(step)
    .output(batchDetail)
    .errors({
      ...proofRequired,
      ...wrongStatus,
      EMPTY: { status: 409, message: "This batch has no payments." },
      FOUR_EYES: { status: 403, message: "You prepared one of these payments. Someone else must release the batch." },
      LIMIT: { status: 409, message: "The batch is above the limit in Settings." },
      PAYEE_WAITS: {
        status: 409,
        message:
          "A payee in this batch changed, and the change is not confirmed yet or its waiting hours are not over.",
      },
    }),

  /** Cancels an open batch; its payments can join another. */
  cancel: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/cancel", summary: "Cancel a payment batch", tags })
    .input(step.extend({ reason }))
    .output(batchDetail)
    .errors(wrongStatus),

  /**
   * Exports the payment file once. Returns its hash and a single-use address. ALREADY_EXPORTED afterwards, with user
   * and time; NO_FILE while it is being made or after withdrawal.
   */
  export: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/file", summary: "Export a payment file", tags })
    .input(z.object({ batchId, idempotencyKey: z.uuid() }))
    .output(z.object({ address: z.string(), sha256: z.string(), batch: batchDetail }))
    .errors({
      ...wrongStatus,
      NO_FILE: { status: 409, message: "This batch has no payment file to export." },
      ALREADY_EXPORTED: { status: 409, message: "The payment file was already exported." },
    }),

  /** Marks the file as not sent or rejected, which allows a replacement. NO_FILE if there is no current file. */
  withdraw: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/withdrawal", summary: "Withdraw a payment file", tags })
    .input(step.extend({ why: z.enum(withdrawals), reason: text(500).default("") }))
    .output(batchDetail)
    .errors({ ...wrongStatus, NO_FILE: { status: 409, message: "This batch has no valid payment file." } }),

  /**
   * Makes a new file of the payments still in process, for a new day; both hashes are stored. FILE_COUNTS unless the
   * old file is withdrawn.
   */
  replace: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/replacement", summary: "Replace a payment file", tags })
    .input(step.extend({ executionOn: day }))
    .output(batchDetail)
    .errors({
      ...wrongStatus,
      FILE_COUNTS: { status: 409, message: "Withdraw the old payment file first." },
      EMPTY: { status: 409, message: "No payment of this batch is still processing." },
    }),
}
