import { addDays, type Day } from "./calendar.ts"
import { type Stretch, within } from "./stretches.ts"

/** What happens to changes that are already recorded for later days: they stay, or the new fact replaces them. */
export const laterChoices = ["keep", "replace"] as const
export type LaterChanges = (typeof laterChoices)[number]

/**
 * The days for which a fact applies that is recorded from `from` on: until the day before the next recorded change, or
 * without an end where it replaces later changes. `changes` are the first days of all recorded changes.
 *
 * Every dated fact follows this rule: premium, rates, rule for the month in which cover ends, product type, sum assured,
 * waiting period, salary, tier and suspension. The order in which facts are recorded does not matter, as long as their
 * first days differ.
 */
export function daysOfFact(changes: readonly Day[], from: Day, later: LaterChanges = "keep"): Stretch {
  const next = later === "keep" ? nextChange(changes, from) : null
  return { from, until: next === null ? null : addDays(next, -1) }
}

/** The first recorded change after a day; null where there is none. */
export function nextChange(changes: readonly Day[], after: Day): Day | null {
  return changes.filter((day) => day > after).sort()[0] ?? null
}

/** What of a stretch lies outside another: up to two pieces. */
export function outside<S extends Stretch>(stretch: S, { from, until }: Stretch): S[] {
  return [
    ...within(stretch, { from: stretch.from, until: addDays(from, -1) }),
    ...(until === null ? [] : within(stretch, { from: addDays(until, 1), until: null })),
  ]
}

/** The first days of the changes on a timeline: where a stretch begins, and where one ends with nothing after it. */
export function changesOn(timeline: readonly Stretch[]): Day[] {
  const begins = timeline.map(({ from }) => from)
  const ends = timeline.flatMap(({ until }) => (until === null ? [] : [addDays(until, 1)]))
  return [...new Set([...begins, ...ends])].sort()
}

/**
 * A timeline after `made` is recorded from `from` on; null records that nothing is known of those days. `made` gets its
 * days from the rule (`daysOfFact`). The stretches of a timeline never overlap.
 */
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
