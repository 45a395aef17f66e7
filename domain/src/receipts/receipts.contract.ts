import { z } from "zod"
import { deliveredMails, documentMail } from "../billing/delivery-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
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
  /** What is set against invoices, and what refunds have taken; the rest is the policy's credit. */
  allocatedCents: cents,
  refundedCents: cents,
  method: z.enum(receiptMethods),
  receivedOn: day,
  reference: z.string(),
  status: z.enum(receiptStatuses),
  /** The payment for several policies that it is a part of. */
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

/** One payment for several policies, and the receipts that it was recorded as. */
export const depositDetail = z.object({
  id: z.uuid(),
  number: z.string(),
  amountCents: cents,
  /** What of it its receipts still hold: less than it once one of them was reversed. */
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
  /** What refunds hold of it. */
  refunds: z.array(z.object({ refundId: z.uuid(), refundNumber: z.string(), status: z.string(), amountCents: cents })),
  /** Its last mails, newest first. */
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

/** What was given up of an invoice, or is to be. Units: cents, VAT included in `totalCents`. */
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
  /** From when on it counts; null while it waits. */
  writtenOffOn: day.nullable(),
  /** Who agreed, where one person was not enough. */
  confirmedByName: z.string().nullable(),
  reversedOn: day.nullable(),
  reverseReason: z.string().nullable(),
  allowedActions: z.array(z.enum(writeOffActions)),
})
export type WriteOffRow = z.infer<typeof writeOffRow>

const moreThanOpen = {
  NOTHING_OPEN: { status: 409, message: "Nothing is open on this invoice any more." },
  MORE_THAN_OPEN: { status: 422, message: "This is more than is open on the invoice." },
  // Of the same split as a credit note's.
  NOTHING_TO_CREDIT: { status: 409, message: "Nothing is open on this invoice any more." },
  CREDIT_TOO_LARGE: { status: 422, message: "This is more than is open on the invoice." },
} as const
const notDecidable = {
  WRITE_OFF_STATE: { status: 409, message: "This cannot be done with the write-off in its current state." },
  OWN_WRITE_OFF: {
    status: 403,
    message: "A write-off must be confirmed by somebody other than the person who asked for it.",
  },
} as const
const oneWriteOff = z.object({ writeOffId: z.uuid(), idempotencyKey: z.uuid() })

const numberTaken = { NUMBER_TAKEN: { status: 409, message: "Another receipt has this number." } } as const
const allocationErrors = {
  NOT_OPEN: { status: 409, message: "One of the invoices is not open for this policy any more." },
  OVER_ALLOCATED: { status: 422, message: "More is allocated than there is." },
} as const
const isReversed = { REVERSED: { status: 409, message: "This receipt was reversed." } } as const
/** What a refund has taken is not there to be taken back. */
const isReturned = {
  RETURNED: {
    status: 409,
    message:
      "Its bank line also shows money that came back by another line, which is undone first. Nothing was changed.",
  },
} as const
export const isRefunded = {
  REFUNDED: { status: 409, message: "A part of this receipt is refunded, or is about to be." },
} as const
const oneReceipt = z.object({ receiptId: z.uuid() })

