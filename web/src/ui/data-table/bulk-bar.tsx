import { Button } from "@mantine/core"
import { useState } from "react"
import classes from "./data-table.module.css"
import type { BulkAction, Selection } from "./types.ts"

interface BulkBarProps<Search> {
  actions: BulkAction<Search>[]
  selection: Selection<Search>
  noun: { one: string; many: string }
  total: number
  offerEveryMatch: boolean
  onEveryMatch: () => void
  onClear: () => void
}

/** What can be done with the selected rows; says whether "all" is this page or every match. */
export function BulkBar<Search>(props: BulkBarProps<Search>) {
  const { actions, selection, noun, total, offerEveryMatch, onEveryMatch, onClear } = props
  const [busy, setBusy] = useState<string>()
  const every = "everyMatch" in selection
  const words = `${selection.count.toLocaleString("en-ZA")} ${selection.count === 1 ? noun.one : noun.many} selected`
  return (
    <section className={classes.bulk} aria-label="Selected rows">
      <span aria-live="polite">
        {words}
        {every ? " (every match)" : offerEveryMatch ? " (all on this page)" : ""}
      </span>
      {offerEveryMatch && (
        <Button variant="subtle" size="compact-sm" onClick={onEveryMatch}>
          Select all {total.toLocaleString("en-ZA")} that match
        </Button>
      )}
      <span className={classes.grow} />
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
    </section>
  )
}
