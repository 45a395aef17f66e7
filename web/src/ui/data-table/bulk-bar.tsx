import { Button } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import classes from "./data-table.module.css"
import type { BulkAction, BulkStep, BulkDialog as OwnDialog, Selection } from "./types.ts"

const BulkDialog = lazy(() => import("./bulk-dialog.tsx")) as typeof import("./bulk-dialog.tsx").default

interface BulkBarProps<Row, Search> {
  actions: BulkAction<Search>[]
  steps: readonly (BulkStep<Row> | OwnDialog<Row>)[]
  rows: Row[]
  selection: Selection<Search>
  noun: { one: string; many: string }
  total: number
  offerEveryMatch: boolean
  onEveryMatch: () => void
  onDone: (left: Row[]) => void
  onClear: () => void
}

/** A step is offered with the number of selected rows that allow it, and not at all if none does. */
export default function BulkBar<Row, Search>(props: BulkBarProps<Row, Search>) {
  const { actions, steps, rows, selection, noun, total, offerEveryMatch, onEveryMatch, onClear } = props
  const [busy, setBusy] = useState<string>()
  const [asked, setAsked] = useState<{ step: BulkStep<Row>; rows: Row[] }>()
  const every = "everyMatch" in selection
  const words = `${selection.count.toLocaleString("en-ZA")} ${selection.count === 1 ? noun.one : noun.many} selected`
  return (
    <section className={classes.bulk} aria-label="Selected rows">
      <span aria-live="polite">
        {words}
        {every ? " (all matches)" : offerEveryMatch ? " (all on this page)" : ""}
      </span>
      {offerEveryMatch && (
        <Button variant="subtle" size="compact-sm" onClick={onEveryMatch}>
          Select all {total.toLocaleString("en-ZA")} that match
        </Button>
      )}
      <span className={classes.grow} />
      {!every &&
        steps.map((step) => {
          const allowing = rows.filter(step.may)
          if (allowing.length === 0) return null
          return (
            <Button
              key={step.label}
              variant="default"
              size="compact-sm"
              c={step.danger ? "var(--tone-red)" : undefined}
              disabled={busy !== undefined}
              onClick={() =>
                "open" in step
                  ? void step.open(allowing).then((isDone) => isDone !== false && onClear())
                  : setAsked({ step, rows: allowing })
              }
            >
              {step.label} {allowing.length}
              {step.gives && ` ${allowing.length === 1 ? step.gives.one : step.gives.many}`}
              {allowing.length < rows.length && ` of ${rows.length}`}
            </Button>
          )
        })}
      {actions
        .filter((action) => !every || action.everyMatch)
        .map((action) => (
          <Button
            key={action.label}
            variant="default"
            size="compact-sm"
            c={action.danger ? "var(--tone-red)" : undefined}
            leftSection={action.icon}
            loading={busy === action.label}
            disabled={busy !== undefined && busy !== action.label}
            onClick={async () => {
              setBusy(action.label)
              try {
                if ((await action.run(selection)) !== false) onClear()
              } finally {
                setBusy(undefined)
              }
            }}
          >
            {action.label}
          </Button>
        ))}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
        Clear
      </Button>
      <Suspense>
        {asked && (
          <BulkDialog
            {...asked}
            noun={noun}
            onClose={(left) => {
              setAsked(undefined)
              if (left) props.onDone(left)
            }}
          />
        )}
      </Suspense>
    </section>
  )
}
