import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"

/** What happens by itself once a month. */
export const calendarTasks = ["reminders", "alerts"] as const
export type CalendarTask = (typeof calendarTasks)[number]

/** The last day on which something of this day of the month was due, seen from today; `after` days later, if so. */
export function lastDueOn(today: Day, dayOfMonth: number, after = 0): Day {
  const inMonthOf = (day: Day) => addDays(firstOfMonth(day), dayOfMonth - 1 + after)
  const due = inMonthOf(today)
  return due <= today ? due : inMonthOf(addMonths(firstOfMonth(today), -1))
}

export type CalendarOutcome = "run" | "leave" | "begin"

/**
 * What is to be done today about the last time that something was due: `run`, also when that day was missed; `leave`,
 * when it is off; `begin`, when nothing is on record yet: what was due before the house began is nobody's to send.
 */
export function calendarStep(
  { dueOn, isOn, hasRecord }: { dueOn: Day; isOn: boolean; hasRecord: boolean },
  today: Day,
): CalendarOutcome {
  if (!isOn) return "leave"
  return hasRecord || dueOn === today ? "run" : "begin"
}
