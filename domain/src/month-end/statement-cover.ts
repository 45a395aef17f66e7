import { addDays, type Day } from "../kernel/calendar.ts"

/** A statement as far as it covers days: `meets` where it opens at what the lines before it come to. */
export interface CoveringStatement {
  fromOn: Day
  toOn: Day
  meets: boolean
}

/**
 * The stretches between two days (both included) that no statement covers, in order. Days between two statements are no
 * gap where the later one opens at the balance that the earlier lines come to: nothing was booked on them.
 */
export function gapsOf(statements: readonly CoveringStatement[], from: Day, to: Day): { from: Day; to: Day }[] {
  const gaps: { from: Day; to: Day }[] = []
  let covered = addDays(from, -1)
  const inOrder = [...statements].sort((a, b) => (a.fromOn === b.fromOn ? 0 : a.fromOn < b.fromOn ? -1 : 1))
  for (const { fromOn, toOn, meets } of inOrder) {
    if (covered >= to) break
    if (toOn <= covered) continue
    const missing = { from: addDays(covered, 1), to: addDays(fromOn, -1) }
    if (missing.from <= missing.to && !meets) gaps.push({ from: missing.from, to: missing.to > to ? to : missing.to })
    covered = toOn
  }
  if (covered < to) gaps.push({ from: addDays(covered, 1), to })
  return gaps
}
