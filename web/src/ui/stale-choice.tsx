import { SegmentedControl } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { InlineError } from "./inline-error.tsx"
import classes from "./section-editor.module.css"

/** A field that both users changed. Keeps the typed value even while the other user's value is chosen. */
export interface FieldConflict {
  field: string
  mine: unknown
}

export function conflictsOf<Values extends object>(
  names: (keyof Values & string)[],
  base: Values,
  mine: Values,
  theirs: Values,
): FieldConflict[] {
  const differs = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
  return names
    .filter(
      (name) =>
        differs(mine[name], base[name]) && differs(theirs[name], base[name]) && differs(mine[name], theirs[name]),
    )
    .map((field) => ({ field, mine: mine[field] }))
}

interface ConflictChoiceProps {
  clashes: FieldConflict[]
  labelOf: (field: string) => string
  show: (field: string, side: "mine" | "theirs") => ReactNode
  onTake: (field: string) => void
  onKeep: (field: string, mine: unknown) => void
}

export function ConflictChoice({ clashes, labelOf, show, onTake, onKeep }: ConflictChoiceProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  if (clashes.length === 0) {
    return (
      <InlineError tone="warning">
        Someone else saved this record in the meantime. Your changes do not conflict with theirs: save again.
      </InlineError>
    )
  }
  return (
    <div className={classes.stale} role="alert" ref={scrollIntoView}>
      <p>
        Someone else saved this in the meantime. Your changes are not lost: choose which value to keep, then save again.
      </p>
      {clashes.map(({ field, mine }) => {
        const taken = theirs.has(field)
        return (
          <div key={field} className={classes.clash}>
            <span className={classes.clashName}>{labelOf(field)}</span>
            <SegmentedControl
              size="xs"
              styles={{ root: { maxWidth: "100%" }, label: { whiteSpace: "normal", overflowWrap: "anywhere" } }}
              aria-label={`${labelOf(field)}: which value to keep`}
              value={taken ? "theirs" : "mine"}
              onChange={(side) => {
                const next = new Set(theirs)
                if (side === "theirs") {
                  next.add(field)
                  onTake(field)
                } else {
                  next.delete(field)
                  onKeep(field, mine)
                }
                setTheirs(next)
              }}
              data={[
                { value: "mine", label: <>Yours: {taken ? String(mine ?? "–") : show(field, "mine")}</> },
                { value: "theirs", label: <>Theirs: {show(field, "theirs")}</> },
              ]}
            />
          </div>
        )
      })}
    </div>
  )
}

function scrollIntoView(notice: HTMLElement | null) {
  notice?.scrollIntoView({ block: "nearest" })
}
