// Apart from the shapes, so that the address book of the screens needs no validator.

export const payoutStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

export const payoutMethods = ["bank_transfer", "eft", "cheque", "cash"] as const
export type PayoutMethod = (typeof payoutMethods)[number]
export const payoutMethodNames: Record<PayoutMethod, string> = {
  bank_transfer: "Bank Transfer",
  eft: "EFT",
  cheque: "Cheque",
  cash: "Cash",
}

export const payoutStatusNames: Record<PayoutStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
}
