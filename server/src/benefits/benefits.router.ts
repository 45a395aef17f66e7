import { benefitChoices, benefitsList, productBenefitsList, productTypesList, tiersList } from "./benefits.queries.ts"
import { createBenefit, removeBenefit, updateBenefit } from "./benefits.ts"
import { createProductBenefit, removeProductBenefit, updateProductBenefit } from "./product-benefits.ts"
import { createProductType, removeProductType, updateProductType } from "./product-types.ts"
import { createTier, removeTier, reorderTiers, updateTier } from "./tiers.ts"

export const benefitsRouter = {
  choices: benefitChoices,
  productTypes: {
    list: productTypesList,
    create: createProductType,
    update: updateProductType,
    remove: removeProductType,
  },
  benefits: { list: benefitsList, create: createBenefit, update: updateBenefit, remove: removeBenefit },
  tiers: { list: tiersList, create: createTier, update: updateTier, reorder: reorderTiers, remove: removeTier },
  productBenefits: {
    list: productBenefitsList,
    create: createProductBenefit,
    update: updateProductBenefit,
    remove: removeProductBenefit,
  },
}
