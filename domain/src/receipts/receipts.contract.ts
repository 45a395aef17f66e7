import { z } from "zod"
import { deliveredMails, documentMail } from "../billing/delivery-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { receiptActions, receiptMethods, receiptStatuses } from "./receipt.ts"
import { allocationInput, depositForm, receiptEdit, receiptForm } from "./receipt-shape.ts"
import { receiptsList } from "./receipts.list.ts"
import { writeOffActions, writeOffStates } from "./write-off.ts"

const tags = ["Receipts"]

export const receiptRow = z.object({
  id: z.uuid(),
  number: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  amountCents: cents,
  /** The amount neither allocated nor refunded is the policy's credit. */
  allocatedCents: cents,
  refundedCents: cents,
  method: z.enum(receiptMethods),
  receivedOn: day,
  reference: z.string(),
  status: z.enum(receiptStatuses),
  depositNumber: z.string().nullable(),
  version: z.int(),
  allowedActions: z.array(z.enum(receiptActions)),
})
export type ReceiptRow = z.infer<typeof receiptRow>

export const receiptAllocationRow = z.object({
  id: z.uuid(),
  invoiceId: z.uuid(),
  invoiceNumber: z.string(),
  amountCents: cents,
  allocatedOn: day,
  releasedOn: day.nullable(),
  releaseReason: z.string().nullable(),
})

export const depositDetail = z.object({
  id: z.uuid(),
  number: z.string(),
  amountCents: cents,
  /** Smaller than the deposit's amount after one of its receipts was reversed. */
  receiptedCents: cents,
  method: z.enum(receiptMethods),
  receivedOn: day,
  reference: z.string(),
  receipts: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      policyId: z.uuid(),
      policyNumber: z.string(),
      groupName: z.string(),
      amountCents: cents,
      status: z.enum(receiptStatuses),
    }),
  ),
})
export type DepositDetail = z.infer<typeof depositDetail>

export const receiptDetail = receiptRow.extend({
  notes: z.string(),
  createdAt: instant,
  createdByName: z.string().nullable(),
  reversedOn: day.nullable(),
  reverseReason: z.string().nullable(),
  allocations: z.array(receiptAllocationRow),
  deposit: depositDetail.nullable(),
  refunds: z.array(z.object({ refundId: z.uuid(), refundNumber: z.string(), status: z.string(), amountCents: cents })),
  /** Newest first. */
  mails: deliveredMails,
  timeline: timelinePage,
})
export type ReceiptDetail = z.infer<typeof receiptDetail>

export const openInvoice = z.object({
  id: z.uuid(),
  number: z.string(),
  dueOn: day,
  totalCents: cents,
  outstandingCents: cents,
})

export const writeOffRow = z.object({
  id: z.uuid(),
  invoiceId: z.uuid(),
  invoiceNumber: z.string(),
  groupName: z.string(),
  state: z.enum(writeOffStates),
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  reason: z.string(),
  askedByName: z.string().nullable(),
  /** Effective date; null while the write-off waits for confirmation. */
  writtenOffOn: day.nullable(),
  /** The user who confirmed the write-off, if confirmation was required. */
  confirmedByName: z.string().nullable(),
  reversedOn: day.nullable(),
  reverseReason: z.string().nullable(),
  allowedActions: z.array(z.enum(writeOffActions)),
})
export type WriteOffRow = z.infer<typeof writeOffRow>

const allocationExceedsOpen = {
  NOTHING_OPEN: { status: 409, message: "This invoice has no amount due." },
  MORE_THAN_OPEN: { status: 422, message: "The amount is more than the amount due on the invoice." },
  NOTHING_TO_CREDIT: { status: 409, message: "This invoice has no amount due." },
  CREDIT_TOO_LARGE: { status: 422, message: "The amount is more than the amount due on the invoice." },
} as const
const writeOffNotDecidable = {
  WRITE_OFF_STATE: { status: 409, message: "The write-off's status does not allow this." },
  OWN_WRITE_OFF: {
    status: 403,
    message: "You requested this write-off. Another person must confirm it.",
  },
} as const
const writeOffTarget = z.object({ writeOffId: z.uuid(), idempotencyKey: z.uuid() })

const numberTaken = { NUMBER_TAKEN: { status: 409, message: "Another receipt has this number." } } as const
const allocationErrors = {
  NOT_OPEN: { status: 409, message: "One of the invoices is no longer open for this policy." },
  OVER_ALLOCATED: { status: 422, message: "The allocations exceed the available amount." },
} as const
const receiptReversed = { REVERSED: { status: 409, message: "This receipt was reversed." } } as const
/** A bank return of the receipt must be undone first. */
const receiptReturned = {
  RETURNED: {
    status: 409,
    message: "This receipt was returned on another bank line. Undo the match of that line first. Nothing was changed.",
  },
} as const
export const receiptRefunded = {
  REFUNDED: { status: 409, message: "Part of this receipt is refunded or in an open refund." },
} as const
const receiptTarget = z.object({ receiptId: z.uuid() })

