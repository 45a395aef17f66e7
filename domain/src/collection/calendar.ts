import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"

export const calendarTasks = ["reminders", "alerts"] as const
export type CalendarTask = (typeof calendarTasks)[number]

/** The latest due day up to today: the day `dayOfMonth`, plus `after` days. */
export function lastDueOn(today: Day, dayOfMonth: number, after = 0): Day {
  const inMonthOf = (day: Day) => addDays(firstOfMonth(day), dayOfMonth - 1 + after)
  const due = inMonthOf(today)
  return due <= today ? due : inMonthOf(addMonths(firstOfMonth(today), -1))
}

export type CalendarStep = "run" | "leave" | "begin"

/**
 * `run`: the task is due today or was missed. `leave`: it is switched off. `begin`: no run is recorded yet, so earlier
 * due days are skipped.
 */
export function calendarStep(
  { dueOn, isOn, hasRecord }: { dueOn: Day; isOn: boolean; hasRecord: boolean },
  today: Day,
): CalendarStep {
  if (!isOn) return "leave"
  return hasRecord || dueOn === today ? "run" : "begin"
}
