import type { ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { api } from "../platform/api.ts"
import { type Column, DataTable } from "../ui/data-table.tsx"
import { useProductTypeCommands } from "./benefits.api.ts"
import { type BenefitsPlace, namedInput } from "./benefits-place.ts"
import { createdColumn, descriptionColumn, nameColumn, useEditedRows } from "./edited-rows.tsx"
import { ProductTypeDialog } from "./product-type-dialog.tsx"

const vatColumn: Column<ProductTypeRow> = {
  key: "vat",
  header: "VAT",
  align: "right",
  width: 90,
  cell: (row) => `${row.vatPercent} %`,
}

/** The tab Product Types. */
export function ProductTypesPanel({ list }: { list: BenefitsPlace }) {
  const { remove } = useProductTypeCommands()
  const { addButton, actions, editing } = useEditedRows<ProductTypeRow>({
    add: "Add Product Type",
    nameOf: (row) => row.name,
    question: (row) => ({
      title: `Delete ${row.name}?`,
      body: "The product type can no longer be chosen. One that policies or product benefits use is kept.",
      confirm: "Delete product type",
    }),
    remove: remove.mutateAsync,
  })
  return (
    <>
      <DataTable
        name="product-types"
        noun={{ one: "product type", many: "product types" }}
        list={list}
        query={(search) => api.benefits.productTypes.list.queryOptions({ input: namedInput(search) })}
        columns={[nameColumn, descriptionColumn, vatColumn, createdColumn, ...actions]}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searchLabel="Search name or description"
        tools={addButton}
        failed="Failed to fetch product types"
        empty={{ title: "No product types yet", words: "A policy is made for one of them.", action: addButton }}
      />
      {editing && <ProductTypeDialog {...editing} />}
    </>
  )
}
