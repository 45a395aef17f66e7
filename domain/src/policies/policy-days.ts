import { type Day, maxDay } from "../kernel/calendar.ts"
import { type DateRange, intersectRanges, isReaching, lastOf, rangeBefore } from "../kernel/stretches.ts"

interface PeriodDays extends DateRange {
  kind: "active" | "suspended"
}

/** `policy-periods.ts` on the server does the same in SQL; a test compares both. */

/** Makes a policy in force or suspended from a day (inclusive) until its former end. */
export function periodsFrom<P extends PeriodDays>(periods: readonly P[], kind: P["kind"], from: Day): P[] {
  const later = periods.filter((period) => isReaching(period, from))
  const last = lastOf(later)
  if (!last) return [...periods]
  const begins = [...later].sort((a, b) => (a.from < b.from ? -1 : 1))[0]!.from
  return [
    ...periods.flatMap((period) => rangeBefore(period, from)),
    { ...last, kind, from: maxDay(from, begins), until: last.until },
  ]
}

/** Sets the policy's last day; null: no end. */
export function periodsUntil<P extends PeriodDays>(periods: readonly P[], startOn: Day, endOn: Day | null): P[] {
  const last = lastOf(periods)
  return periods.flatMap((period) =>
    intersectRanges(period === last ? { ...period, until: null } : period, { from: startOn, until: endOn }),
  )
}
