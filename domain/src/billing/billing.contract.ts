import { z } from "zod"
import { vatClasses } from "../benefits/vat.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { billingRunsContract } from "./billing-runs.contract.ts"
import { creditNotesContract } from "./credit-notes.contract.ts"
import { creditKinds } from "./credit-parts.ts"
import { deliveryContract } from "./delivery.contract.ts"
import { deliveredMails } from "./delivery-shape.ts"
import { effect, proposedChange } from "./effect-shape.ts"
import { invoiceActions, invoiceKinds, invoiceStatuses } from "./invoice.ts"
import { invoiceEdit, invoiceForm, invoiceLineInput, maxInvoiceLines } from "./invoice-form.ts"
import { creditNoteRow, invoiceLine, invoicePayment, vatPart } from "./invoice-shape.ts"
import { invoicesList } from "./invoices.list.ts"
import { memberMonth, nextInvoice } from "./owed-and-billed-shape.ts"
import { noBankAccount, noVatNumber } from "./paper-rules.ts"

const tags = ["Invoices"]

/** `openCents` is still to be paid. */
export const invoiceRow = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(invoiceKinds),
  status: z.enum(invoiceStatuses),
  groupId: z.uuid(),
  groupName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  invoiceOn: day,
  dueOn: day,
  periodStartOn: day,
  periodEndOn: day,
  totalCents: cents,
  openCents: cents,
  /** State of the newest mail with the PDF (`kept`: no mail server); null before sending and for employer users. */
  mail: z.enum(mailStates).nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(invoiceActions)),
})
export type InvoiceRow = z.infer<typeof invoiceRow>

export const invoiceDetail = invoiceRow.extend({
  notes: z.string(),
  subtotalCents: cents,
  discountCents: cents,
  /** Per cent of the subtotal; null for a discount given as an amount. */
  discountPercent: z.number().nullable(),
  /** Empty without a discount and on invoices older than this field. */
  discountReason: z.string(),
  /** The product type's VAT rate on the invoice date; used by lines without a month. */
  vatPercent: z.number(),
  vatCents: cents,
  /** VAT per rate, in line order. */
  vat: z.array(vatPart),
  /** Including VAT. */
  creditedCents: cents,
  /** Paid by receipts. */
  allocatedCents: cents,
  /** Effective write-offs, including VAT. */
  writtenOffCents: cents,
  /** Day of the last payment; null until paid in full. */
  paidOn: day.nullable(),
  approvedAt: instant.nullable(),
  sentAt: instant.nullable(),
  sentTo: z.string().nullable(),
  /** Newest first; empty before sending and for employer users. */
  mails: deliveredMails,
  cancelledAt: instant.nullable(),
  cancelReason: z.string().nullable(),
  policy: z.object({
    /** Current monthly premium per member; null if the policy has rates. */
    premiumCents: cents.nullable(),
    startOn: day.nullable(),
    endOn: day.nullable(),
    status: z.string(),
    /** Members with a line on this invoice. */
    membersCovered: z.int(),
    contactName: z.string(),
    contactEmail: z.string(),
  }),
  /** The first 100 of `lineCount`; the `lines` route has all. */
  lines: z.array(invoiceLine),
  lineCount: z.int(),
  creditNotes: z.array(creditNoteRow),
  /** Empty without the right to read receipts. */
  payments: z.array(invoicePayment),
  timeline: timelinePage,
})
export type InvoiceDetail = z.infer<typeof invoiceDetail>

const invoiceTarget = z.object({ invoiceId: z.uuid() })

const periodTaken = {
  PERIOD_TAKEN: {
    status: 409,
    message: "A premium invoice of this policy already covers part of this period.",
    data: z.object({ invoiceId: z.uuid().nullable(), number: z.string().nullable() }),
  },
} as const

const notActive = {
  POLICY_NOT_ACTIVE: { status: 409, message: "Only an active policy can be invoiced." },
} as const

const notPossible = {
  WRONG_STATUS: { status: 409, message: "The invoice's status does not allow this." },
} as const

const noContact = {
  NO_CONTACT: { status: 409, message: "The policy has no main contact with an e-mail address." },
} as const

