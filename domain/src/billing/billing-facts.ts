export type BillingFact = never

export const billingSentences = {}
