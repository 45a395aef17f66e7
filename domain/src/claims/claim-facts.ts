export type ClaimFact = never

export const claimSentences = {}
