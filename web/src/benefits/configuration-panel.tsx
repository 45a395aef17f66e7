import { Button, Group } from "@mantine/core"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { productBenefitsList } from "@milkwood/domain/benefits/benefits.list"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../ui/data-table.tsx"
import { benefitChoicesQuery, useProductBenefitCommands } from "./benefits.api.ts"
import type { ListPlaceOf } from "./benefits-place.ts"
import { useEditableRows } from "./edited-rows.tsx"
import { ProductBenefitDialog } from "./product-benefit-dialog.tsx"
import { TiersDialog } from "./tiers-dialog.tsx"

const configurationNameOf = (row: ProductBenefitRow) => `${row.productType} / ${row.benefit} / ${row.tier}`

const columns = columnsOf<ProductBenefitRow, typeof productBenefitsList>(productBenefitsList, {
  tier: { width: 130 },
  coverAmount: { width: 160 },
  coverPercentage: { width: 100, cell: (row) => `${row.coverPercentage} %` },
})
const table = tableOf<ProductBenefitRow>(productBenefitsList)

export function ConfigurationPanel({ list }: { list: ListPlaceOf<typeof productBenefitsList> }) {
  const { remove } = useProductBenefitCommands()
  const choices = useQuery(benefitChoicesQuery())
  const [managing, setManaging] = useState(false)
  const { mayWrite, addButton, actions, editing } = useEditableRows<ProductBenefitRow>({
    add: "Add Configuration",
    nameOf: configurationNameOf,
    question: (row) => ({
      title: "Delete this product benefit?",
      body: `${configurationNameOf(row)}: claims are no longer checked against this cover. A product benefit in use by open claims cannot be deleted.`,
      confirm: "Delete product benefit",
    }),
    remove: remove.mutateAsync,
  })
  return (
    <>
      <DataTable
        {...table}
        list={list}
        query={(search) => api.benefits.productBenefits.list.queryOptions({ input: search })}
        columns={[...columns, ...actions]}
        rowId={(row) => row.id}
        rowName={configurationNameOf}
        filters={withFilterChoices(table.filters, { productTypeId: choices.data?.productTypes })}
        exportFrom={{ path: "/api/product-benefits" }}
        tools={
          <Group gap="xs">
            <Button variant="default" size="compact-sm" h={30} onClick={() => setManaging(true)}>
              {mayWrite ? "Manage tiers" : "Show tiers"}
            </Button>
            {addButton}
          </Group>
        }
        failed="Failed to fetch product benefits"
        empty={{
          title: "No product benefits yet",
          words: "Set the cover for each tier.",
          action: addButton,
        }}
      />
      {editing && <ProductBenefitDialog {...editing} />}
      {managing && <TiersDialog onClose={() => setManaging(false)} />}
    </>
  )
}
