export type MemberFact = never

export const memberSentences = {}
