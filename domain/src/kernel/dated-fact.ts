import type { Day } from "./calendar.ts"

/** ISO text in UTC, `2026-09-20T08:00:00.25Z`. */
export type Instant = string

/** The times at which the fact was recorded and superseded; `supersededAt` is null while it is current. */
export interface RecordedTimes {
  recordedAt: Instant
  supersededAt: Instant | null
}

/** Valid from `from` to `until`, inclusive; null is unbounded. */
export interface DatedFact extends RecordedTimes {
  from: Day
  until: Day | null
}

/**
 * Negative if `a` is earlier. Text order would sort an instant with a fraction of a second before the same second
 * without.
 */
export function compareInstants(a: Instant, b: Instant): number {
  const [first, second] = [a.slice(0, -1), b.slice(0, -1)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Facts recorded by then and not yet superseded. */
export function factsKnownAt<F extends RecordedTimes>(facts: readonly F[], at: Instant): F[] {
  return facts.filter(
    ({ recordedAt, supersededAt }) =>
      compareInstants(recordedAt, at) <= 0 && (supersededAt === null || compareInstants(supersededAt, at) > 0),
  )
}

/** Both bounds are inclusive. */
export const isInForceOn = ({ from, until }: Pick<DatedFact, "from" | "until">, day: Day): boolean =>
  from <= day && (until === null || day <= until)

/** The fact valid on a day; facts of one kind, known at one time, never overlap. */
export function factOn<F extends DatedFact>(facts: readonly F[], day: Day): F | undefined {
  return facts.find((fact) => isInForceOn(fact, day))
}
