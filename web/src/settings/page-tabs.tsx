import { Link, type LinkProps } from "@tanstack/react-router"
import classes from "./page-tabs.module.css"

export interface PageTab {
  label: string
  active: boolean
  link: LinkProps
}

/**
 * The tabs of a page whose parts have addresses of their own: links, so that each can be shared and opened elsewhere.
 *
 *     <PageTabs label="Settings" tabs={[{ label: "General", active: true, link: { to: "/settings" } }]} />
 */
export function PageTabs({ label, tabs }: { label: string; tabs: PageTab[] }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          {...tab.link}
          className={classes.tab}
          data-active={tab.active || undefined}
          aria-current={tab.active ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