export const receiptsContract = {
  /** Receipts by number, policy, group or reference; sums and counts over everything that matches. */
  list: read("receipts.read")
    .route({ method: "GET", path: "/receipts", summary: "List receipts", tags })
    .input(listInput(receiptsList))
    .output(
      listOutput(receiptsList, receiptRow, {
        /** What came in and was not reversed. */
        totalCents: cents.nullable(),
      }),
    ),

  /** One receipt with its allocations, history and what the reader may do. */
  detail: read("receipts.read", { shows: "receipt" })
    .route({ method: "GET", path: "/receipts/{receiptId}", summary: "Show a receipt", tags })
    .input(z.object({ receiptId: z.uuid() }))
    .output(receiptDetail),

  /** A page of what happened to a receipt, newest first. NOT_FOUND as for it. */
  activity: read("receipts.read")
    .route({ method: "GET", path: "/receipts/{receiptId}/activity", summary: "The trail of a receipt", tags })
    .input(z.object({ receiptId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** The sent invoices of a policy that still want money, oldest due first, and the policy's unallocated credit. */
  openInvoices: read("receipts.read")
    .route({
      method: "GET",
      path: "/policies/{policyId}/open-invoices",
      summary: "List what a policy still owes",
      tags,
    })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ invoices: z.array(openInvoice), creditCents: cents })),

  /**
   * What the credit of their policies would pay of unsent invoices if they were sent now, all together or those that a
   * premium run made: what they ask for, and how much of it credit would pay (cents). `byItself` is the setting: what
   * happens where the sender says nothing. Invoices that are sent or cancelled, and ids of none, count nothing.
   */
  creditOffer: read("receipts.read")
    .route({ method: "POST", path: "/receipts/credit-offer", summary: "What credit would pay of invoices", tags })
    .input(z.union([z.object({ invoiceIds: z.array(z.uuid()).min(1).max(1_000) }), z.object({ runId: z.uuid() })]))
    .output(z.object({ byItself: z.boolean(), totalCents: cents, usedCents: cents })),

  /** The number that the next receipt would get; nothing is taken. For showing in the form. */
  nextNumber: read("receipts.write")
    .route({ method: "GET", path: "/receipts/next-number", summary: "Show the next receipt number", tags })
    .input(z.object({}))
    .output(z.object({ number: z.string() })),

  /**
   * Records money that came in and sets it against the invoices of the policy that `allocations` name, or with
   * `oldestFirst` against the oldest due. What is left is the policy's credit; with neither, all of it. Posts the
   * receipt and each allocation. Amounts in cents.
   */
  record: write("receipts.write", { idempotent: true })
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
   * Records one payment for several policies: a receipt for each, which belong together, set against the invoices that
   * its part names, or without `allocations` against the oldest due. The parts sum to the deposit. Amounts in cents.
   */
  recordDeposit: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/deposits", summary: "Record a deposit for several policies", tags })
    .input(depositForm.extend({ idempotencyKey: z.uuid() }))
    .output(depositDetail)
    .errors(allocationErrors),

  /** Reverses every receipt of a deposit that still stands: the payment bounced. */
  reverseDeposit: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/deposits/{depositId}/reverse", summary: "Reverse a deposit", tags })
    .input(z.object({ depositId: z.uuid(), idempotencyKey: z.uuid(), reason: text(500).min(1, "Give the reason") }))
    .output(depositDetail)
    .errors({ ...isReversed, ...isRefunded, ...isReturned }),

  /**
   * Corrects a receipt of which nothing is allocated or refunded: what it says, but not its number. Where its money
   * changes, the ledger takes back what was posted, on its day, and posts it anew. ALLOCATED once anything is set against
   * an invoice.
   */
  update: write("receipts.write")
    .route({ method: "PUT", path: "/receipts/{receiptId}", summary: "Correct a receipt", tags })
    .input(receiptEdit.extend({ receiptId: z.uuid(), version: z.int() }))
    .output(receiptDetail)
    .errors({
      ...isReversed,
      ALLOCATED: {
        status: 409,
        message: "Part of this receipt is allocated or refunded: it can no longer be changed.",
      },
    }),

  /** The mail that a receipt would go out with, to be edited. */
  draftMail: read("receipts.read")
    .route({ method: "GET", path: "/receipts/{receiptId}/mail", summary: "Show a receipt's covering mail", tags })
    .input(oneReceipt)
    .output(z.object({ to: z.string(), subject: z.string(), text: z.string() })),

  /** Mails a receipt as PDF to whoever is named. `mailed` is false where no mail server is set up: it stays in the outbox. */
  mail: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/mail", summary: "Mail a receipt", tags })
    .input(oneReceipt.extend({ idempotencyKey: z.uuid(), mail: documentMail }))
    .output(z.object({ mailed: z.boolean() }))
    .errors(isReversed),

  /** Sets more of a receipt against invoices, without `allocations` the oldest due first. Posts each allocation. */
  allocate: write("receipts.write", { idempotent: true })
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
      ...isReversed,
      NOTHING_TO_ALLOCATE: { status: 409, message: "There is no open invoice, or nothing left of the receipt." },
    }),

  /**
   * Takes allocations of a receipt back: their invoices ask for the money again, and it is the policy's credit. Reverses
   * the posting of each. NOT_ALLOCATED where one of them does not stand any more.
   */
  unallocate: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/unallocate", summary: "Take allocations back", tags })
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
      ...isReversed,
      NOT_ALLOCATED: { status: 409, message: "This was taken back already." },
    }),

  /** Takes a receipt back (a bounced cheque, a mistake): its allocations are released, its posting is reversed. */
  reverse: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/receipts/{receiptId}/reverse", summary: "Reverse a receipt", tags })
    .input(
      z.object({
        receiptId: z.uuid(),
        idempotencyKey: z.uuid(),
        version: z.int(),
        reason: text(500).min(1, "Give the reason"),
      }),
    )
    .output(receiptDetail)
    .errors({ ...isReversed, ...isRefunded, ...isReturned }),

  /** What was written off on an invoice, or is to be, the newest first. */
  writeOffs: read("receipts.read")
    .route({ method: "GET", path: "/invoices/{invoiceId}/write-offs", summary: "List write-offs of an invoice", tags })
    .input(z.object({ invoiceId: z.uuid() }))
    .output(z.array(writeOffRow)),

  /** Write-offs above the limit that wait for a second person; with `forMe` only those that the reader may confirm. */
  waitingWriteOffs: read("receipts.read")
    .route({ method: "GET", path: "/write-offs/waiting", summary: "List write-offs that wait", tags })
    .input(z.object({ forMe: z.boolean().optional() }))
    .output(z.array(writeOffRow)),

  /**
   * Gives up what will not come on an invoice: an amount in cents, VAT included, or null for all that is open. Up to the
   * limit of the settings it counts and is posted at once; above it, once a second person confirms.
   */
  writeOff: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/invoices/{invoiceId}/write-offs", summary: "Write off on an invoice", tags })
    .input(
      z.object({
        invoiceId: z.uuid(),
        idempotencyKey: z.uuid(),
        amountCents: cents.min(1, "A write-off is more than 0").nullable(),
        reason: text(500).min(1, "Give the reason"),
      }),
    )
    .output(z.array(writeOffRow))
    .errors({
      ...moreThanOpen,
      WRITE_OFF_WAITS: { status: 409, message: "A write-off of this invoice waits for a second person already." },
    }),

  /** A second person agrees: the write-off counts and is posted. */
  confirmWriteOff: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/confirm", summary: "Confirm a write-off", tags })
    .input(oneWriteOff)
    .output(z.array(writeOffRow))
    .errors({ ...moreThanOpen, ...notDecidable }),

  /** It is not to be: a second person declines, or who asked takes it back. */
  declineWriteOff: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/decline", summary: "Decline a write-off", tags })
    .input(oneWriteOff)
    .output(z.array(writeOffRow))
    .errors(notDecidable),

  /** Undoes a write-off: its posting is reversed, and the invoice asks for the amount again. */
  reverseWriteOff: write("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/write-offs/{writeOffId}/reverse", summary: "Reverse a write-off", tags })
    .input(oneWriteOff.extend({ reason: text(500).min(1, "Give the reason") }))
    .output(z.array(writeOffRow))
    .errors(notDecidable),
}
