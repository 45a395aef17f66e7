// Apart from the shapes, so that the address book of the screens needs no validator.

export const payoutStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const
export type PayoutStatus = (typeof payoutStatuses)[number]
