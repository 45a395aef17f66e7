import { ActionIcon, Menu } from "@mantine/core"
import { IconDots } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { RowAction } from "./types.ts"

/** What can be done with one row. The same list serves a record page's "More" menu. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  if (actions.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label} data-row-menu size={28}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <MenuAction key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** One entry of a menu: leads somewhere, downloads, or does something. */
export function MenuAction({ action }: { action: RowAction }) {
  const look = { leftSection: action.icon, c: action.danger ? "var(--tone-red)" : undefined, onClick: action.onClick }
  const { link, href } = action
  if (link) {
    return (
      <Menu.Item {...look} renderRoot={(props) => <Link {...props} {...link} />}>
        {action.label}
      </Menu.Item>
    )
  }
  if (href) {
    return (
      <Menu.Item {...look} component="a" href={href} download>
        {action.label}
      </Menu.Item>
    )
  }
  return <Menu.Item {...look}>{action.label}</Menu.Item>
}
