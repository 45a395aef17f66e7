import { IconDots } from "@tabler/icons-react"
import { ActionMenu } from "../popups.tsx"
import classes from "./row-parts.module.css"
import type { RowAction } from "./types.ts"

export function RowMenu({ label, actions }: { label: string; actions: () => RowAction[] }) {
  const button = (
    <button type="button" className={classes.button} aria-label={label} aria-haspopup="menu" data-row-menu>
      <IconDots size={16} aria-hidden />
    </button>
  )
  return <ActionMenu button={button} actions={actions} />
}
