import { type Day, validDay, yearOf } from "../kernel/calendar.ts"
import type { ReadLine } from "./statement.ts"

/** Sorts lines from oldest to newest. The days decide the file's direction; if they are equal, the balances do. */
export function sortOldestFirst(lines: readonly ReadLine[]): ReadLine[] {
  let later = 0
  for (const [at, { day }] of lines.entries()) {
    const before = lines[at - 1]?.day
    if (before !== undefined && before !== day) later += day > before ? 1 : -1
  }
  const reversed = [...lines].reverse()
  if (later !== 0) return later > 0 ? [...lines] : reversed
  return countBalanceSteps(reversed) > countBalanceSteps(lines) ? reversed : [...lines]
}

const countBalanceSteps = (lines: readonly ReadLine[]): number =>
  lines.filter(({ amountCents, balanceCents }, at) => {
    const before = lines[at - 1]?.balanceCents
    return before != null && balanceCents !== null && before + amountCents === balanceCents
  }).length

/** The day of "01 Jan" in the first year in which it falls inside the period; null if it is not a day. */
export function completeYear(
  written: string,
  period: { from: Day | null; to: Day | null },
  monthOf: (name: string) => number,
): Day | null {
  const { from, to } = period
  const parts = /^'?\s*(\d{1,2})\s+([A-Za-z]{3,9})\s*'?$/.exec(written.trim())
  if (!parts || from === null || to === null) return null
  for (let year = yearOf(from); year <= yearOf(to); year++) {
    const day = validDay(year, monthOf(parts[2]!), parts[1]!)
    if (day !== null && day >= from && day <= to) return day
  }
  return null
}
