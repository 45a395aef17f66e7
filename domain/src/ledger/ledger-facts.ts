export type LedgerFact = never

export const ledgerSentences = {}
