import { addMonths, type Day, firstOfMonth, formatMonth, monthOf } from "@milkwood/domain/kernel/calendar"

const back = 24

/** First days of months, latest first. */
export const monthsTo = (today: Day): Day[] =>
  Array.from({ length: back + 1 }, (_, months) => addMonths(firstOfMonth(today), -months))

export const monthChoices = (today: Day) =>
  monthsTo(today).map((first) => ({ id: monthOf(first), name: formatMonth(first) }))

/** Default: the previous month. */
export const selectedMonth = (month: string | undefined, today: Day): Day =>
  month === undefined ? addMonths(firstOfMonth(today), -1) : `${month}-01`
