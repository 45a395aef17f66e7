interface BenefitRecord<K extends string> {
  kind: K
  id: string
  label: string
}
type Changes = Record<string, unknown>
type BenefitFactOf<K extends string, T extends string> = {
  type: T
  record: BenefitRecord<K>
  groupId: null
  before?: Changes
  after?: Changes
}

export type BenefitFact =
  | BenefitFactOf<"product_type", "ProductTypeCreated" | "ProductTypeUpdated" | "ProductTypeDeleted">
  | BenefitFactOf<"benefit", "BenefitCreated" | "BenefitUpdated" | "BenefitDeleted">
  | BenefitFactOf<"tier", "TierCreated" | "TierUpdated" | "TierDeleted">
  | BenefitFactOf<"product_benefit", "ProductBenefitCreated" | "ProductBenefitUpdated" | "ProductBenefitDeleted">

export const benefitSentences = {
  ProductTypeCreated: () => "added the product type",
  ProductTypeUpdated: () => "edited the product type",
  ProductTypeDeleted: () => "deleted the product type",
  BenefitCreated: () => "added the benefit",
  BenefitUpdated: () => "edited the benefit",
  BenefitDeleted: () => "deleted the benefit",
  TierCreated: () => "added the benefit tier",
  TierUpdated: () => "edited the benefit tier",
  TierDeleted: () => "deleted the benefit tier",
  ProductBenefitCreated: () => "added the product benefit",
  ProductBenefitUpdated: () => "edited the product benefit",
  ProductBenefitDeleted: () => "deleted the product benefit",
}
