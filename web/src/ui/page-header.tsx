import { Group } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { Link, type LinkProps } from "@tanstack/react-router"
import { memo, type ReactNode, useDeferredValue, useEffect } from "react"
import classes from "./page-header.module.css"

interface PageHeaderProps {
  title: ReactNode
  /** The document title; required if `title` is not plain text. */
  name?: string
  subtitle?: ReactNode
  badge?: ReactNode
  amount?: ReactNode
  /** One primary action; at most one secondary action before it. */
  actions?: ReactNode
  back?: LinkProps & { label: string }
}

/**
 * Page title with one primary action.
 *
 *     <PageHeader title="Claims" actions={<Button component={Link} to="/claims/new">New claim</Button>} />
 */
export function PageHeader(props: PageHeaderProps) {
  // Deferred: controls of the page respond first.
  return <Head {...useDeferredValue(props)} />
}

const Head = memo(function Head({ title, name, subtitle, amount, badge, actions, back }: PageHeaderProps) {
  usePageName(name ?? (typeof title === "string" ? title : undefined))
  return (
    <header className={classes.header}>
      {back && <BackLink {...back} />}
      <div className={classes.words}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {amount !== undefined && <div className={classes.amount}>{amount}</div>}
          {badge}
        </div>
        {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
      </div>
      {actions && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </header>
  )
})

export function BackLink({ label, ...link }: LinkProps & { label: string }) {
  return (
    <div className={classes.back}>
      <Link {...link}>
        <IconArrowLeft size={14} aria-hidden />
        {label}
      </Link>
    </div>
  )
}

export function usePageName(name: string | undefined) {
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} · Milkwood`
    return () => {
      document.title = "Milkwood"
    }
  }, [name])
}
