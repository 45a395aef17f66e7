import { addDays, addMonths, type Day, daysBetween, firstOfMonth, maxDay } from "../kernel/calendar.ts"

export const expectedListStates = ["expected", "late"] as const
export type ExpectedListState = (typeof expectedListStates)[number]

export const expectedListStateNames: Record<ExpectedListState, string> = { expected: "Expected", late: "Late" }

export interface StaffListTerms {
  /** Day of the month by which a list is due, 1 to 28; null: none is expected. */
  staffListDay: number | null
  /** The first day on which a list may be due: the latest of the policy's start, its activation and the setting. */
  since: Day
  endOn: Day | null
  /** The day on which the policy's latest list was imported. */
  lastSentOn: Day | null
}

export interface OutstandingList {
  /** First day of the month. */
  month: Day
  dueOn: Day
  state: ExpectedListState
  daysLate: number
}

/**
 * The earliest month without a staff list, up to today's month; null if nothing is outstanding. A list contains every
 * member, so it also replaces the missing lists of earlier months. A list is late on the day after its due day.
 */
export function findOutstandingList(
  { staffListDay, since, endOn, lastSentOn }: StaffListTerms,
  today: Day,
): OutstandingList | null {
  if (staffListDay === null) return null
  const dueOf = (month: Day) => addDays(month, staffListDay - 1)
  const start = firstOfMonth(since)
  const first = dueOf(start) < since ? addMonths(start, 1) : start
  const month = lastSentOn ? maxDay(first, addMonths(firstOfMonth(lastSentOn), 1)) : first
  const dueOn = dueOf(month)
  if (month > today || (endOn !== null && dueOn > endOn)) return null
  const daysLate = Math.max(0, daysBetween(dueOn, today))
  return { month, dueOn, state: daysLate > 0 ? "late" : "expected", daysLate }
}