export const receiptsContract = {
  /** Receipts by number, policy, employer or reference; sums and counts cover all matches. */
  list: readProcedure("receipts.read")
    .route({ method: "GET", path: "/receipts", summary: "List receipts", tags })
    .input(listInput(receiptsList))
    .output(
      listOutput(receiptsList, receiptRow, {
        /** Sum of the received and not reversed amounts. */
        totalCents: cents.nullable(),
      }),
    ),

  /** A receipt with its allocations, history and the reader's actions. */
  detail: readProcedure("receipts.read", { shows: "receipt" })
    .route({ method: "GET", path: "/receipts/{receiptId}", summary: "Read a receipt", tags })
    .input(z.object({ receiptId: z.uuid() }))
    .output(receiptDetail),

  /** A page of the receipt's history, newest first. Refuses NOT_FOUND. */
  activity: readProcedure("receipts.read")
    .route({
      method: "GET",
      path: "/receipts/{receiptId}/activity",
      summary: "Read the audit trail of a receipt",
      tags,
    })
    .input(z.object({ receiptId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** The unpaid sent invoices of a policy, oldest due first, and the policy's unallocated credit. */
  openInvoices: readProcedure("receipts.read")
    .route({
      method: "GET",
      path: "/policies/{policyId}/open-invoices",
      summary: "List the unpaid invoices of a policy",
      tags,
    })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ invoices: z.array(openInvoice), creditCents: cents })),

  /**
   * The amount that policy credit would pay if these unsent invoices, or those of a premium run, were sent now. Returns
   * their total and the credit in cents; `isAutomatic` is the default setting. Ignores sent, cancelled and unknown
   * invoices.
   */
  creditOffer: readProcedure("receipts.read")
    .route({
      method: "POST",
      path: "/receipts/credit-offer",
      summary: "Preview the credit that invoices would use",
      tags,
    })
    .input(z.union([z.object({ invoiceIds: z.array(z.uuid()).min(1).max(1_000) }), z.object({ runId: z.uuid() })]))
    .output(z.object({ isAutomatic: z.boolean(), totalCents: cents, usedCents: cents })),

  /** A preview for the form; no number is reserved. */
  nextNumber: readProcedure("receipts.write")
    .route({ method: "GET", path: "/receipts/next-number", summary: "Read the next receipt number", tags })
    .input(z.object({}))
    .output(z.object({ number: z.string() })),

  /**
   * Records received money. Allocates it as in `allocations`, or with `oldestFirst` to the oldest due invoices; the
   * rest is the policy's credit. Posts the receipt and each allocation. Amounts in cents.
   */
  record: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts", summary: "Record a receipt", tags })
    .input(
      receiptForm.extend({
        idempotencyKey: z.uuid(),
        allocations: z.array(allocationInput).max(200).optional(),
        oldestFirst: z.boolean().optional(),
      }),
    )
    .output(receiptDetail)
    .errors({ ...numberTaken, ...allocationErrors }),

  /**
   * Records one payment for several policies as one receipt each, allocated as named or to the oldest due invoices. The
   * parts add up to the deposit. Amounts in cents.
   */
  recordDeposit: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/deposits", summary: "Record a deposit for several policies", tags })
    .input(depositForm.extend({ idempotencyKey: z.uuid() }))
    .output(depositDetail)
    .errors(allocationErrors),

  /** Reverses all live receipts of a deposit, such as a bounced payment. */
  reverseDeposit: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/deposits/{depositId}/reverse", summary: "Reverse a deposit", tags })
    .input(z.object({ depositId: z.uuid(), idempotencyKey: z.uuid(), reason: text(500).min(1, "Enter a reason") }))
    .output(depositDetail)
    .errors({ ...receiptReversed, ...receiptRefunded, ...receiptReturned }),

  /**
   * Corrects a receipt without allocations or refunds; its number is fixed. If its money changes, the ledger entry is
   * reversed on its own day and posted again. ALLOCATED once part of it is allocated.
   */
  update: writeProcedure("receipts.write")
    .route({ method: "PUT", path: "/receipts/{receiptId}", summary: "Correct a receipt", tags })
    .input(receiptEdit.extend({ receiptId: z.uuid(), version: z.int() }))
    .output(receiptDetail)
    .errors({
      ...receiptReversed,
      ALLOCATED: {
        status: 409,
        message: "Part of this receipt is allocated or refunded, so it can no longer be changed.",
      },
    }),

  /** The editable draft of the covering mail. */
  draftMail: readProcedure("receipts.read")
    .route({
      method: "GET",
      path: "/receipts/{receiptId}/mail",
      summary: "Read the covering e-mail of a receipt",
      tags,
    })
    .input(receiptTarget)
    .output(z.object({ to: z.string(), subject: z.string(), text: z.string() })),

  /**
   * Emails a receipt as PDF to the named recipients. `mailed` is false without a mail server: the mail stays in the
   * outbox.
   */
  mail: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/mail", summary: "Email a receipt", tags })
    .input(receiptTarget.extend({ idempotencyKey: z.uuid(), mail: documentMail }))
    .output(z.object({ mailed: z.boolean() }))
    .errors(receiptReversed),

  /** Allocates more of a receipt, without `allocations` to the oldest due invoices. Posts each allocation. */
  allocate: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/allocations", summary: "Allocate a receipt", tags })
    .input(
      z.object({
        receiptId: z.uuid(),
        idempotencyKey: z.uuid(),
        version: z.int(),
        allocations: z.array(allocationInput).min(1, "Allocate to at least one invoice").max(200).optional(),
      }),
    )
    .output(receiptDetail)
    .errors({
      ...allocationErrors,
      ...receiptReversed,
      NOTHING_TO_ALLOCATE: {
        status: 409,
        message: "The policy has no unpaid invoice, or the receipt is fully allocated.",
      },
    }),

  /**
   * Undoes allocations: the invoices are owed again, and the money becomes credit. Reverses each posting. NOT_ALLOCATED
   * when one is no longer live.
   */
  unallocate: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/unallocate", summary: "Undo allocations", tags })
    .input(
      z.object({
        receiptId: z.uuid(),
        idempotencyKey: z.uuid(),
        version: z.int(),
        allocationIds: z.array(z.uuid()).min(1).max(200),
      }),
    )
    .output(receiptDetail)
    .errors({
      ...receiptReversed,
      NOT_ALLOCATED: { status: 409, message: "This allocation was already undone." },
    }),

  /** Reverses a receipt (a bounced cheque, a mistake), releases its allocations and reverses its posting. */
  reverse: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/reverse", summary: "Reverse a receipt", tags })
    .input(
      z.object({
        receiptId: z.uuid(),
        idempotencyKey: z.uuid(),
        version: z.int(),
        reason: text(500).min(1, "Enter a reason"),
      }),
    )
    .output(receiptDetail)
    .errors({ ...receiptReversed, ...receiptRefunded, ...receiptReturned }),

  /** The write-offs of an invoice, also waiting ones, newest first. */
  writeOffs: readProcedure("receipts.read")
    .route({ method: "GET", path: "/invoices/{invoiceId}/write-offs", summary: "List write-offs of an invoice", tags })
    .input(z.object({ invoiceId: z.uuid() }))
    .output(z.array(writeOffRow)),

  /** Write-offs above the limit that wait for a second person; `forMe` returns those that the reader may confirm. */
  waitingWriteOffs: readProcedure("receipts.read")
    .route({ method: "GET", path: "/write-offs/waiting", summary: "List write-offs to confirm", tags })
    .input(z.object({ forMe: z.boolean().optional() }))
    .output(z.array(writeOffRow)),

  /**
   * Writes off an amount of an invoice in cents including VAT, or all that is open with null. Up to the limit it is
   * posted at once; above it a second person must confirm.
   */
  writeOff: writeProcedure("receipts.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/invoices/{invoiceId}/write-offs",
      summary: "Write off an amount of an invoice",
      tags,
    })
    .input(
      z.object({
        invoiceId: z.uuid(),
        idempotencyKey: z.uuid(),
        amountCents: cents.min(1, "Enter an amount above zero").nullable(),
        reason: text(500).min(1, "Enter a reason"),
      }),
    )
    .output(z.array(writeOffRow))
    .errors({
      ...allocationExceedsOpen,
      WRITE_OFF_WAITS: { status: 409, message: "A write-off of this invoice is already waiting for confirmation." },
    }),

  /** A second user confirms the write-off, which posts it. */
  confirmWriteOff: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/confirm", summary: "Confirm a write-off", tags })
    .input(writeOffTarget)
    .output(z.array(writeOffRow))
    .errors({ ...allocationExceedsOpen, ...writeOffNotDecidable }),

  /** Another user declines the write-off, or its requester withdraws it. */
  declineWriteOff: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/decline", summary: "Decline a write-off", tags })
    .input(writeOffTarget)
    .output(z.array(writeOffRow))
    .errors(writeOffNotDecidable),

  /** Reverses the posting; the invoice is owed again. */
  reverseWriteOff: writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/reverse", summary: "Reverse a write-off", tags })
    .input(writeOffTarget.extend({ reason: text(500).min(1, "Enter a reason") }))
    .output(z.array(writeOffRow))
    .errors(writeOffNotDecidable),
}
