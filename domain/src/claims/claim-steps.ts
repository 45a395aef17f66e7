// Apart from the shapes, so that the address book of the screens needs no validator.

/** The five steps of the claim form, in order (specification 1, section 2). */
export const claimStepKeys = ["member", "details", "incident", "documents", "review"] as const
export type ClaimStep = (typeof claimStepKeys)[number]
