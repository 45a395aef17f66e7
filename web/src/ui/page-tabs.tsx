import { Link, type LinkProps } from "@tanstack/react-router"
import classes from "./page-tabs.module.css"

interface PageTab {
  label: string
  active: boolean
  link: LinkProps
  count?: number | undefined
  /** There are more than `count`, which is where counting stopped. */
  capped?: boolean | undefined
}

interface PageTabsProps {
  label: string
  tabs: PageTab[]
  /** Called as another tab is opened. */
  onLeave?: () => void
}

/** Where the tabs are wider than a phone, the one that is open is not beyond its edge. */
function intoView(tab: HTMLAnchorElement | null): void {
  const row = tab?.parentElement
  if (!tab || !row) return
  const end = tab.offsetLeft - row.offsetLeft + tab.offsetWidth - row.clientWidth
  if (end > row.scrollLeft) row.scrollLeft = end + edge
}

/** How far the tabs fade out where more of them follow, in pixels, as `page-tabs.module.css` has it. */
const edge = 32

/**
 * The tabs of a page, a list or a record: links, so that each has an address, can be shared and opened elsewhere.
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
          ref={tab.active ? intoView : undefined}
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
