import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { batchActions, batchPayments, batchStatuses, paymentFileFormats, withdrawals } from "./batch.ts"
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

/** A payment in a batch, or one that has left it. */
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
  /** Whether the reader made it or changed its payee, and so may not release the batch. */
  isOwn: z.boolean(),
  /** Whether its payee is another than at the last payment, and is not confirmed or still waits. */
  payeeWaits: z.boolean(),
})
export type BatchPaymentRow = z.infer<typeof batchPayment>

/** A file that the bank was to be given. */
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
  /** Of its payments: how many are on their way, have arrived, and did not. */
  underway: z.int(),
  completed: z.int(),
  failed: z.int(),
  /** The newest first. */
  files: z.array(paymentFile),
  /** What is at work on it: its file is being made, or the bank's answer read. */
  jobId: z.uuid().nullable(),
  allowedActions: z.array(z.enum(batchActions)),
  timeline: timelinePage,
})
export type BatchDetail = z.infer<typeof batchDetail>

const wrongStatus = { WRONG_STATUS: { status: 409, message: "The batch is not in a status for this." } } as const
const batchId = z.uuid()
const step = z.object({ batchId, idempotencyKey: z.uuid(), version: z.int() })
const reason = text(500).min(1, "Give the reason")
const payoutIds = z.array(z.uuid()).min(1, "Choose payments").max(1_000, "At most 1 000 at once")
const paid = {
  bankAccountId: z.uuid("Choose the account"),
  executionOn: day,
  format: z.enum(paymentFileFormats),
}
const notForBatch = {
  NOT_FOR_BATCH: { status: 409, message: "One of these payments cannot be put into a batch." },
} as const

