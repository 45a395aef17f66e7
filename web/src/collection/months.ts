import { addMonths, type Day, firstOfMonth, formatMonth, monthOf } from "@milkwood/domain/kernel/calendar"

export const monthsAround = (today: Day) =>
  Array.from({ length: 25 }, (_, back) => addMonths(firstOfMonth(today), 1 - back)).map((first) => ({
    id: monthOf(first),
    name: formatMonth(first),
  }))
