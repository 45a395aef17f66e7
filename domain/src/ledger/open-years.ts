import type { Day } from "../kernel/calendar.ts"

/** Last year remains open until the end of this month of the year, for late receipts and invoices. */
const lastLateMonth = 3

/**
 * The two calendar years, inclusive, in which money may be dated: until the end of March last year and this year,
 * afterwards this year and the next.
 */
export function openYears(today: Day): { from: Day; to: Day } {
  const year = Number(today.slice(0, 4))
  const open = Number(today.slice(5, 7)) <= lastLateMonth ? year - 1 : year
  return { from: `${open}-01-01`, to: `${open + 1}-12-31` }
}

/** An error message; null if the day is within the open years. */
export function openYearsError(day: Day, today: Day): string | null {
  const { from, to } = openYears(today)
  return day < from || day > to ? `The date must be between ${from} and ${to}` : null
}