export const billingContract = {
  runs: billingRunsContract,
  creditNotes: creditNotesContract,
  delivery: deliveryContract,

  /**
   * Invoices, newest first, with tab counts, sums of all matches, and summary cards over all tabs. Search covers
   * invoice number, employer and policy number. Employers see sent invoices only.
   */
  list: readProcedure("invoices.read")
    .route({ method: "GET", path: "/invoices", summary: "List invoices", tags })
    .input(listInput(invoicesList))
    .output(
      listOutput(invoicesList, invoiceRow, {
        cards: z
          .object({
            invoices: z.int(),
            /** Total of paid invoices. */
            revenueCents: cents,
            /** Open amount of sent invoices not yet overdue, plus the total of pending ones. */
            pendingCents: cents,
            overdue: z.int(),
          })
          .nullable(),
      }),
    ),

  /** NOT_FOUND for an invoice of another employer, or one that an employer may not see before it is sent. */
  detail: readProcedure("invoices.read", { shows: "invoice" })
    .route({ method: "GET", path: "/invoices/{invoiceId}", summary: "Read an invoice", tags })
    .input(invoiceTarget)
    .output(invoiceDetail),

  /** Newest first. */
  activity: readProcedure("invoices.read")
    .route({
      method: "GET",
      path: "/invoices/{invoiceId}/activity",
      summary: "Read the audit trail of an invoice",
      tags,
    })
    .input(z.object({ invoiceId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** A page of 100 lines, in order. */
  lines: readProcedure("invoices.read")
    .route({ method: "GET", path: "/invoices/{invoiceId}/lines", summary: "List the lines of an invoice", tags })
    .input(invoiceTarget.extend({ page: z.coerce.number().int().min(1).max(100_000).default(1) }))
    .output(z.object({ rows: z.array(invoiceLine), total: z.int() })),

  /**
   * Lines of a draft for editing. Above 1 000 lines, returns only lines without a member; `kept` then has the totals of
   * the member lines, which `memberLines: "keep"` preserves. A null month means the month of the period.
   */
  draftLines: readProcedure("invoices.write")
    .route({ method: "GET", path: "/invoices/{invoiceId}/draft-lines", summary: "Read the lines of a draft", tags })
    .input(invoiceTarget)
    .output(
      z.object({
        lines: z.array(invoiceLineInput),
        kept: z
          .object({
            members: z.int(),
            subtotalCents: cents,
            months: z.array(z.object({ month: day.nullable(), cents })),
          })
          .nullable(),
      }),
    ),

  /**
   * Proposes, without saving, a line for each member covered on the 1st of `month` (any day of it). Each line is what
   * other invoices have not billed; the draft `invoiceId` is ignored. `takenBy` is the premium invoice that already
   * bills days of the month.
   */
  fillLines: readProcedure("invoices.write")
    .route({ method: "GET", path: "/invoices/lines", summary: "Propose a month's lines for covered members", tags })
    .input(z.object({ policyId: z.uuid(), month: day, invoiceOn: day, invoiceId: z.uuid().optional() }))
    .output(
      z.object({
        periodStartOn: day,
        periodEndOn: day,
        vatPercent: z.number(),
        /** Empty above 1 000 lines; save such an invoice with `memberLines: "fill"`. */
        lines: z.array(invoiceLineInput),
        members: z.int(),
        subtotalCents: cents,
        takenBy: z.object({ invoiceId: z.uuid(), number: z.string() }).nullable(),
      }),
    )
    .errors(notActive),

  /**
   * Months after the member's last day of cover that are still billed, oldest first, with the first invoice that billed
   * the month. `billedCents` is without VAT, before discount, less corrections; the next premium run credits it.
   */
  billedAfterEnd: readProcedure("invoices.read")
    .route({
      method: "GET",
      path: "/invoices/after-end",
      summary: "List invoices that bill a member after cover ended",
      tags,
    })
    .input(z.object({ memberId: z.uuid() }))
    .output(
      z.array(
        z.object({
          invoiceId: z.uuid(),
          number: z.string(),
          month: day,
          billedCents: cents,
        }),
      ),
    ),

  /**
   * The first month that has paying members and no premium invoice, and the policy's payment term in days. Refuses
   * POLICY_NOT_ACTIVE for a policy that has not started.
   */
  nextPeriod: readProcedure("invoices.write")
    .route({ method: "GET", path: "/invoices/next-period", summary: "Read the next month to bill", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ periodStartOn: day, periodEndOn: day, dueDays: z.int() }))
    .errors(notActive),

  /**
   * Previews how a change alters the next invoice of each policy, sorted by policy number. Empty for drafts and for
   * changes that the command would refuse; `refused` counts such members. Locks and saves nothing.
   */
  effect: readProcedure("invoices.read")
    .route({ method: "POST", path: "/invoices/effect", summary: "Preview how a change affects the next invoice", tags })
    .input(z.object({ change: proposedChange }))
    .output(z.object({ effects: z.array(effect), refused: z.int() })),

  /**
   * A member's owed and billed amounts by month, newest first, up to the next month to bill. Employers see only
   * documents sent to them.
   */
  memberMonths: readProcedure("invoices.read")
    .route({
      method: "GET",
      path: "/invoices/member-months",
      summary: "List a member's owed and billed amounts by month",
      tags,
    })
    .input(z.object({ memberId: z.uuid() }))
    .output(z.object({ months: z.array(memberMonth) })),

  /** The next invoice of a policy: its month and differences of earlier months. Null for a draft. */
  nextInvoice: readProcedure("invoices.write")
    .route({ method: "GET", path: "/invoices/next", summary: "Preview the next invoice", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ next: nextInvoice.nullable() })),

  /** VAT class and rate (per cent) of the policy's product type on each given day. */
  vatRates: readProcedure("invoices.write")
    .route({ method: "GET", path: "/invoices/vat-rates", summary: "Read the VAT rates of a policy", tags })
    .input(z.object({ policyId: z.uuid(), on: z.array(day).min(1).max(200) }))
    .output(z.object({ rates: z.array(z.object({ on: day, class: z.enum(vatClasses), percent: z.number() })) }))
    .errors(notActive),

  /**
   * Saves a draft and gives it a number. The policy must be active, and a premium period must not overlap another's.
   * `memberLines: "fill"` adds a line per paying member before the given lines. NO_VAT_NUMBER if VAT is charged and the
   * organisation has no VAT number.
   */
  generate: writeProcedure("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/invoices", summary: "Generate an invoice", tags, successStatus: 201 })
    .input(z.object({ idempotencyKey: z.uuid(), invoice: invoiceForm }))
    .output(invoiceDetail)
    .errors({
      ...periodTaken,
      ...notActive,
      ...noVatNumber,
    }),

  /** Replaces a draft, including its lines. WRONG_STATUS for any other status. */
  update: writeProcedure("invoices.write")
    .route({ method: "PUT", path: "/invoices/{invoiceId}", summary: "Edit a draft invoice", tags })
    .input(invoiceTarget.extend({ version: z.int(), invoice: invoiceEdit }))
    .output(invoiceDetail)
    .errors({ ...periodTaken, ...notPossible, ...notActive, ...noVatNumber }),

  /** Makes a draft pending; it can no longer be edited. */
  approve: writeProcedure("invoices.write")
    .route({ method: "POST", path: "/invoices/{invoiceId}/approve", summary: "Approve an invoice", tags })
    .input(invoiceTarget.extend({ version: z.int() }))
    .output(invoiceDetail)
    .errors(notPossible),

  /**
   * Posts a draft or pending invoice, stores the PDF and mails it to the policy's main contact, all or nothing.
   * WRONG_STATUS if already sent; NO_CONTACT without a contact e-mail; NO_BANK_ACCOUNT without a bank account.
   * `useCredit` allocates the policy's credit, oldest receipt first; by default a setting decides.
   */
  send: writeProcedure("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/invoices/{invoiceId}/send", summary: "Send an invoice", tags })
    .input(invoiceTarget.extend({ version: z.int(), idempotencyKey: z.uuid(), useCredit: z.boolean().optional() }))
    .output(invoiceDetail)
    .errors({
      ...notPossible,
      ...noContact,
      ...noVatNumber,
      ...noBankAccount,
      NOTHING_TO_SEND: { status: 409, message: "An invoice for 0,00 cannot be sent." },
    }),

  /** Cancels an unsent invoice. It keeps its number, and its period can be invoiced again. */
  cancel: writeProcedure("invoices.write")
    .route({ method: "POST", path: "/invoices/{invoiceId}/cancel", summary: "Cancel an invoice", tags })
    .input(invoiceTarget.extend({ version: z.int(), reason: text(500).min(1, "Enter a reason") }))
    .output(invoiceDetail)
    .errors(notPossible),

  /**
   * Credits a sent invoice, paid or not, as a correction or as a concession, which stays billed. `amountCents` includes
   * VAT and is spread over all lines; null credits the rest. `lines` instead corrects single lines, without VAT and
   * before discount. Overpayment becomes credit of the policy. After a full correction the period can be invoiced
   * again.
   */
  credit: writeProcedure("invoices.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/invoices/{invoiceId}/credit-notes",
      summary: "Credit an invoice",
      tags,
      successStatus: 201,
    })
    .input(
      invoiceTarget.extend({
        idempotencyKey: z.uuid(),
        kind: z.enum(creditKinds).default("correction"),
        amountCents: cents.min(1, "Enter an amount above zero").nullable(),
        lines: z
          .array(z.object({ invoiceLineId: z.uuid(), netCents: cents.min(1, "Enter an amount above zero") }))
          .min(1, "Choose at least one line")
          .max(maxInvoiceLines)
          .nullable()
          .default(null),
        reason: text(500).min(1, "Enter a reason"),
        /** Also mails the credit note to the policy's contact; NO_CONTACT without an address. */
        mail: z.boolean().default(false),
      }),
    )
    .output(invoiceDetail)
    .errors({
      ...notPossible,
      ...noContact,
      NOTHING_TO_CREDIT: { status: 409, message: "This invoice is already credited in full." },
      CREDIT_TOO_LARGE: {
        status: 409,
        message: "The credit exceeds the remaining amount of the invoice.",
        data: z.object({ leftCents: cents }),
      },
    }),
}
