export type PayoutFact = never

export const payoutSentences = {}
