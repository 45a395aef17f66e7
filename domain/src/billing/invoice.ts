import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** What people see: a sent invoice is sent, overdue, paid, or credited (taken back as a whole). */
export const invoiceStatuses = [
  "draft",
  "pending",
  "sent",
  "paid",
  "overdue",
  "written_off",
  "credited",
  "cancelled",
] as const

export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** The list's tabs; "sent" is sent and pending (specification 2, section 2), "unpaid" what debtors owe. */
export const invoiceTabs = {
  all: invoiceStatuses,
  drafts: ["draft"],
  sent: ["sent", "pending"],
  unpaid: ["sent", "overdue"],
  paid: ["paid"],
  overdue: ["overdue"],
} as const satisfies Record<string, readonly InvoiceStatus[]>

export type InvoiceTab = keyof typeof invoiceTabs

/** A status as people read it; also the word on its badge. */
export const invoiceStatusNames: Record<InvoiceStatus, string> = {
  draft: "Draft",
  pending: "Pending",
  sent: "Sent",
  paid: "Paid",
  overdue: "Overdue",
  written_off: "Written off",
  credited: "Credited",
  cancelled: "Cancelled",
}

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
  /** What was given up of it and counts, VAT included. */
  writtenOffCents: Cents
  dueOn: Day
}

/** An invoice without its lines, as it is stored. Instants are ISO text. */
export interface Invoice extends InvoiceMoney {
  id: string
  number: string
  groupId: string
  policyId: string
  kind: InvoiceKind
  invoiceOn: Day
  periodStartOn: Day
  periodEndOn: Day
  subtotalCents: Cents
  discountCents: Cents
  /** Of the subtotal, where the discount was given so. */
  discountPercent: number | null
  discountReason: string
  vatPercent: number
  vatCents: Cents
  notes: string
  approvedAt: string | null
  sentAt: string | null
  sentTo: string | null
  cancelledAt: string | null
  cancelReason: string | null
  /** When credit notes had taken back all of it, which sets its period free. */
  creditedWholeAt: string | null
  version: number
}

/** What is still to be paid on an invoice; nothing before it is sent, and nothing once it is cancelled. */
export function openCents(invoice: InvoiceMoney): Cents {
  const { status, totalCents, creditedCents, allocatedCents, writtenOffCents } = invoice
  return status === "sent" ? totalCents - creditedCents - allocatedCents - writtenOffCents : 0
}

/**
 * The status that people see, from what is stored, what was paid, credited and given up, and today. Due today is not yet
 * overdue. The list says the same in SQL (invoice-money.ts), and a test compares the two.
 */
export function invoiceStatus(invoice: InvoiceMoney, today: Day): InvoiceStatus {
  if (invoice.status !== "sent") return invoice.status
  if (invoice.creditedCents >= invoice.totalCents) return "credited"
  if (openCents(invoice) <= 0) return invoice.writtenOffCents > 0 ? "written_off" : "paid"
  return invoice.dueOn < today ? "overdue" : "sent"
}

/** What a reader may do with an invoice now. */
export const invoiceActions = [
  "edit",
  "approve",
  "send",
  "cancel",
  "credit",
  "receive",
  "writeOff",
  "mail",
  "download",
] as const

export type InvoiceAction = (typeof invoiceActions)[number]
