export type UserFact = never

export const userSentences = {}
