import { type Day, maxDay } from "../kernel/calendar.ts"
import { before, lastOf, reaches, type Stretch, within } from "../kernel/stretches.ts"

interface PeriodDays extends Stretch {
  kind: "active" | "suspended"
}

/**
 * What each command leaves of a policy's dated facts; the server writes the same in SQL (`policy-periods.ts`), and a
 * test holds the two together.
 */

/** From a day on the policy is in force, or suspended, as far as it lasted. */
export function periodsFrom<P extends PeriodDays>(periods: readonly P[], kind: P["kind"], from: Day): P[] {
  const later = periods.filter((period) => reaches(period, from))
  const last = lastOf(later)
  if (!last) return [...periods]
  const begins = [...later].sort((a, b) => (a.from < b.from ? -1 : 1))[0]!.from
  return [
    ...periods.flatMap((period) => before(period, from)),
    { ...last, kind, from: maxDay(from, begins), until: last.until },
  ]
}

/** The policy's last day becomes another one; null: it has none. */
export function periodsUntil<P extends PeriodDays>(periods: readonly P[], startOn: Day, endOn: Day | null): P[] {
  const last = lastOf(periods)
  return periods.flatMap((period) =>
    within(period === last ? { ...period, until: null } : period, { from: startOn, until: endOn }),
  )
}
