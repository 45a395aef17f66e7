import { ActionIcon, Button, Portal } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import classes from "./peek.module.css"
import type { Column } from "./types.ts"

interface PeekProps {
  opened: boolean
  title: string
  children: ReactNode
  onClose: () => void
  onOpen?: () => void
}

/** A look at a row beside the list, which stays usable: j and k move on, Space and Esc close. */
export function Peek({ opened, title, children, onClose, onOpen }: PeekProps) {
  useKeys({ Escape: onClose }, opened)
  if (!opened) return null
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
        <div className={classes.body}>{children}</div>
      </aside>
    </Portal>
  )
}

/** What the look shows unless the list says otherwise. */
export function EveryColumn<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
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
