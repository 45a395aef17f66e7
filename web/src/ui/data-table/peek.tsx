import { ActionIcon, Button, Portal } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useKeys } from "../../shell/keys.ts"
import classes from "./data-table.module.css"

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
        <div className={classes.peekHead}>
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
        <div className={classes.peekBody}>{children}</div>
      </aside>
    </Portal>
  )
}
