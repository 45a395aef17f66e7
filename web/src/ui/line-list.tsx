import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useId } from "react"
import classes from "./line-list.module.css"
import { LoadFailed } from "./load-failed.tsx"

interface SettingsSectionProps {
  title: string
  words?: ReactNode
  query: UseQueryResult
  failed: string
  children: ReactNode
}

export function SettingsSection({ title, words, query, failed, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {words && <p className={classes.words}>{words}</p>}
      {query.isError && !query.data && (
        <LoadFailed title={failed} error={query.error} onRetry={query.refetch} busy={query.isFetching} />
      )}
      {children}
    </section>
  )
}

export function SettingsList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

export function SettingsLine({ what, words, children }: { what: ReactNode; words: ReactNode; children?: ReactNode }) {
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <div>{what}</div>
        <div className={classes.words}>{words}</div>
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </li>
  )
}
