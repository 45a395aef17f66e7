import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** Displayed statuses; `credited` means credited in full. */
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

/** List tabs. "sent" is sent and pending (specification 2, section 2); "unpaid" is the debtors. */
export const invoiceTabs = {
  all: invoiceStatuses,
  drafts: ["draft"],
  sent: ["sent", "pending"],
  unpaid: ["sent", "overdue"],
  paid: ["paid"],
  overdue: ["overdue"],
} as const satisfies Record<string, readonly InvoiceStatus[]>

export type InvoiceTab = keyof typeof invoiceTabs

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

/** A premium invoice bills a month's members: one per policy and period. Every other invoice is `other`. */
export const invoiceKinds = ["premium", "other"] as const

export type InvoiceKind = (typeof invoiceKinds)[number]

/** Other displayed statuses are derived from amounts and days, so a reversal needs no transition. */
export const storedInvoiceStatuses = ["draft", "pending", "sent", "cancelled"] as const

export type StoredInvoiceStatus = (typeof storedInvoiceStatuses)[number]

export interface InvoiceMoney {
  status: StoredInvoiceStatus
  totalCents: Cents
  /** Including VAT. */
  creditedCents: Cents
  /** Paid by allocations that are not reversed. */
  allocatedCents: Cents
  /** Effective write-offs, including VAT. */
  writtenOffCents: Cents
  dueOn: Day
}

/** Instants are ISO text. */
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
  /** Null if given in cents. */
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
  /** When the invoice was fully corrected, which released its period. */
  creditedWholeAt: string | null
  version: number
}

/** Cents still to be paid; 0 unless sent. */
export function openCents(invoice: InvoiceMoney): Cents {
  const { status, totalCents, creditedCents, allocatedCents, writtenOffCents } = invoice
  return status === "sent" ? totalCents - creditedCents - allocatedCents - writtenOffCents : 0
}

/**
 * The displayed status. An invoice due today is not overdue. invoice-money.ts has the same rule in SQL; a test compares
 * them.
 */
export function invoiceStatus(invoice: InvoiceMoney, today: Day): InvoiceStatus {
  if (invoice.status !== "sent") return invoice.status
  if (invoice.creditedCents >= invoice.totalCents) return "credited"
  if (openCents(invoice) <= 0) return invoice.writtenOffCents > 0 ? "written_off" : "paid"
  return invoice.dueOn < today ? "overdue" : "sent"
}

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
