import { ActionIcon, Button, Portal } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import classes from "./peek.module.css"
import type { Column } from "./types.ts"

interface PeekProps<Row> {
  columns: Column<Row>[]
  row: Row
  title: string
  children?: ReactNode
  onClose: () => void
  onOpen?: (() => void) | undefined
}

/** The list stays usable beside it: j and k move, Space and Esc close. */
export default function Peek<Row>({ columns, row, title, children, onClose, onOpen }: PeekProps<Row>) {
  useKeys({ Escape: onClose })
  return (
    <Portal>
      <aside className={classes.peek} aria-label={title}>
        <div className={classes.head}>
          <strong>{title}</strong>
          <span className={classes.grow} />
          {onOpen && (
            <Button variant="default" size="compact-sm" onClick={onOpen}>
              Open
            </Button>
          )}
          <ActionIcon aria-label="Close preview" onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </div>
        <div className={classes.body}>{children ?? <AllColumns columns={columns} row={row} />}</div>
      </aside>
    </Portal>
  )
}

function AllColumns<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
  return (
    <dl className={classes.facts}>
      {columns.map((column) => (
        <div key={column.key}>
          <dt>{column.header}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}
