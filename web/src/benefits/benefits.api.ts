import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

const saveMessages = (one: string, done: "created" | "updated") => ({
  success: `${capitalize(one)} ${done} successfully`,
  failure: `Failed to save ${one}`,
  quiet: ["STALE"],
})
const deleteMessages = (one: string) => ({
  success: `${capitalize(one)} deleted successfully`,
  failure: `Failed to delete ${one}`,
})
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const useProductTypeCommands = () => ({
  create: useCommand(api.benefits.productTypes.create, saveMessages("product type", "created")),
  update: useCommand(api.benefits.productTypes.update, saveMessages("product type", "updated")),
  remove: useCommand(api.benefits.productTypes.remove, deleteMessages("product type")),
})

export const useBenefitCommands = () => ({
  create: useCommand(api.benefits.benefits.create, saveMessages("benefit", "created")),
  update: useCommand(api.benefits.benefits.update, saveMessages("benefit", "updated")),
  remove: useCommand(api.benefits.benefits.remove, deleteMessages("benefit")),
})

export const useTierCommands = () => ({
  create: useCommand(api.benefits.tiers.create, saveMessages("benefit tier", "created")),
  update: useCommand(api.benefits.tiers.update, saveMessages("benefit tier", "updated")),
  remove: useCommand(api.benefits.tiers.remove, deleteMessages("benefit tier")),
  reorder: useCommand(api.benefits.tiers.reorder, { failure: "Failed to reorder the tiers" }),
})

export const useProductBenefitCommands = () => ({
  create: useCommand(api.benefits.productBenefits.create, saveMessages("product benefit", "created")),
  update: useCommand(api.benefits.productBenefits.update, saveMessages("product benefit", "updated")),
  remove: useCommand(api.benefits.productBenefits.remove, deleteMessages("product benefit")),
})

export const useStartingSetCommands = () => ({
  add: useCommand(api.benefits.addStartingSet, {
    success: ({ productType, productBenefits }) =>
      `${productType.name} added with ${productBenefits} product ${productBenefits === 1 ? "benefit" : "benefits"}`,
    failure: "Failed to add the starting set",
  }),
})

export const benefitChoicesQuery = () => api.benefits.choices.queryOptions({})
