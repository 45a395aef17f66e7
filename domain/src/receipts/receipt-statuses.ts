// Apart from the shapes, so that the address book of the screens needs no validator.

/** Allocated: all of it is set against invoices. Pending: a part is the policy's credit. */
export const receiptStatuses = ["Allocated", "Pending", "Reversed"] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]
