import { Button, Group } from "@mantine/core"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { type Column, DataTable } from "../ui/data-table.tsx"
import { MoneyText } from "../ui/money.tsx"
import { benefitChoices, useProductBenefitCommands } from "./benefits.api.ts"
import { type BenefitsPlace, configurationInput } from "./benefits-place.ts"
import { useEditedRows } from "./edited-rows.tsx"
import { ProductBenefitDialog } from "./product-benefit-dialog.tsx"
import { TiersDialog } from "./tiers-dialog.tsx"

const nameOf = (row: ProductBenefitRow) => `${row.productType} / ${row.benefit} / ${row.tier}`

const columns: Column<ProductBenefitRow>[] = [
  { key: "productType", header: "Product Type", sort: "name", card: "title", cell: (row) => row.productType },
  { key: "benefit", header: "Benefit", sort: "benefit", cell: (row) => row.benefit },
  { key: "tier", header: "Benefit Tier", sort: "tier", width: 130, cell: (row) => row.tier },
  {
    key: "cost",
    header: "Cost",
    sort: "costCents",
    align: "right",
    width: 130,
    cell: (row) => <MoneyText cents={row.costCents} />,
  },
  {
    key: "coverAmount",
    header: "Cover Amount",
    sort: "coverAmountCents",
    align: "right",
    width: 160,
    cell: (row) => <MoneyText cents={row.coverAmountCents} />,
  },
  {
    key: "coverPercentage",
    header: "Cover %",
    sort: "coverPercentage",
    align: "right",
    width: 100,
    cell: (row) => `${row.coverPercentage} %`,
  },
]

/** The tab Configuration: what each tier gets under each product type, and the tiers themselves. */
export function ConfigurationPanel({ list }: { list: BenefitsPlace }) {
  const { remove } = useProductBenefitCommands()
  const choices = useQuery(benefitChoices())
  const [managing, setManaging] = useState(false)
  const { mayWrite, addButton, actions, editing } = useEditedRows<ProductBenefitRow>({
    add: "Add Configuration",
    nameOf,
    question: (row) => ({
      title: "Delete this product benefit?",
      body: `${nameOf(row)}: claims are no longer checked against this cover. One that open claims use is kept.`,
      confirm: "Delete product benefit",
    }),
    remove: remove.mutateAsync,
  })
  return (
    <>
      <DataTable
        name="product-benefits"
        noun={{ one: "product benefit", many: "product benefits" }}
        list={list}
        query={(search) => api.benefits.productBenefits.list.queryOptions({ input: configurationInput(search) })}
        columns={[...columns, ...actions]}
        rowId={(row) => row.id}
        rowName={nameOf}
        searchLabel="Search product type, benefit or tier"
        filters={[
          {
            name: "productTypeId",
            label: "Product type",
            kind: "choice",
            options: choices.data?.productTypes.map(({ id, name }) => ({ value: id, label: name })) ?? [],
          },
        ]}
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
          words: "They say what each tier gets from a benefit under a product type.",
          action: addButton,
        }}
      />
      {editing && <ProductBenefitDialog {...editing} />}
      {managing && <TiersDialog onClose={() => setManaging(false)} />}
    </>
  )
}
