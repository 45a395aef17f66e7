import { benefitsContract as contract } from "@milkwood/domain/benefits/benefits.contract"
import { query } from "../platform/calls/commands.ts"
import { listBenefits, listProductBenefits, listProductTypes, listTiers } from "./benefit-lists.queries.ts"
import { benefitChoices, benefitRow, productBenefitRow, productTypeRow, tierRow } from "./benefits.queries.ts"
import { createBenefit, removeBenefit, updateBenefit } from "./benefits.ts"
import { productBenefitEffect } from "./product-benefit-effect.queries.ts"
import { createProductBenefit, removeProductBenefit, updateProductBenefit } from "./product-benefits.ts"
import { createProductType, removeProductType, updateProductType } from "./product-types.ts"
import { addStartingSet } from "./starting-set.ts"
import { createTier, removeTier, reorderTiers, updateTier } from "./tiers.ts"

export const benefitsRouter = {
  choices: benefitChoices,
  addStartingSet,
  productTypes: {
    list: listProductTypes,
    get: query(contract.productTypes.get, (cx) => productTypeRow(cx, cx.input.id)),
    create: createProductType,
    update: updateProductType,
    remove: removeProductType,
  },
  benefits: {
    list: listBenefits,
    get: query(contract.benefits.get, (cx) => benefitRow(cx, cx.input.id)),
    create: createBenefit,
    update: updateBenefit,
    remove: removeBenefit,
  },
  tiers: {
    list: listTiers,
    get: query(contract.tiers.get, (cx) => tierRow(cx, cx.input.id)),
    create: createTier,
    update: updateTier,
    reorder: reorderTiers,
    remove: removeTier,
  },
  productBenefits: {
    list: listProductBenefits,
    get: query(contract.productBenefits.get, (cx) => productBenefitRow(cx, cx.input.id)),
    effect: productBenefitEffect,
    create: createProductBenefit,
    update: updateProductBenefit,
    remove: removeProductBenefit,
  },
}
