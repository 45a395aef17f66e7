import { addMonths, type Day, firstOfMonth, formatMonth, monthOf } from "@milkwood/domain/kernel/calendar"

/** The months that one may ask for: the next one, and two years back. */
export const monthsAround = (today: Day) =>
  Array.from({ length: 25 }, (_, back) => addMonths(firstOfMonth(today), 1 - back)).map((first) => ({
    id: monthOf(first),
    name: formatMonth(first),
  }))
