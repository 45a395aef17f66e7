import { addMonths, type Day, firstOfMonth, formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"

export const monthsAround = (today: Day) =>
  Array.from({ length: 25 }, (_, back) => addMonths(firstOfMonth(today), 1 - back)).map((first) => ({
    id: isoMonthOf(first),
    name: formatMonth(first),
  }))
