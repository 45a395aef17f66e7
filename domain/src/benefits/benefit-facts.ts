export type BenefitFact = never

export const benefitSentences = {}
