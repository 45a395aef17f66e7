import { addDays, type Day, maxDay, minDay } from "./calendar.ts"

/** Days from one to another; `until` is the last of them, inclusive, or null without an end. */
export interface Stretch {
  from: Day
  until: Day | null
}

/** Whether a stretch has a day on or after `from`. */
export const reaches = ({ until }: Stretch, from: Day): boolean => until === null || until >= from

/** What of a stretch lies before a day; nothing where it starts on it or later. */
export function before<S extends Stretch>(stretch: S, day: Day): S[] {
  return within(stretch, { from: stretch.from, until: addDays(day, -1) })
}

/** What of a stretch lies within another. */
export function within<S extends Stretch>(stretch: S, { from, until }: Stretch): S[] {
  const first = maxDay(stretch.from, from)
  const last = stretch.until === null ? until : until === null ? stretch.until : minDay(stretch.until, until)
  return last !== null && last < first ? [] : [{ ...stretch, from: first, until: last }]
}

/** The stretch that begins last. */
export function lastOf<S extends Stretch>(stretches: readonly S[]): S | undefined {
  return [...stretches].sort((a, b) => (a.from < b.from ? -1 : 1)).at(-1)
}

/**
 * The first day on which two sets of stretches say something else; null where they agree on all. `say` is what a
 * stretch says of its days, as text.
 */
export function firstDayApart<S extends Stretch>(
  one: readonly S[],
  other: readonly S[],
  say: (of: S) => string,
): Day | null {
  const on = (stretches: readonly S[], day: Day) => {
    const there = stretches.find((stretch) => stretch.from <= day && reaches(stretch, day))
    return there && say(there)
  }
  const turns = [...one, ...other].flatMap(({ from, until }) => (until === null ? [from] : [from, addDays(until, 1)]))
  return [...new Set(turns)].sort().find((day) => on(one, day) !== on(other, day)) ?? null
}