/** Payments in batches: made, released by another, and given to the bank as one file (design: money, "Payouts"). */
export const batchesContract = {
  /** Batches by number or account, the newest first; sums over everything that matches. Amounts are cents. */
  list: read("payouts.read")
    .route({ method: "GET", path: "/payment-batches", summary: "List payment batches", tags })
    .input(listInput(batchesList))
    .output(listOutput(batchesList, batchRow, {})),

  /** One batch with its files, its history and what the reader may do. NOT_FOUND where there is none. */
  detail: read("payouts.read", { shows: "payout_batch" })
    .route({ method: "GET", path: "/payment-batches/{batchId}", summary: "Show a payment batch", tags })
    .input(z.object({ batchId }))
    .output(batchDetail),

  /** A page of what happened to a batch, newest first. NOT_FOUND as for it. */
  activity: read("payouts.read")
    .route({ method: "GET", path: "/payment-batches/{batchId}/activity", summary: "The trail of a batch", tags })
    .input(z.object({ batchId, ...timelineBefore }))
    .output(timelinePage),

  /** The payments of a batch, a page at a time; those that need a look (failed, or in the way of the release) first. */
  payments: read("payouts.read")
    .route({ method: "GET", path: "/payment-batches/{batchId}/payments", summary: "The payments of a batch", tags })
    .input(z.object({ batchId, page: z.int().min(1).max(1_000).default(1) }))
    .output(z.object({ rows: z.array(batchPayment), total: z.int(), pageSize: z.int() })),

  /** From which accounts, and from which day on, a batch can be paid; and how many payments wait for one. */
  choices: read("payouts.write")
    .route({ method: "GET", path: "/payment-batches/choices", summary: "What a batch can be made with", tags })
    .output(
      z.object({
        accounts: z.array(z.object({ id: z.uuid(), name: z.string(), bank: z.string(), isMain: z.boolean() })),
        firstDay: day,
        waiting: z.object({ count: z.int(), cents }),
      }),
    ),

  /**
   * Makes a batch of payments that wait for their release and go through a bank: those given, or without any all of them
   * that are in no batch, the oldest first, up to what a batch holds. INVALID for a day on which the bank does not pay,
   * NOT_FOR_BATCH for a payment by hand, in another batch, or past its release.
   */
  make: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches", summary: "Make a payment batch", tags })
    .input(z.object({ idempotencyKey: z.uuid(), ...paid, payoutIds: payoutIds.optional() }))
    .output(batchDetail)
    .errors(notForBatch),

  /** Changes account, day or format of an open batch. INVALID as when it is made. */
  edit: write("payouts.write")
    .route({ method: "PUT", path: "/payment-batches/{batchId}", summary: "Change a payment batch", tags })
    .input(z.object({ batchId, version: z.int(), ...paid }))
    .output(batchDetail)
    .errors(wrongStatus),

  /** Puts more payments into an open batch; NOT_FOR_BATCH as when it is made, and beyond what a batch holds. */
  add: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/payments", summary: "Add payments to a batch", tags })
    .input(step.extend({ payoutIds: payoutIds.optional() }))
    .output(batchDetail)
    .errors({ ...wrongStatus, ...notForBatch }),

  /** Takes payments out of an open batch: they wait for their release alone, or for another batch. */
  takeOut: write("payouts.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/payment-batches/{batchId}/removals",
      summary: "Take payments out of a batch",
      tags,
    })
    .input(step.extend({ payoutIds }))
    .output(batchDetail)
    .errors(wrongStatus),

  /**
   * Releases a batch and has its file made, once: its payments are on their way, and stand still. FOUR_EYES for whoever
   * made one of them or changed its payee, LIMIT above the largest batch of the settings, PAYEE_WAITS for a payee that
   * changed, EMPTY, and INVALID where the day of execution has passed.
   */
  release: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/release", summary: "Release a payment batch", tags })
    .input(step)
    .output(batchDetail)
    .errors({
      ...proofRequired,
      ...wrongStatus,
      EMPTY: { status: 409, message: "There is no payment in this batch." },
      FOUR_EYES: { status: 403, message: "You made one of these payments: somebody else must release the batch." },
      LIMIT: { status: 409, message: "The batch is larger than the settings allow." },
      PAYEE_WAITS: { status: 409, message: "The payee of a payment changed, and is not confirmed or still waits." },
    }),

  /** Calls an open batch off; its payments wait for another. */
  cancel: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/cancel", summary: "Cancel a payment batch", tags })
    .input(step.extend({ reason }))
    .output(batchDetail)
    .errors(wrongStatus),

  /**
   * Hands the payment file out, once and never again. Answers the address that gives it to whoever asks first, and its
   * hash. ALREADY_EXPORTED afterwards, with who did and when; NO_FILE while it is being made or was withdrawn.
   */
  export: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/file", summary: "Export a payment file", tags })
    .input(z.object({ batchId, idempotencyKey: z.uuid() }))
    .output(z.object({ address: z.string(), sha256: z.string(), batch: batchDetail }))
    .errors({
      ...wrongStatus,
      NO_FILE: { status: 409, message: "There is no file of this batch to export." },
      ALREADY_EXPORTED: { status: 409, message: "The payment file was exported already." },
    }),

  /** Marks the file of a batch as not sent or rejected: only then another may be made. NO_FILE where none counts. */
  withdraw: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/withdrawal", summary: "Withdraw a payment file", tags })
    .input(step.extend({ why: z.enum(withdrawals), reason: text(500).default("") }))
    .output(batchDetail)
    .errors({ ...wrongStatus, NO_FILE: { status: 409, message: "There is no file of this batch that counts." } }),

  /**
   * Has another file made, of the payments that are still on their way, for a new day; both hashes stay on record.
   * FILE_COUNTS while the old one was neither marked as not sent nor rejected.
   */
  replace: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/payment-batches/{batchId}/replacement", summary: "Replace a payment file", tags })
    .input(step.extend({ executionOn: day }))
    .output(batchDetail)
    .errors({
      ...wrongStatus,
      FILE_COUNTS: { status: 409, message: "Mark the old file as not sent or rejected first." },
      EMPTY: { status: 409, message: "No payment of this batch is on its way any more." },
    }),
}

/** What the contract's numbers say to screens without it. */
export const largestBatch = batchPayments
