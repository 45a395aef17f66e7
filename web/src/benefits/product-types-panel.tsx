import type { ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { productTypesList } from "@milkwood/domain/benefits/benefits.list"
import { vatClassNames } from "@milkwood/domain/benefits/vat"
import { api } from "../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../ui/data-table.tsx"
import { useProductTypeCommands } from "./benefits.api.ts"
import type { ListPlaceOf } from "./benefits-place.ts"
import { namedColumnLooks, useEditableRows } from "./edited-rows.tsx"
import { ProductTypeDialog } from "./product-type-dialog.tsx"

const columns = columnsOf<ProductTypeRow, typeof productTypesList>(productTypesList, {
  ...namedColumnLooks,
  vat: { cell: (row) => (row.vatClass === "standard" ? `${row.vatPercent} %` : vatClassNames[row.vatClass]) },
})

export function ProductTypesPanel({ list }: { list: ListPlaceOf<typeof productTypesList> }) {
  const { remove } = useProductTypeCommands()
  const { addButton, actions, editing } = useEditableRows<ProductTypeRow>({
    add: "Add Product Type",
    nameOf: (row) => row.name,
    question: (row) => ({
      title: `Delete ${row.name}?`,
      body: "You can no longer choose it. A product type in use by policies or product benefits cannot be deleted.",
      confirm: "Delete product type",
    }),
    remove: remove.mutateAsync,
  })
  return (
    <>
      <DataTable
        {...tableOf(productTypesList)}
        list={list}
        query={(search) => api.benefits.productTypes.list.queryOptions({ input: search })}
        columns={[...columns, ...actions]}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        tools={addButton}
        failed="Failed to fetch product types"
        empty={{ title: "No product types yet", words: "Each policy has one product type.", action: addButton }}
      />
      {editing && <ProductTypeDialog {...editing} />}
    </>
  )
}
