import { Button } from "@mantine/core"
import type { BenefitAction } from "@milkwood/domain/benefits/benefit"
import { useState } from "react"
import { useSession } from "../platform/session.ts"
import { useConfirm } from "../ui/confirm.tsx"
import type { Column } from "../ui/data-table.tsx"
import { RowButtons } from "./row-buttons.tsx"

interface EditableRow {
  id: string
  version: number
  allowedActions: readonly BenefitAction[]
}

interface EditableRowsOptions<Row> {
  add: string
  nameOf: (row: Row) => string
  /** The confirmation before deleting. */
  question: (row: Row) => { title: string; body: string; confirm: string }
  remove: (row: { id: string; version: number }) => Promise<unknown>
}

/**
 * Add button, edit and delete column, and dialog state of the lists on this page.
 *
 *     const { addButton, actions, editing } = useEditedRows<BenefitRow>({ add: "Add Benefit", … })
 *     {editing && <BenefitDialog {...editing} />}
 */
export function useEditableRows<Row extends EditableRow>({ add, nameOf, question, remove }: EditableRowsOptions<Row>) {
  const confirm = useConfirm()
  const mayWrite = useSession().can("benefits.write")
  const [chosen, setChosen] = useState<Row | "new">()
  const askToDelete = (row: Row) =>
    confirm({ ...question(row), danger: true, action: () => remove({ id: row.id, version: row.version }) })
  const column: Column<Row> = {
    key: "actions",
    header: "Actions",
    align: "right",
    width: 100,
    card: "aside",
    cell: (row) => (
      <RowButtons
        name={nameOf(row)}
        allowed={row.allowedActions}
        onEdit={() => setChosen(row)}
        onDelete={() => askToDelete(row)}
      />
    ),
  }
  return {
    mayWrite,
    addButton: mayWrite && (
      <Button size="compact-sm" h={30} onClick={() => setChosen("new")}>
        {add}
      </Button>
    ),
    actions: mayWrite ? [column] : [],
    editing: chosen && { row: chosen === "new" ? undefined : chosen, onClose: () => setChosen(undefined) },
  }
}

export const namedColumnLooks = { name: { width: 220 }, description: {}, createdAt: {} }
