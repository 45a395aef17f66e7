import { addMonths, type Day, firstOfMonth, formatMonth, monthOf } from "@milkwood/domain/kernel/calendar"

/** So many months back are offered. */
const back = 24

/** The first days of this month and of those before it, the latest first. */
export const monthsTo = (today: Day): Day[] =>
  Array.from({ length: back + 1 }, (_, months) => addMonths(firstOfMonth(today), -months))

/** The same as a list is filtered by them. */
export const monthChoices = (today: Day) =>
  monthsTo(today).map((first) => ({ id: monthOf(first), name: formatMonth(first) }))

/** The month that a list is of, by its first day: as its address says, or the last one that is over. */
export const monthAsked = (month: string | undefined, today: Day): Day =>
  month === undefined ? addMonths(firstOfMonth(today), -1) : `${month}-01`
