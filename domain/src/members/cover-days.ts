import { type Day, maxDay } from "../kernel/calendar.ts"
import { lastOf, reaches, type Stretch, within } from "../kernel/stretches.ts"
import { daysOfFact, type LaterChanges, outside } from "../kernel/timeline.ts"

/** A stretch of a member's cover as it stands; those of one member never overlap. */
export interface CoverDays extends Stretch {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether the kind was recorded for the first day; false where it continues from the stretch before. */
  setsKind?: boolean
  /** Whether the tier was recorded for the first day; false where it continues from the stretch before. */
  setsTier?: boolean
}

/** The first days of the recorded changes of a kind of fact. */
export const coverChanges = (covers: readonly CoverDays[], fact: "kind" | "tier"): Day[] =>
  covers.filter(({ setsKind, setsTier }) => (fact === "kind" ? setsKind : setsTier) !== false).map(({ from }) => from)

/**
 * What each command leaves of a member's cover. The server writes the same to many members at once (`member-covers.ts`),
 * and a test holds the two together.
 */

/** The cover of somebody who joins: from the latest of these days on. */
export function openedCover<C extends CoverDays>(made: C, ...notBefore: (Day | null)[]): C[] {
  return [{ ...made, from: maxDay(made.from, ...notBefore.filter((day) => day !== null)) }]
}

/**
 * From the first covered day on or after `from`, cover is of this kind or of this tier, until the next recorded change of
 * the same fact. Where the value holds on that day already, nothing changes unless later changes are replaced.
 */
export function changedCovers<C extends CoverDays>(
  covers: readonly C[],
  from: Day,
  change: { kind: CoverDays["kind"] } | { tierId: string },
  later: LaterChanges = "keep",
): C[] {
  const open = covers.filter((cover) => reaches(cover, from)).sort((a, b) => (a.from < b.from ? -1 : 1))[0]
  if (!open) return [...covers]
  const fact = "kind" in change ? "kind" : "tier"
  const has = "kind" in change ? open.kind === change.kind : open.tierId === change.tierId
  if (has && later === "keep") return [...covers]
  const days = daysOfFact(coverChanges(covers, fact), maxDay(from, open.from), later)
  return covers.flatMap((cover) => [
    ...outside(cover, days),
    ...within({ ...cover, ...change }, days).map((changed) => {
      const isWhole = changed.from === cover.from
      return {
        ...changed,
        setsKind: fact === "kind" ? changed.from === days.from : isWhole && cover.setsKind !== false,
        setsTier: fact === "tier" ? changed.from === days.from : isWhole && cover.setsTier !== false,
      }
    }),
  ])
}

/** Cover of somebody who returns after days without cover, in the tier held on the last day of cover. */
export function rejoinedCovers<C extends CoverDays>(covers: readonly C[], made: C): C[] {
  return [...covers, { ...made, tierId: lastOf(covers)?.tierId ?? made.tierId, setsTier: false }]
}

/** Cover ends with a day; with `extend`, what was to end sooner goes on to it. */
export function endedCovers<C extends CoverDays>(covers: readonly C[], lastDay: Day, extend = false): C[] {
  const last = lastOf(covers)
  return covers.flatMap((cover) => {
    const whole = extend && cover === last ? { ...cover, until: null } : cover
    return within(whole, { from: cover.from, until: lastDay })
  })
}

/** Cover goes on as it is today, or as it is to start, without an end. */
export function withoutPlans<C extends CoverDays>(covers: readonly C[], today: Day): C[] {
  const open = covers.filter((cover) => reaches(cover, today)).sort((a, b) => (a.from < b.from ? -1 : 1))
  const kept = open[0]
  return covers.flatMap((cover) => (cover === kept ? [{ ...cover, until: null }] : cover.from > today ? [] : [cover]))
}
