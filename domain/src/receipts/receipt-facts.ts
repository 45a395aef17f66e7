export type ReceiptFact = never

export const receiptSentences = {}
