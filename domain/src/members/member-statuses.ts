// Apart from the shapes, so that the address book of the screens needs no validator.

export const memberStatuses = ["Pending", "Active", "Suspended", "Terminated"] as const
export type MemberStatus = (typeof memberStatuses)[number]
