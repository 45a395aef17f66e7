import { addMonths, type Day, firstOfMonth, formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"

const monthsOffered = 24

/** First days of the months up to today, latest first. */
export const monthsUpTo = (today: Day): Day[] =>
  Array.from({ length: monthsOffered + 1 }, (_, months) => addMonths(firstOfMonth(today), -months))

export const monthChoices = (today: Day) =>
  monthsUpTo(today).map((first) => ({ id: isoMonthOf(first), name: formatMonth(first) }))

/** Default: the previous month. */
export const selectedMonth = (month: string | undefined, today: Day): Day =>
  month === undefined ? addMonths(firstOfMonth(today), -1) : `${month}-01`
