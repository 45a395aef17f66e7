import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { LoadFailed } from "../ui/load-failed.tsx"
import classes from "./catalogue.module.css"

interface QueryListProps<Row> {
  label: string
  query: UseQueryResult<Row[]>
  failed: string
  empty: ReactNode
  children: (row: Row) => ReactNode
}

export function QueryList<Row>({ label, query, failed, empty, children }: QueryListProps<Row>) {
  if (!query.data)
    return (
      query.isError && <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} title={failed} />
    )
  if (query.data.length === 0) return empty
  return (
    <ul className={classes.reports} aria-label={label}>
      {query.data.map(children)}
    </ul>
  )
}
