// Apart from the shapes, so that the address book of the screens needs no validator.

export const policyStatuses = ["Draft", "Active", "Suspended", "Terminated", "Expired"] as const
export type PolicyStatus = (typeof policyStatuses)[number]
