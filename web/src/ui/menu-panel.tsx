import { Menu } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { MouseEvent } from "react"
import { opensInNewTab } from "../platform/download.ts"
import type { RowAction } from "./data-table/types.ts"
import type { PopupProps } from "./lazy-popup.tsx"
import { downloadWithToast } from "./use-download.ts"

export interface MenuActions {
  actions: RowAction[] | (() => RowAction[])
}

export default function MenuPanel({ button, opened, onChange, actions }: PopupProps & MenuActions) {
  const offered = typeof actions === "function" ? (opened ? actions() : []) : actions
  return (
    <Menu opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {offered.map((action) => (
          <MenuAction key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function MenuAction({ action }: { action: RowAction }) {
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
      <Menu.Item
        {...look}
        component="a"
        href={href}
        download
        onClick={(event) => followLink(event, href, action.download)}
      >
        {action.label}
      </Menu.Item>
    )
  }
  return <Menu.Item {...look}>{action.label}</Menu.Item>
}

/** The menu has closed by the time of a refusal, so it is shown as a toast. */
function followLink(event: MouseEvent, href: string, download = downloadWithToast): void {
  if (opensInNewTab(event)) return
  event.preventDefault()
  void download(href)
}
