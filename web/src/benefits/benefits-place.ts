import { benefitsList, productBenefitsList, productTypesList } from "@milkwood/domain/benefits/benefits.list"
import { defaultListInput, type ListInput, type ListWords } from "@milkwood/domain/kernel/list"
import { type SearchMiddleware, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { type ListPlace, type ListSearch, listAddress, oneOfReader } from "../ui/list-address.ts"

const tabs = ["product-types", "benefits", "configuration"] as const

type BenefitsSearch = ListSearch & { tab: (typeof tabs)[number]; productTypeId?: string | undefined }

const listsByTab = { "product-types": productTypesList, benefits: benefitsList, configuration: productBenefitsList }
const tabOf = ({ tab }: { tab?: unknown }) => oneOfReader(tabs)(tab) ?? tabs[0]

const validateSearch = (raw: Partial<BenefitsSearch> & SearchSchemaInput): BenefitsSearch =>
  listAddress(listsByTab[tabOf(raw)] as ListWords, {}, tabs).validateSearch(raw as never) as never

const stripDefaults: SearchMiddleware<BenefitsSearch> = (asked) => {
  const found = asked.next(asked.search)
  const start = { ...defaultListInput(listsByTab[tabOf(found)] as ListWords), tab: tabs[0] }
  return stripSearchParams<BenefitsSearch>(start as never)({ ...asked, search: found, next: () => found })
}

export const benefitsAddress = { validateSearch, search: { middlewares: [stripDefaults] } }

export type ListPlaceOf<D extends ListWords> = ListPlace<ListInput<D>>
