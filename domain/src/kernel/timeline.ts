import { addDays, type Day } from "./calendar.ts"
import { type Stretch, within } from "./stretches.ts"

/** Changes already recorded for later days: kept, or replaced by the new fact. */
export const laterChoices = ["keep", "replace"] as const
export type LaterChanges = (typeof laterChoices)[number]

/**
 * The days of a fact recorded from `from`: until the day before the next recorded change, or without end when it
 * replaces later changes. `changes` are first days.
 *
 * Every dated fact follows this rule: premium, rates, leaving-month rule, product type, sum assured, waiting period,
 * salary, tier and suspension.
 */
export function daysOfFact(changes: readonly Day[], from: Day, later: LaterChanges = "keep"): Stretch {
  const next = later === "keep" ? nextChange(changes, from) : null
  return { from, until: next === null ? null : addDays(next, -1) }
}

/** The first recorded change after `after`, exclusive; null when there is none. */
export function nextChange(changes: readonly Day[], after: Day): Day | null {
  return changes.filter((day) => day > after).sort()[0] ?? null
}

/** The parts of a stretch outside another, at most two. */
export function outside<S extends Stretch>(stretch: S, { from, until }: Stretch): S[] {
  return [
    ...within(stretch, { from: stretch.from, until: addDays(from, -1) }),
    ...(until === null ? [] : within(stretch, { from: addDays(until, 1), until: null })),
  ]
}

/** Where a stretch begins, and where one ends without a successor. */
export function changesOn(timeline: readonly Stretch[]): Day[] {
  const begins = timeline.map(({ from }) => from)
  const ends = timeline.flatMap(({ until }) => (until === null ? [] : [addDays(until, 1)]))
  return [...new Set([...begins, ...ends])].sort()
}

/** Records `made` from `from`; null = unknown on those days. `daysOfFact` decides its days. Stretches never overlap. */
export function recordFrom<S extends Stretch>(
  timeline: readonly S[],
  from: Day,
  made: Omit<S, keyof Stretch> | null,
  later: LaterChanges = "keep",
): S[] {
  const days = daysOfFact(changesOn(timeline), from, later)
  return [
    ...timeline.flatMap((stretch) => outside(stretch, days)),
    ...(made === null ? [] : [{ ...made, ...days } as S]),
  ]
}
