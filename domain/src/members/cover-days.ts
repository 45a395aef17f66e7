import { type Day, maxDay } from "../kernel/calendar.ts"
import { type DateRange, intersectRanges, isReaching, lastOf } from "../kernel/stretches.ts"
import { factRange, type LaterChanges, rangesOutside } from "../kernel/timeline.ts"

/** Periods of one member never overlap. */
export interface CoverDays extends DateRange {
  kind: "covered" | "suspended"
  tierId: string
  /** Whether the kind was recorded for the first day, rather than continued from the period before. */
  setsKind?: boolean
  /** The same for the tier. */
  setsTier?: boolean
}

export const coverChangeDays = (covers: readonly CoverDays[], fact: "kind" | "tier"): Day[] =>
  covers.filter(({ setsKind, setsTier }) => (fact === "kind" ? setsKind : setsTier) !== false).map(({ from }) => from)

/**
 * The server applies the same changes to many members at once in SQL (`member-covers.ts`); a test keeps the two equal.
 */

/** Cover starts on the latest of these days. */
export function createCovers<C extends CoverDays>(made: C, ...notBefore: (Day | null)[]): C[] {
  return [{ ...made, from: maxDay(made.from, ...notBefore.filter((day) => day !== null)) }]
}

/**
 * Sets the kind or tier from the first covered day on or after `from`, until the next recorded change of the same fact.
 * A day that has the value already changes only if later changes are replaced.
 */
export function changeCovers<C extends CoverDays>(
  covers: readonly C[],
  from: Day,
  change: { kind: CoverDays["kind"] } | { tierId: string },
  later: LaterChanges = "keep",
): C[] {
  const open = covers.filter((cover) => isReaching(cover, from)).sort((a, b) => (a.from < b.from ? -1 : 1))[0]
  if (!open) return [...covers]
  const fact = "kind" in change ? "kind" : "tier"
  const has = "kind" in change ? open.kind === change.kind : open.tierId === change.tierId
  if (has && later === "keep") return [...covers]
  const days = factRange(coverChangeDays(covers, fact), maxDay(from, open.from), later)
  return covers.flatMap((cover) => [
    ...rangesOutside(cover, days),
    ...intersectRanges({ ...cover, ...change }, days).map((changed) => {
      const isWhole = changed.from === cover.from
      return {
        ...changed,
        setsKind: fact === "kind" ? changed.from === days.from : isWhole && cover.setsKind !== false,
        setsTier: fact === "tier" ? changed.from === days.from : isWhole && cover.setsTier !== false,
      }
    }),
  ])
}

/** A rejoining member gets the tier of their last covered day. */
export function rejoinCovers<C extends CoverDays>(covers: readonly C[], made: C): C[] {
  return [...covers, { ...made, tierId: lastOf(covers)?.tierId ?? made.tierId, setsTier: false }]
}

/** `lastDay` is inclusive. With `extend`, cover that would end earlier continues to `lastDay`. */
export function endCovers<C extends CoverDays>(covers: readonly C[], lastDay: Day, extend = false): C[] {
  const last = lastOf(covers)
  return covers.flatMap((cover) => {
    const whole = extend && cover === last ? { ...cover, until: null } : cover
    return intersectRanges(whole, { from: cover.from, until: lastDay })
  })
}

/** Removes changes after today: cover continues without an end as it is today, or as it will start. */
export function withoutFutureChanges<C extends CoverDays>(covers: readonly C[], today: Day): C[] {
  const open = covers.filter((cover) => isReaching(cover, today)).sort((a, b) => (a.from < b.from ? -1 : 1))
  const kept = open[0]
  return covers.flatMap((cover) => (cover === kept ? [{ ...cover, until: null }] : cover.from > today ? [] : [cover]))
}
