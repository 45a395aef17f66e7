// Apart from the shapes, so that the address book of the screens needs no validator.

/** What people see: a sent invoice is sent, overdue, paid, or credited (taken back as a whole). */
export const invoiceStatuses = ["draft", "pending", "sent", "paid", "overdue", "credited", "cancelled"] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** The list's tabs; "sent" is sent and pending (specification 2, section 2). */
export const invoiceTabs = {
  all: invoiceStatuses,
  drafts: ["draft"],
  sent: ["sent", "pending"],
  paid: ["paid"],
  overdue: ["overdue"],
} as const satisfies Record<string, readonly InvoiceStatus[]>
export type InvoiceTab = keyof typeof invoiceTabs
export const invoiceTabNames = Object.keys(invoiceTabs) as [InvoiceTab, ...InvoiceTab[]]
