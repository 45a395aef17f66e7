import { z } from "zod"
import { type Day, day, instant } from "../kernel/calendar.ts"
import { type Cents, cents } from "../kernel/money.ts"
import type { InvoiceStatus } from "./invoice-statuses.ts"

export * from "./invoice-statuses.ts"

/**
 * A premium invoice bills a policy's members for a month: one per policy and period. Anything else that a policy is
 * billed for is an other invoice.
 */
export const invoiceKinds = ["premium", "other"] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** What is stored. The rest of what a screen calls the status is derived, so that no reversal needs a transition. */
export const storedInvoiceStatuses = ["draft", "pending", "sent", "cancelled"] as const
export type StoredInvoiceStatus = (typeof storedInvoiceStatuses)[number]

export interface InvoiceMoney {
  status: StoredInvoiceStatus
  totalCents: Cents
  /** What credit notes took back, VAT included. */
  creditedCents: Cents
  /** What living allocations of receipts have paid. */
  allocatedCents: Cents
  dueOn: Day
}

/** What is still to be paid on an invoice; nothing before it is sent, and nothing once it is cancelled. */
export function openCents({ status, totalCents, creditedCents, allocatedCents }: InvoiceMoney): Cents {
  return status === "sent" ? totalCents - creditedCents - allocatedCents : 0
}

/**
 * The status that people see, from what is stored, what was paid and credited, and today. Due today is not yet
 * overdue. The list says the same in SQL (invoice-money.ts), and a test compares the two.
 */
export function invoiceStatus(invoice: InvoiceMoney, today: Day): InvoiceStatus {
  if (invoice.status !== "sent") return invoice.status
  if (invoice.creditedCents >= invoice.totalCents) return "credited"
  if (openCents(invoice) <= 0) return "paid"
  return invoice.dueOn < today ? "overdue" : "sent"
}

/** What a reader may do with an invoice now. */
export const invoiceActions = ["edit", "approve", "send", "cancel", "credit", "receive", "download"] as const
export type InvoiceAction = (typeof invoiceActions)[number]

export const invoiceLine = z.object({
  id: z.uuid(),
  description: z.string(),
  quantity: z.int(),
  unitCents: cents,
  totalCents: cents,
  memberId: z.uuid().nullable(),
  tierId: z.uuid().nullable(),
  tierName: z.string().nullable(),
  /** The member that the line is for; the ID number is masked for a policy_holder. */
  member: z.object({ firstName: z.string(), lastName: z.string(), idNumber: z.string().nullable() }).nullable(),
})
export type InvoiceLine = z.infer<typeof invoiceLine>

/** A correction of a sent invoice, VAT included in `totalCents`. */
export const creditNoteRow = z.object({
  id: z.uuid(),
  number: z.string(),
  creditedOn: day,
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  reason: z.string(),
  createdAt: instant,
})

/** A payment that an invoice received. */
export const invoicePayment = z.object({
  receiptId: z.uuid(),
  receiptNumber: z.string(),
  receivedOn: day,
  amountCents: cents,
})
