import { addDays, type Day, maxDay, minDay } from "./calendar.ts"

/** `until` is inclusive; null = no end. */
export interface DateRange {
  from: Day
  until: Day | null
}

/** Whether the stretch has a day on or after `from`. */
export const isReaching = ({ until }: DateRange, from: Day): boolean => until === null || until >= from

/** The part before `day`, exclusive; empty when there is none. */
export function rangeBefore<S extends DateRange>(stretch: S, day: Day): S[] {
  return intersectRanges(stretch, { from: stretch.from, until: addDays(day, -1) })
}

/** The intersection of two stretches. */
export function intersectRanges<S extends DateRange>(stretch: S, { from, until }: DateRange): S[] {
  const first = maxDay(stretch.from, from)
  const last = stretch.until === null ? until : until === null ? stretch.until : minDay(stretch.until, until)
  return last !== null && last < first ? [] : [{ ...stretch, from: first, until: last }]
}

/** The stretch with the latest start. */
export function lastOf<S extends DateRange>(stretches: readonly S[]): S | undefined {
  return [...stretches].sort((a, b) => (a.from < b.from ? -1 : 1)).at(-1)
}

/** The first day on which two sets differ; null when they agree. `say` is the compared text of a stretch. */
export function firstDifferingDay<S extends DateRange>(
  one: readonly S[],
  other: readonly S[],
  say: (of: S) => string,
): Day | null {
  const on = (stretches: readonly S[], day: Day) => {
    const there = stretches.find((stretch) => stretch.from <= day && isReaching(stretch, day))
    return there && say(there)
  }
  const turns = [...one, ...other].flatMap(({ from, until }) => (until === null ? [from] : [from, addDays(until, 1)]))
  return [...new Set(turns)].sort().find((day) => on(one, day) !== on(other, day)) ?? null
}
