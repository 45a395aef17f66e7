import { Link } from "@tanstack/react-router"
import classes from "./view-tabs.module.css"

interface ViewTabsProps {
  label: string
  active: string
  tabs: { value: string; label: string; count?: number | undefined }[]
  onLeave?: () => void
}

/** The views of a list with their counts: links, so that each has an address and opens in another window. */
export function ViewTabs({ label, active, tabs, onLeave }: ViewTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.value}
          to="."
          search={(before: object) => ({ ...before, tab: tab.value, page: 1 }) as never}
          resetScroll={false}
          className={classes.tab}
          data-active={tab.value === active || undefined}
          aria-current={tab.value === active ? "page" : undefined}
          onClick={onLeave}
        >
          {tab.label}
          {tab.count !== undefined && <span className={classes.count}>{tab.count.toLocaleString("en-ZA")}</span>}
        </Link>
      ))}
    </nav>
  )
}
