import { addDays, type Day } from "./calendar.ts"
import { type DateRange, intersectRanges } from "./stretches.ts"

/** Changes already recorded for later days: kept, or replaced by the new fact. */
export const laterChangeChoices = ["keep", "replace"] as const
export type LaterChanges = (typeof laterChangeChoices)[number]

/**
 * The days of a fact recorded from `from`: until the day before the next recorded change, or without end when it
 * replaces later changes. `changes` are first days.
 *
 * Every dated fact follows this rule: premium, rates, leaving-month rule, product type, sum assured, waiting period,
 * salary, tier and suspension.
 */
export function factRange(changes: readonly Day[], from: Day, later: LaterChanges = "keep"): DateRange {
  const next = later === "keep" ? nextChange(changes, from) : null
  return { from, until: next === null ? null : addDays(next, -1) }
}

/** The first recorded change after `after`, exclusive; null when there is none. */
export function nextChange(changes: readonly Day[], after: Day): Day | null {
  return changes.filter((day) => day > after).sort()[0] ?? null
}

/** The parts of a stretch outside another, at most two. */
export function rangesOutside<S extends DateRange>(stretch: S, { from, until }: DateRange): S[] {
  return [
    ...intersectRanges(stretch, { from: stretch.from, until: addDays(from, -1) }),
    ...(until === null ? [] : intersectRanges(stretch, { from: addDays(until, 1), until: null })),
  ]
}

/** Days on which a stretch begins, and days after one that ends without a successor. */
export function changeDaysOf(timeline: readonly DateRange[]): Day[] {
  const begins = timeline.map(({ from }) => from)
  const ends = timeline.flatMap(({ until }) => (until === null ? [] : [addDays(until, 1)]))
  return [...new Set([...begins, ...ends])].sort()
}

/**
 * Records `made` from `from`; null = unknown on those days. `factRange` determines its days. Stretches never overlap.
 */
export function recordChangeFrom<S extends DateRange>(
  timeline: readonly S[],
  from: Day,
  made: Omit<S, keyof DateRange> | null,
  later: LaterChanges = "keep",
): S[] {
  const days = factRange(changeDaysOf(timeline), from, later)
  return [
    ...timeline.flatMap((stretch) => rangesOutside(stretch, days)),
    ...(made === null ? [] : [{ ...made, ...days } as S]),
  ]
}
