import { Button, Text } from "@mantine/core"
import type { ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { useSession } from "../shell/session.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { type Column, DataTable } from "../ui/data-table.tsx"
import { InstantText } from "../ui/day.tsx"
import { useProductTypeCommands } from "./benefits.api.ts"
import { type BenefitsPlace, namedInput } from "./benefits-place.ts"
import { ProductTypeDialog } from "./product-type-dialog.tsx"
import { RowButtons } from "./row-buttons.tsx"

/** The tab Product Types. */
export function ProductTypesPanel({ list }: { list: BenefitsPlace }) {
  const { remove } = useProductTypeCommands()
  const confirm = useConfirm()
  const mayWrite = useSession().can("benefits.write")
  const [editing, setEditing] = useState<ProductTypeRow | "new">()
  const add = mayWrite && (
    <Button size="compact-sm" h={30} onClick={() => setEditing("new")}>
      Add Product Type
    </Button>
  )
  const askToDelete = (row: ProductTypeRow) =>
    confirm({
      title: `Delete ${row.name}?`,
      body: "The product type can no longer be chosen. One that policies or product benefits use is kept.",
      confirm: "Delete product type",
      danger: true,
      action: () => remove.mutateAsync({ id: row.id, version: row.version }),
    })
  const columns: Column<ProductTypeRow>[] = [
    { key: "name", header: "Name", sort: "name", width: 220, card: "title", cell: (row) => row.name },
    { key: "description", header: "Description", cell: (row) => row.description || <Text c="dimmed">–</Text> },
    { key: "vat", header: "VAT", align: "right", width: 90, cell: (row) => `${row.vatPercent} %` },
    {
      key: "createdAt",
      header: "Created",
      sort: "createdAt",
      width: 120,
      cell: (row) => <InstantText at={row.createdAt} show="day" />,
    },
  ]
  if (mayWrite) {
    columns.push({
      key: "actions",
      header: "Actions",
      align: "right",
      width: 100,
      card: "aside",
      cell: (row) => (
        <RowButtons
          name={row.name}
          allowed={row.allowedActions}
          onEdit={() => setEditing(row)}
          onDelete={() => askToDelete(row)}
        />
      ),
    })
  }
  return (
    <>
      <DataTable
        name="product-types"
        noun={{ one: "product type", many: "product types" }}
        list={list}
        query={(search) => api.benefits.productTypes.list.queryOptions({ input: namedInput(search) })}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searchLabel="Search name or description"
        tools={add}
        failed="Failed to fetch product types"
        empty={{ title: "No product types yet", words: "A policy is made for one of them.", action: add }}
      />
      {editing && (
        <ProductTypeDialog row={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}
