import { Button } from "@mantine/core"
import { timelinePageSize } from "@milkwood/domain/platform/timeline"
import type { TimelineEntry } from "@milkwood/domain/platform/timeline-shape"
import { type ReactNode, useState } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { keepNumbersUnbroken } from "./breakable.tsx"
import { InstantText } from "./day.tsx"
import { InlineError } from "./inline-error.tsx"
import classes from "./timeline.module.css"
import { busyProps, useBusyAction } from "./use-busy-action.ts"

interface TimelineProps {
  entries: TimelineEntry[]
  older: (before: number) => Promise<TimelineEntry[]>
  field?: (name: string) => { label?: string; show?: (value: unknown) => ReactNode } | undefined
}

/**
 * A record's history, newest first; older pages on request.
 *
 *     <Timeline key={claim.id} entries={claim.timeline} field={(name) => claimFields[name]}
 *       older={(before) => api.claims.activity.call({ claimId: claim.id, before })} />
 */
export function Timeline({ entries: newest, older, field }: TimelineProps) {
  // Keeps the pages already read: new entries shift the newest page away from the older ones.
  const [read, setRead] = useState<TimelineEntry[]>([])
  const [ended, setEnded] = useState<boolean>()
  const isWhole = ended ?? newest.length < timelinePageSize
  const { busy, failure, run } = useBusyAction()
  const first = read[0]?.id ?? 0
  const entries = [...newest.filter(({ id }) => id > first), ...read]
  const showMore = () =>
    run(async () => {
      const page = await older(entries.at(-1)!.id)
      setRead([...entries, ...page])
      setEnded(page.length < timelinePageSize)
    })
  if (entries.length === 0) return <p className={classes.none}>No activity yet.</p>
  return (
    <ol className={classes.timeline}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <div>
            <strong>{entry.actor}</strong> {keepNumbersUnbroken(entry.sentence)}
          </div>
          {entry.reason && <div className={classes.reason}>“{entry.reason}”</div>}
          {entry.changes.some(isRealChange) && (
            <ul className={classes.changes}>
              {entry.changes.filter(isRealChange).map((change) => {
                const shown = field?.(change.field)
                const show = shown?.show ?? toPlainText
                return (
                  <li key={change.field}>
                    {shown?.label ?? humanizeFieldName(change.field)}:{" "}
                    {isEmptyValue(change.before) ? (
                      show(change.after)
                    ) : (
                      <>
                        <s>{show(change.before)}</s>{" "}
                        {isEmptyValue(change.after) ? "removed" : <>→ {show(change.after)}</>}
                      </>
                    )}
                  </li>
                )
              })}
            </ul>
          )}
          <div className={classes.at}>
            <InstantText at={entry.at} />
          </div>
        </li>
      ))}
      {!isWhole && (
        <li className={classes.more}>
          {failure !== undefined && <InlineError>{errorTextOf(failure)}</InlineError>}
          <Button variant="default" size="compact-sm" onClick={showMore} {...busyProps(busy)}>
            {busy ? "Loading..." : "Show more"}
          </Button>
        </li>
      )}
    </ol>
  )
}

const isEmptyValue = (value: unknown) => value === null || value === undefined || value === ""

/** Null and empty text count as equal. */
const isRealChange = ({ before, after }: TimelineEntry["changes"][number]) =>
  (!isEmptyValue(before) || !isEmptyValue(after)) && JSON.stringify(before) !== JSON.stringify(after)

const toPlainText = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

export function humanizeFieldName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
