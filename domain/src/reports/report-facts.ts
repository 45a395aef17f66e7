export type ReportFact = never

export const reportSentences = {}
