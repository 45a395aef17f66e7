import { z } from "zod"
import { vatClasses } from "../benefits/vat.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
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
import { invoiceEdit, invoiceForm, invoiceLineInput, lineLimit } from "./invoice-form.ts"
import { creditNoteRow, invoiceLine, invoicePayment, vatPart } from "./invoice-shape.ts"
import { invoicesList } from "./invoices.list.ts"
import { memberMonth, nextInvoice } from "./owed-and-billed-shape.ts"
import { noBankAccount, noVatNumber } from "./paper-rules.ts"

const tags = ["Invoices"]

/** An invoice in the list. `openCents` is what is still to be paid on it. */
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
  /** How far the newest mail with the PDF got, `kept` where there is no mail server; null before, and for employers' people. */
  mail: z.enum(mailStates).nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(invoiceActions)),
})
export type InvoiceRow = z.infer<typeof invoiceRow>

/** An invoice with its lines, what was paid and credited, and its history. */
export const invoiceDetail = invoiceRow.extend({
  notes: z.string(),
  subtotalCents: cents,
  discountCents: cents,
  /** In per cent of the subtotal, where the discount was given so. */
  discountPercent: z.number().nullable(),
  /** Empty without a discount, and on invoices from before reasons were asked for. */
  discountReason: z.string(),
  /** The rate of the policy's product type on the invoice date, which lines that bill no month have. */
  vatPercent: z.number(),
  vatCents: cents,
  /** The VAT of each rate, in the order of the lines. */
  vat: z.array(vatPart),
  /** What credit notes took back, VAT included. */
  creditedCents: cents,
  /** What receipts have paid. */
  allocatedCents: cents,
  /** What was given up of it and counts, VAT included. */
  writtenOffCents: cents,
  /** The day on which the last cent was paid; null while something is open. */
  paidOn: day.nullable(),
  approvedAt: instant.nullable(),
  sentAt: instant.nullable(),
  sentTo: z.string().nullable(),
  /** The last mails with the PDF, newest first; none before it is sent, and for employers' people. */
  mails: deliveredMails,
  cancelledAt: instant.nullable(),
  cancelReason: z.string().nullable(),
  policy: z.object({
    /** What the policy charges a month for each member, today; null where rates say it. */
    premiumCents: cents.nullable(),
    startOn: day.nullable(),
    endOn: day.nullable(),
    status: z.string(),
    /** Members with a line on this invoice. */
    membersCovered: z.int(),
    contactName: z.string(),
    contactEmail: z.string(),
  }),
  /** The first hundred; `lineCount` says how many there are, and `lines` of the contract has them all, in pages. */
  lines: z.array(invoiceLine),
  lineCount: z.int(),
  creditNotes: z.array(creditNoteRow),
  /** Empty for those who may not read receipts. */
  payments: z.array(invoicePayment),
  timeline: timelinePage,
})
export type InvoiceDetail = z.infer<typeof invoiceDetail>

const one = z.object({ invoiceId: z.uuid() })

const periodTaken = {
  PERIOD_TAKEN: {
    status: 409,
    message: "A premium invoice of this policy already covers days of this period.",
    data: z.object({ invoiceId: z.uuid().nullable(), number: z.string().nullable() }),
  },
} as const

const notActive = {
  POLICY_NOT_ACTIVE: { status: 409, message: "Only an active policy can be invoiced." },
} as const

const notPossible = {
  WRONG_STATUS: { status: 409, message: "This cannot be done with the invoice in its current state." },
} as const

const noContact = {
  NO_CONTACT: { status: 409, message: "The policy has no main contact with an e-mail address to send it to." },
} as const

