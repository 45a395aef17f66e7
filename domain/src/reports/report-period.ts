import {
  addDays,
  addMonths,
  type Day,
  type DayFormat,
  daysBetween,
  firstOfMonth,
  formatDay,
  lastOfMonth,
} from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

/** Both days inclusive. */
export interface Period {
  from: Day
  to: Day
}

export const periodNames = ["this month", "last month", "last 30 days", "last 12 months", "next 90 days"] as const
export type PeriodName = (typeof periodNames)[number]

const monthsPeriod = (first: Day, count: number): Period => ({
  from: first,
  to: lastOfMonth(addMonths(first, count - 1)),
})

/** "last 12 months" are whole months including the current one. */
export function periodOn(name: PeriodName, today: Day): Period {
  const month = firstOfMonth(today)
  switch (name) {
    case "this month":
      return monthsPeriod(month, 1)
    case "last month":
      return monthsPeriod(addMonths(month, -1), 1)
    case "last 30 days":
      return { from: addDays(today, -29), to: today }
    case "last 12 months":
      return monthsPeriod(addMonths(month, -11), 12)
    case "next 90 days":
      return { from: today, to: addDays(today, 90) }
  }
}

/** Ten years. */
const maxPeriodDays = 3_660

/** Fills in missing days. INVALID when reversed or longer than ten years. */
export function checkPeriod(asked: Partial<Period>, start: PeriodName, today: Day): Decision<Period, "INVALID"> {
  const usual = periodOn(start, today)
  const from = asked.from ?? (asked.to !== undefined && asked.to < usual.from ? firstOfMonth(asked.to) : usual.from)
  const to = asked.to ?? (from > usual.to ? lastOfMonth(from) : usual.to)
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "to", message }] })
  if (to < from) return wrong("The last day is before the first day")
  if (daysBetween(from, to) > maxPeriodDays) return wrong("A report can cover at most ten years")
  return { from, to }
}

export const periodText = ({ from, to }: Period, format: DayFormat): string =>
  from === to ? formatDay(from, format) : `${formatDay(from, format)} to ${formatDay(to, format)}`
