import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { useMemo } from "react"
import { useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { PageTabs } from "../../ui/page-tabs.tsx"
import { BenefitsPanel } from "../benefits-panel.tsx"
import { benefitsAddress } from "../benefits-place.ts"
import { ConfigurationPanel } from "../configuration-panel.tsx"
import { ProductTypesPanel } from "../product-types-panel.tsx"

export const Route = createFileRoute("/_app/benefits")({
  ...benefitsAddress,
  staticData: { permission: "benefits.read" },
  component: BenefitsPage,
})

const tabs = [
  { value: "product-types", label: "Product Types", Panel: ProductTypesPanel },
  { value: "benefits", label: "Benefits", Panel: BenefitsPanel },
  { value: "configuration", label: "Configuration", Panel: ConfigurationPanel },
] as const

function BenefitsPage() {
  const address = Route.useSearch()
  // `tab` selects the list; without this, the lists would treat it as part of a view.
  const search = useMemo(() => {
    const { tab: _tab, ...rest } = address
    return rest
  }, [address])
  const list = useListPlace(search)
  const { Panel } = tabs.find(({ value }) => value === address.tab) ?? tabs[0]
  return (
    <ListPage>
      <PageHeader title="Benefits management" />
      <PageTabs
        label="Benefits management"
        tabs={tabs.map(({ value, label }) => ({
          label,
          active: value === address.tab,
          link: linkOptions({ to: "/benefits", search: { tab: value } }),
        }))}
      />
      <Panel list={list as never} />
    </ListPage>
  )
}
