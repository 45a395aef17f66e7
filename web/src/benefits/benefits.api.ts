import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

const saved = (one: string, done: "created" | "updated") => ({
  success: `${capital(one)} ${done} successfully`,
  failure: `Failed to save ${one}`,
  quiet: ["STALE"],
})
const deleted = (one: string) => ({
  success: `${capital(one)} deleted successfully`,
  failure: `Failed to delete ${one}`,
})
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const useProductTypeCommands = () => ({
  create: useCommand(api.benefits.productTypes.create, saved("product type", "created")),
  update: useCommand(api.benefits.productTypes.update, saved("product type", "updated")),
  remove: useCommand(api.benefits.productTypes.remove, deleted("product type")),
})

export const useBenefitCommands = () => ({
  create: useCommand(api.benefits.benefits.create, saved("benefit", "created")),
  update: useCommand(api.benefits.benefits.update, saved("benefit", "updated")),
  remove: useCommand(api.benefits.benefits.remove, deleted("benefit")),
})

export const useTierCommands = () => ({
  create: useCommand(api.benefits.tiers.create, saved("benefit tier", "created")),
  update: useCommand(api.benefits.tiers.update, saved("benefit tier", "updated")),
  remove: useCommand(api.benefits.tiers.remove, deleted("benefit tier")),
  reorder: useCommand(api.benefits.tiers.reorder, { failure: "Failed to reorder the tiers" }),
})

export const useProductBenefitCommands = () => ({
  create: useCommand(api.benefits.productBenefits.create, saved("product benefit", "created")),
  update: useCommand(api.benefits.productBenefits.update, saved("product benefit", "updated")),
  remove: useCommand(api.benefits.productBenefits.remove, deleted("product benefit")),
})

export const benefitChoices = () => api.benefits.choices.queryOptions({})
