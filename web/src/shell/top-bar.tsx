import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core"
import { IconKeyboard, IconMenu2, IconSearch } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { modKey } from "../platform/keyboard.ts"
import { Bell } from "./bell.tsx"
import classes from "./top-bar.module.css"
import { UserMenu } from "./user-menu.tsx"

interface TopBarProps {
  /** Opens the drawer on a phone. */
  onMenu?: () => void
  onSearch: () => void
  onKeyMap: () => void
}

export function TopBar({ onMenu, onSearch, onKeyMap }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <a className={classes.skip} href="#page">
        Skip to content
      </a>
      {onMenu && (
        <ActionIcon size={36} aria-label="Menu" onClick={onMenu}>
          <IconMenu2 size={20} />
        </ActionIcon>
      )}
      <Link to="/" className={classes.brand}>
        <img src="/milkwood.svg" width={24} height={24} alt="" />
        <span className={classes.name}>Milkwood</span>
        <span className={classes.tagline}>Group policy management system</span>
      </Link>
      <UnstyledButton className={classes.search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} aria-hidden />
        <span className={classes.searchWords}>Search records and pages</span>
        <Kbd size="xs" className={classes.searchKey} aria-hidden>
          {modKey} K
        </Kbd>
      </UnstyledButton>
      <div className={classes.tools}>
        <ActionIcon
          size={32}
          aria-label="Keyboard map"
          title="Keyboard map"
          className={classes.keyboard}
          onClick={onKeyMap}
        >
          <IconKeyboard size={18} stroke={1.7} />
        </ActionIcon>
        <Bell />
        <UserMenu />
      </div>
    </header>
  )
}
