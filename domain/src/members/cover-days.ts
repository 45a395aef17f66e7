import { type Day, maxDay } from "../kernel/calendar.ts"
import { before, lastOf, reaches, type Stretch, within } from "../kernel/stretches.ts"

/** A stretch of a member's cover as it stands; those of one member never overlap. */
export interface CoverDays extends Stretch {
  kind: "covered" | "suspended"
  tierId: string
}

/**
 * What each command leaves of a member's cover. The server writes the same to many members at once (`member-covers.ts`),
 * and a test holds the two together.
 */

/** The cover of somebody who joins: from the latest of these days on. */
export function openedCover<C extends CoverDays>(made: C, ...notBefore: (Day | null)[]): C[] {
  return [{ ...made, from: maxDay(made.from, ...notBefore.filter((day) => day !== null)) }]
}

/** From a day on, that day included, cover is of this kind, this tier, or both. */
export function changedCovers<C extends CoverDays>(
  covers: readonly C[],
  from: Day,
  change: Partial<Pick<CoverDays, "kind" | "tierId">>,
): C[] {
  return covers.flatMap((cover) =>
    reaches(cover, from)
      ? [...before(cover, from), ...within({ ...cover, ...change }, { from, until: null })]
      : [cover],
  )
}

/** Cover ends with a day; with `extend`, what was to end sooner goes on to it. */
export function endedCovers<C extends CoverDays>(covers: readonly C[], lastDay: Day, extend = false): C[] {
  const last = lastOf(covers)
  return covers.flatMap((cover) => {
    const whole = extend && cover === last ? { ...cover, until: null } : cover
    return within(whole, { from: cover.from, until: lastDay })
  })
}

/** What somebody earns from a day on, in place of all that was known of those days; null: nothing is known any more. */
export function salariesFrom<S extends Stretch>(salaries: readonly S[], from: Day, made: S | null): S[] {
  return [...salaries.flatMap((salary) => before(salary, from)), ...(made ? [made] : [])]
}

/** Cover goes on as it is today, or as it is to start, without an end. */
export function withoutPlans<C extends CoverDays>(covers: readonly C[], today: Day): C[] {
  const open = covers.filter((cover) => reaches(cover, today)).sort((a, b) => (a.from < b.from ? -1 : 1))
  const kept = open[0]
  return covers.flatMap((cover) => (cover === kept ? [{ ...cover, until: null }] : cover.from > today ? [] : [cover]))
}
