// Apart from the shapes, so that the address book of the screens needs no validator.

/** Allocated: all of it is set against invoices. Pending: a part is the policy's credit. */
export const receiptStatuses = ["Allocated", "Pending", "Reversed"] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

export const receiptMethods = ["bank_transfer", "cheque", "cash", "credit_card", "debit_card"] as const
export type ReceiptMethod = (typeof receiptMethods)[number]
export const receiptMethodNames: Record<ReceiptMethod, string> = {
  bank_transfer: "Bank Transfer",
  cheque: "Cheque",
  cash: "Cash",
  credit_card: "Credit Card",
  debit_card: "Debit Card",
}
