import { Link, type LinkProps } from "@tanstack/react-router"
import classes from "./page-tabs.module.css"

interface PageTab {
  label: string
  active: boolean
  link: LinkProps
  count?: number | undefined
  /** Counting stopped at `count`; there are more. */
  capped?: boolean | undefined
}

interface PageTabsProps {
  label: string
  tabs: PageTab[]
  onLeave?: () => void
}

function scrollTabIntoView(tab: HTMLAnchorElement | null): void {
  const row = tab?.parentElement
  if (!tab || !row) return
  const end = tab.offsetLeft - row.offsetLeft + tab.offsetWidth - row.clientWidth
  if (end > row.scrollLeft) row.scrollLeft = end + edgeWidthPx
}

/** Fade width in pixels; the same value is in `page-tabs.module.css`. */
const edgeWidthPx = 32

/**
 * Tabs as links, so that each has an address.
 *
 *     <PageTabs label="Settings" tabs={[{ label: "General", active: true, link: { to: "/settings" } }]} />
 */
export function PageTabs({ label, tabs, onLeave }: PageTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          {...tab.link}
          ref={tab.active ? scrollTabIntoView : undefined}
          className={classes.tab}
          data-active={tab.active || undefined}
          aria-current={tab.active ? "page" : undefined}
          onClick={onLeave}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className={classes.count}>
              {tab.count.toLocaleString("en-ZA")}
              {tab.capped && "+"}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
