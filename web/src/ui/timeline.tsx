import { timelineLength } from "@milkwood/domain/platform/timeline"
import type { TimelineEntry } from "@milkwood/domain/platform/timeline-shape"
import type { ReactNode } from "react"
import { inOnePiece } from "./breakable.tsx"
import { InstantText } from "./day.tsx"
import classes from "./timeline.module.css"

interface TimelineProps {
  entries: TimelineEntry[]
  /** What a changed field is called, and how its values are shown; left out, its name in words and the plain value. */
  field?: (name: string) => { label?: string; show?: (value: unknown) => ReactNode } | undefined
}

/**
 * A record's history in words, newest first: who, what, when, before and after.
 *
 *     <Timeline entries={claim.timeline} field={(name) => claimFields[name]} />
 */
export function Timeline({ entries, field }: TimelineProps) {
  if (entries.length === 0) return <p className={classes.none}>Nothing has happened yet.</p>
  return (
    <ol className={classes.timeline}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <div>
            <strong>{entry.actor}</strong> {inOnePiece(entry.sentence)}
          </div>
          {entry.reason && <div className={classes.reason}>“{entry.reason}”</div>}
          {entry.changes.some(said) && (
            <ul className={classes.changes}>
              {entry.changes.filter(said).map((change) => {
                const shown = field?.(change.field)
                const show = shown?.show ?? plain
                return (
                  <li key={change.field}>
                    {shown?.label ?? inWords(change.field)}:{" "}
                    {empty(change.before) ? (
                      show(change.after)
                    ) : (
                      <>
                        <s>{show(change.before)}</s> {empty(change.after) ? "removed" : <>→ {show(change.after)}</>}
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
      {entries.length === timelineLength && <li className={classes.none}>What happened before is not shown here.</li>}
    </ol>
  )
}

const empty = (value: unknown) => value === null || value === undefined || value === ""

/** A field that was empty and stays so has not changed. */
const said = ({ before, after }: TimelineEntry["changes"][number]) => !empty(before) || !empty(after)

const plain = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

/** "contactEmail" is "Contact email". */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
