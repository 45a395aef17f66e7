export type PolicyFact = never

export const policySentences = {}
