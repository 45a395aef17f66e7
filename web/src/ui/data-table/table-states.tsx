import { Button, Loader, Skeleton } from "@mantine/core"
import { type ReactNode, useEffect, useState } from "react"
import { EmptyState } from "../empty-state.tsx"
import classes from "./data-table.module.css"
import type { Column } from "./types.ts"

/** True once `waiting` has lasted `after` ms; quicker loads show no waiting state. */
export function useDelayedFlag(waiting: boolean, after = 300): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) {
      setLate(false)
      return
    }
    const timer = setTimeout(() => setLate(true), after)
    return () => clearTimeout(timer)
  }, [waiting, after])
  return waiting && late
}

interface TableSkeletonProps<Row> {
  visible: boolean
  columns: Column<Row>[]
  phone: boolean
  rows: number
  words?: string | undefined
}

export function TableSkeleton<Row>({ visible, columns, phone, rows, words }: TableSkeletonProps<Row>) {
  const shape = (
    <div className={classes.skeleton} style={{ visibility: visible ? "visible" : "hidden" }} aria-hidden>
      {Array.from({ length: rows }, (_, index) => index).map((row) => (
        <div key={row} className={phone ? classes.skeletonCard : classes.skeletonRow}>
          {(phone ? columns.slice(0, 2) : columns).map((column) => (
            <Skeleton
              key={column.key}
              height={10}
              radius="sm"
              style={{ flex: column.width ? `0 1 ${column.width - 24}px` : 1 }}
            />
          ))}
        </div>
      ))}
    </div>
  )
  if (words === undefined) return shape
  return (
    <>
      {visible && (
        <div className={classes.loading} role="status">
          <Loader size="xs" /> {words}
        </div>
      )}
      {shape}
    </>
  )
}

interface ListEmptyProps {
  nothingYet: boolean
  empty: { title: string; words?: ReactNode; action?: ReactNode }
  noMatch: string
  beyondEnd: boolean
  filtered: boolean
  onFirstPage: () => void
  onClear: () => void
}

export function ListEmpty(props: ListEmptyProps) {
  const { nothingYet, empty, noMatch, beyondEnd, filtered, onFirstPage, onClear } = props
  if (beyondEnd) {
    return (
      <EmptyState
        title="This page is past the end of the list"
        action={
          <Button variant="default" onClick={onFirstPage}>
            Go to the first page
          </Button>
        }
      />
    )
  }
  if (nothingYet)
    return (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.words}
      </EmptyState>
    )
  return (
    <EmptyState
      title={noMatch}
      action={
        filtered && (
          <Button variant="default" onClick={onClear}>
            Clear search and filters
          </Button>
        )
      }
    >
      {filtered ? "No results for this search and these filters." : "This view is empty."}
    </EmptyState>
  )
}
