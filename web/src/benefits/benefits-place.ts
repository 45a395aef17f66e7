import { type ListPlace, type ListSearch, text } from "../ui/list-address.ts"

const benefitTabs = ["product-types", "benefits", "configuration"] as const

const configurationSorts = ["benefit", "tier", "costCents", "coverAmountCents", "coverPercentage"] as const

/** The three tabs share one address; `name` sorts each by its first column. */
export const benefitsAddress = {
  sorts: ["name", "createdAt", ...configurationSorts],
  defaultSort: "name",
  tabs: benefitTabs,
  filters: { productTypeId: text },
} as const

export interface BenefitsSearch extends Omit<ListSearch, "tab"> {
  sort: (typeof benefitsAddress.sorts)[number]
  productTypeId?: string
}
export type BenefitsPlace = ListPlace<BenefitsSearch>

const paging = ({ page, pageSize, dir, search }: BenefitsSearch) => ({ page, pageSize, dir, search })

/** What the lists of product types and of benefits are asked with. */
export const namedInput = (search: BenefitsSearch) => ({
  ...paging(search),
  sort: search.sort === "createdAt" ? ("createdAt" as const) : ("name" as const),
})

/** What the configuration is asked with. */
export const configurationInput = (search: BenefitsSearch) => ({
  ...paging(search),
  sort: configurationSorts.find((sort) => sort === search.sort) ?? ("productType" as const),
  productTypeId: search.productTypeId,
})
