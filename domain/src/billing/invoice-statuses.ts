// Apart from the shapes, so that the address book of the screens needs no validator.

/** What people see: a sent invoice is sent, overdue, paid, or credited (taken back as a whole). */
export const invoiceStatuses = ["draft", "pending", "sent", "paid", "overdue", "credited", "cancelled"] as const
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
  credited: "Credited",
  cancelled: "Cancelled",
}