export const billingContract = {
  runs: billingRunsContract,
  creditNotes: creditNotesContract,
  delivery: deliveryContract,

  /**
   * Invoices, newest first, with the tabs' counts, the sums of all that match, and the summary cards (over every tab).
   * Searches number, group name and policy number. Employers see invoices once they are sent.
   */
  list: read("invoices.read")
    .route({ method: "GET", path: "/invoices", summary: "List invoices", tags })
    .input(listInput(invoicesList))
    .output(
      listOutput(invoicesList, invoiceRow, {
        cards: z
          .object({
            invoices: z.int(),
            /** Sum of paid invoices. */
            revenueCents: cents,
            /** Still to be paid on sent invoices that are not overdue, and the total of pending ones. */
            pendingCents: cents,
            overdue: z.int(),
          })
          .nullable(),
      }),
    ),

  /** One invoice. NOT_FOUND where there is none, where it is another group's, or where an employer's is not sent yet. */
  detail: read("invoices.read", { shows: "invoice" })
    .route({ method: "GET", path: "/invoices/{invoiceId}", summary: "Read an invoice", tags })
    .input(one)
    .output(invoiceDetail),

  /** A page of what happened to an invoice, newest first. NOT_FOUND as for it. */
  activity: read("invoices.read")
    .route({ method: "GET", path: "/invoices/{invoiceId}/activity", summary: "The trail of an invoice", tags })
    .input(z.object({ invoiceId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** A page of an invoice's lines, a hundred at a time, in their order. NOT_FOUND as for the invoice. */
  lines: read("invoices.read")
    .route({ method: "GET", path: "/invoices/{invoiceId}/lines", summary: "Lines of an invoice", tags })
    .input(one.extend({ page: z.coerce.number().int().min(1).max(100_000).default(1) }))
    .output(z.object({ rows: z.array(invoiceLine), total: z.int() })),

  /**
   * The lines of a draft to be edited: all of them, or, of one with more than 1 000, those for no member, and what
   * the members' lines come to, which stay with `memberLines: "keep"`: together, and by the month that they bill, null
   * being that of the period.
   */
  draftLines: read("invoices.write")
    .route({ method: "GET", path: "/invoices/{invoiceId}/draft-lines", summary: "Lines of a draft to edit", tags })
    .input(one)
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
   * The lines of a month, not saved: one for each member covered on its 1st, of what the premium that holds then comes to
   * and no other month's or adjusting invoice billed them yet, apart from the draft `invoiceId` whose lines they are to be.
   * `month` is any day of it. `takenBy` is the premium invoice that already bills days of the month. `vatPercent` is the rate on `invoiceOn`.
   */
  fillLines: read("invoices.write")
    .route({ method: "GET", path: "/invoices/lines", summary: "Lines of a month from covered members", tags })
    .input(z.object({ policyId: z.uuid(), month: day, invoiceOn: day, invoiceId: z.uuid().optional() }))
    .output(
      z.object({
        periodStartOn: day,
        periodEndOn: day,
        vatPercent: z.number(),
        /** Empty where there are more than 1 000: such an invoice is saved with `memberLines: "fill"`. */
        lines: z.array(invoiceLineInput),
        members: z.int(),
        subtotalCents: cents,
        takenBy: z.object({ invoiceId: z.uuid(), number: z.string() }).nullable(),
      }),
    )
    .errors(notActive),

  /**
   * Premium invoices that bill a member for months that began after their last day, oldest first, with the net amount
   * billed and what was credited of the invoice since; nothing for somebody whose membership has not ended.
   */
  billedAfterEnd: read("invoices.read")
    .route({ method: "GET", path: "/invoices/after-end", summary: "Invoices that bill a member who left", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(
      z.array(
        z.object({
          invoiceId: z.uuid(),
          number: z.string(),
          periodStartOn: day,
          billedCents: cents,
          creditedCents: cents,
        }),
      ),
    ),

  /**
   * The calendar month that a policy is to be billed for next: the first that somebody pays for and that no premium
   * invoice bills days of; with the days to pay that are the policy's term. Refuses POLICY_NOT_ACTIVE for one that has not started.
   */
  nextPeriod: read("invoices.write")
    .route({ method: "GET", path: "/invoices/next-period", summary: "The next month to bill", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ periodStartOn: day, periodEndOn: day, dueDays: z.int() }))
    .errors(notActive),

  /**
   * What a change would do to the next invoice, asked before its command is called: what is owed less what was billed,
   * after and before, up to the month that is billed next. One of each policy that it concerns, by number; none where
   * the command would refuse the change, nor for a draft. `refused`: of several members, of how many it would be.
   * Nothing is locked or changed.
   */
  effect: read("invoices.read")
    .route({ method: "POST", path: "/invoices/effect", summary: "What a change does to the next invoice", tags })
    .input(z.object({ change: proposedChange }))
    .output(z.object({ effects: z.array(effect), refused: z.int() })),

  /**
   * What a member owes and was billed, month by month, newest first, up to the month that the policy is billed for next:
   * months of which nothing is owed or billed are left out. Employers see the documents that were sent to them.
   */
  memberMonths: read("invoices.read")
    .route({ method: "GET", path: "/invoices/member-months", summary: "What a member owes and was billed", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(z.object({ months: z.array(memberMonth) })),

  /** What the next invoice of a policy will hold: its month, and the differences of months before. Null for a draft. */
  nextInvoice: read("invoices.write")
    .route({ method: "GET", path: "/invoices/next", summary: "What the next invoice will hold", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(z.object({ next: nextInvoice.nullable() })),

  /** Class and rate of VAT of a policy's product type, in per cent, on each of some days. */
  vatRates: read("invoices.write")
    .route({ method: "GET", path: "/invoices/vat-rates", summary: "VAT rates of a policy", tags })
    .input(z.object({ policyId: z.uuid(), on: z.array(day).min(1).max(200) }))
    .output(z.object({ rates: z.array(z.object({ on: day, class: z.enum(vatClasses), percent: z.number() })) }))
    .errors(notActive),

  /**
   * Saves a new invoice as draft and gives it its number. Needs an active policy ('Please select a policy') and a line
   * with a description ('Please add at least one line item'). A premium invoice needs a period that none covers yet.
   * With `memberLines: "fill"` a line for each member who pays for the month comes before those of the body.
   * NO_VAT_NUMBER where the invoice charges VAT and the organisation has no VAT number.
   */
  generate: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/invoices", summary: "Generate an invoice", tags, successStatus: 201 })
    .input(z.object({ idempotencyKey: z.uuid(), invoice: invoiceForm }))
    .output(invoiceDetail)
    .errors({
      ...periodTaken,
      ...notActive,
      ...noVatNumber,
    }),

  /** Saves a draft anew, lines included. WRONG_STATUS once it is approved, sent or cancelled; STALE as everywhere. */
  update: write("invoices.write")
    .route({ method: "PUT", path: "/invoices/{invoiceId}", summary: "Edit a draft invoice", tags })
    .input(one.extend({ version: z.int(), invoice: invoiceEdit }))
    .output(invoiceDetail)
    .errors({ ...periodTaken, ...notPossible, ...notActive, ...noVatNumber }),

  /** Approves a draft: it is pending, waiting to be sent, and is not edited any more. */
  approve: write("invoices.write")
    .route({ method: "POST", path: "/invoices/{invoiceId}/approve", summary: "Approve an invoice", tags })
    .input(one.extend({ version: z.int() }))
    .output(invoiceDetail)
    .errors(notPossible),

  /**
   * Sends a draft or approved invoice: posts it, stores the PDF and mails it to the policy's main contact, all or
   * nothing. Sending what is sent already is WRONG_STATUS. NO_CONTACT where the policy has no contact e-mail.
   * `useCredit` says whether the policy's unallocated credit is set against it, the oldest receipt first; left out, the
   * setting `creditByItself` decides. NO_BANK_ACCOUNT where the organisation has no bank account to pay into.
   */
  send: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/invoices/{invoiceId}/send", summary: "Send an invoice", tags })
    .input(one.extend({ version: z.int(), idempotencyKey: z.uuid(), useCredit: z.boolean().optional() }))
    .output(invoiceDetail)
    .errors({
      ...notPossible,
      ...noContact,
      ...noVatNumber,
      ...noBankAccount,
      NOTHING_TO_SEND: { status: 409, message: "An invoice of 0,00 is not sent." },
    }),

  /** Cancels what was not sent, with a reason. It keeps its number; its period can be invoiced anew. */
  cancel: write("invoices.write")
    .route({ method: "POST", path: "/invoices/{invoiceId}/cancel", summary: "Cancel an invoice", tags })
    .input(one.extend({ version: z.int(), reason: text(500).min(1, "Give a reason") }))
    .output(invoiceDetail)
    .errors(notPossible),

  /**
   * Credits a sent invoice, paid or not: a correction of what was billed, or a concession, which stays billed.
   * `amountCents` includes VAT and is shared by all lines; null credits all that is left. `lines` says instead what a
   * correction takes back of which, without VAT and before discount; then `amountCents` is null. What was paid beyond the
   * rest becomes credit of the policy. Corrected as a whole, its period can be invoiced anew.
   */
  credit: write("invoices.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/invoices/{invoiceId}/credit-notes",
      summary: "Credit an invoice",
      tags,
      successStatus: 201,
    })
    .input(
      one.extend({
        idempotencyKey: z.uuid(),
        kind: z.enum(creditKinds).default("correction"),
        amountCents: cents.min(1, "A credit is more than nothing").nullable(),
        lines: z
          .array(z.object({ invoiceLineId: z.uuid(), netCents: cents.min(1, "A credit is more than nothing") }))
          .min(1, "Name a line")
          .max(lineLimit)
          .nullable()
          .default(null),
        reason: text(500).min(1, "Give a reason"),
        /** Mails the credit note to the policy's contact; NO_CONTACT where there is no address. */
        mail: z.boolean().default(false),
      }),
    )
    .output(invoiceDetail)
    .errors({
      ...notPossible,
      ...noContact,
      NOTHING_TO_CREDIT: { status: 409, message: "All of this invoice has been credited already." },
      CREDIT_TOO_LARGE: {
        status: 409,
        message: "The credit is more than what is left of the invoice.",
        data: z.object({ leftCents: cents }),
      },
    }),
}
