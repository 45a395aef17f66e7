import type { Day } from "../kernel/calendar.ts"

/** Until the end of this month the year before is still open: its last receipts and invoices come in late. */
const lateUntilMonth = 3

/**
 * The days on which money may be dated: the open year and the next. The open year is this one, and until the end of
 * March the one before.
 */
export function openYears(today: Day): { from: Day; to: Day } {
  const year = Number(today.slice(0, 4))
  const open = Number(today.slice(5, 7)) <= lateUntilMonth ? year - 1 : year
  return { from: `${open}-01-01`, to: `${open + 1}-12-31` }
}

/** What is wrong with a day on which money is dated; null when nothing is. */
export function outsideOpenYears(day: Day, today: Day): string | null {
  const { from, to } = openYears(today)
  return day < from || day > to ? `The date must lie between ${from} and ${to}` : null
}
