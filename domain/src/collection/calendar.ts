import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"

export const calendarTasks = ["reminders", "alerts"] as const
export type CalendarTask = (typeof calendarTasks)[number]

/** The latest due day up to today: this day of the month, plus `after` days. */
export function lastDueOn(today: Day, dayOfMonth: number, after = 0): Day {
  const inMonthOf = (day: Day) => addDays(firstOfMonth(day), dayOfMonth - 1 + after)
  const due = inMonthOf(today)
  return due <= today ? due : inMonthOf(addMonths(firstOfMonth(today), -1))
}

export type CalendarStep = "run" | "leave" | "begin"

/**
 * `run`: due today or missed; `leave`: switched off; `begin`: nothing recorded yet, so earlier due days are skipped.
 */
export function calendarStep(
  { dueOn, isOn, hasRecord }: { dueOn: Day; isOn: boolean; hasRecord: boolean },
  today: Day,
): CalendarStep {
  if (!isOn) return "leave"
  return hasRecord || dueOn === today ? "run" : "begin"
}
