import { Button, Text } from "@mantine/core"
import type { BenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { useSession } from "../shell/session.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { type Column, DataTable } from "../ui/data-table.tsx"
import { InstantText } from "../ui/day.tsx"
import { useBenefitCommands } from "./benefits.api.ts"
import { type BenefitsPlace, namedInput } from "./benefits-place.ts"
import { NamedDialog } from "./named-dialog.tsx"
import { RowButtons } from "./row-buttons.tsx"

/** The tab Benefits. */
export function BenefitsPanel({ list }: { list: BenefitsPlace }) {
  const { create, update, remove } = useBenefitCommands()
  const confirm = useConfirm()
  const mayWrite = useSession().can("benefits.write")
  const [editing, setEditing] = useState<BenefitRow | "new">()
  const add = mayWrite && (
    <Button size="compact-sm" h={30} onClick={() => setEditing("new")}>
      Add Benefit
    </Button>
  )
  const askToDelete = (row: BenefitRow) =>
    confirm({
      title: `Delete ${row.name}?`,
      body: "The benefit can no longer be chosen. One that product benefits or claims use is kept.",
      confirm: "Delete benefit",
      danger: true,
      action: () => remove.mutateAsync({ id: row.id, version: row.version }),
    })
  const columns: Column<BenefitRow>[] = [
    { key: "name", header: "Name", sort: "name", width: 220, card: "title", cell: (row) => row.name },
    { key: "description", header: "Description", cell: (row) => row.description || <Text c="dimmed">–</Text> },
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
        name="benefits"
        noun={{ one: "benefit", many: "benefits" }}
        list={list}
        query={(search) => api.benefits.benefits.list.queryOptions({ input: namedInput(search) })}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searchLabel="Search name or description"
        tools={add}
        failed="Failed to fetch benefits"
        empty={{ title: "No benefits yet", words: "A claim is made for one of them.", action: add }}
      />
      {editing && (
        <NamedDialog
          what="Benefit"
          row={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          create={create.mutateAsync}
          update={update.mutateAsync}
        />
      )}
    </>
  )
}
