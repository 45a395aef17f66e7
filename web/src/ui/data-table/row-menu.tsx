import { ActionIcon } from "@mantine/core"
import { IconDots } from "@tabler/icons-react"
import { ActionMenu } from "../popups.tsx"
import type { RowAction } from "./types.ts"

/** What can be done with one row. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  if (actions.length === 0) return null
  const button = (
    <ActionIcon aria-label={label} aria-haspopup="menu" data-row-menu size={28}>
      <IconDots size={16} />
    </ActionIcon>
  )
  return <ActionMenu button={button} actions={actions} />
}
