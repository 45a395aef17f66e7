import type { Day } from "../kernel/calendar.ts"

/** Last year stays open until the end of this month for late receipts and invoices. */
const lastLateMonth = 3

/**
 * The two calendar years, inclusive, in which money may be dated: this year and the next, or until the end of March
 * last year and this year.
 */
export function openYears(today: Day): { from: Day; to: Day } {
  const year = Number(today.slice(0, 4))
  const open = Number(today.slice(5, 7)) <= lastLateMonth ? year - 1 : year
  return { from: `${open}-01-01`, to: `${open + 1}-12-31` }
}

/** The error message; null when the day is valid. */
export function openYearsError(day: Day, today: Day): string | null {
  const { from, to } = openYears(today)
  return day < from || day > to ? `The date must be between ${from} and ${to}` : null
}
