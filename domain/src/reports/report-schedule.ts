import { addDays, addMonths, type Day, firstOfMonth, lastOfMonth } from "../kernel/calendar.ts"
import type { Report } from "./report.ts"
import { type Period, periodOn } from "./report-period.ts"

export const scheduleTypes = ["daily", "weekly", "monthly", "quarterly", "yearly"] as const
export type ScheduleType = (typeof scheduleTypes)[number]

export const scheduleTypeNames: Record<ScheduleType, string> = {
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
  quarterly: "Quarterly",
  yearly: "Yearly",
}

/** Monday is 0, Sunday is 6. */
export const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** When a schedule runs: a full hour, and the day that its type has. */
export interface ScheduleTimes {
  type: ScheduleType
  hour: number
  /** 0 to 6 from Monday; of a weekly one. */
  dayOfWeek: number | null
  /** 1 to 28, which every month has; of a monthly, quarterly or yearly one. */
  dayOfMonth: number | null
}

/** What the dialog starts with (specification 2, section 9). */
export const usualTimes: ScheduleTimes = { type: "monthly", hour: 9, dayOfWeek: null, dayOfMonth: 1 }

export const takesDayOfMonth = (type: ScheduleType): boolean => ["monthly", "quarterly", "yearly"].includes(type)

/** The day of a type with what it needs: nothing that belongs to another type. */
export function timesOf(times: ScheduleTimes): ScheduleTimes {
  const { type, dayOfWeek, dayOfMonth } = times
  return {
    ...times,
    dayOfWeek: type === "weekly" ? (dayOfWeek ?? 0) : null,
    dayOfMonth: takesDayOfMonth(type) ? (dayOfMonth ?? 1) : null,
  }
}

/** The first day on or after another on which a schedule runs. */
function dayFrom({ type, dayOfWeek, dayOfMonth }: ScheduleTimes, from: Day): Day {
  if (type === "daily") return from
  if (type === "weekly") {
    const today = Temporal.PlainDate.from(from).dayOfWeek - 1
    return addDays(from, ((dayOfWeek ?? 0) - today + 7) % 7)
  }
  const step = { monthly: 1, quarterly: 3, yearly: 12 }[type]
  const month = Number(from.slice(5, 7)) - 1
  const first = addMonths(firstOfMonth(from), -(month % step))
  const on = (start: Day): Day => addDays(start, (dayOfMonth ?? 1) - 1)
  return on(first) >= from ? on(first) : on(addMonths(first, step))
}

/**
 * The next time after a moment at which a schedule runs, in a timezone. Quarterly ones run in January, April, July and
 * October, yearly ones in January. An hour that the clocks leave out is run when it would have been; one that they repeat,
 * the first time.
 */
export function calculateNextRun(times: ScheduleTimes, after: Temporal.Instant, timezone: string): Temporal.Instant {
  let from = after.toZonedDateTimeISO(timezone).toPlainDate().toString()
  for (;;) {
    const day = dayFrom(times, from)
    const at = Temporal.PlainDate.from(day)
      .toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from({ hour: times.hour }) })
      .toInstant()
    if (Temporal.Instant.compare(at, after) > 0) return at
    from = addDays(day, 1)
  }
}

/** The same; 24 hours later where it cannot be told, by a timezone that nobody knows, say (specification 2, section 7). */
export function nextRunOrADayLater(times: ScheduleTimes, after: Temporal.Instant, timezone: string): Temporal.Instant {
  try {
    return calculateNextRun(times, after, timezone)
  } catch {
    return after.add({ hours: 24 })
  }
}

/** The whole days before a run that its report is about: yesterday, the last seven, the last month, quarter or year. */
export function periodBefore(type: ScheduleType, today: Day): Period {
  const yesterday = addDays(today, -1)
  if (type === "daily") return { from: yesterday, to: yesterday }
  if (type === "weekly") return { from: addDays(today, -7), to: yesterday }
  const months = { monthly: 1, quarterly: 3, yearly: 12 }[type]
  const first = firstOfMonth(today)
  return { from: addMonths(first, -months), to: lastOfMonth(addMonths(first, -1)) }
}

/** The dates that a scheduled report is asked with on a day: what has passed, or what lies ahead where it looks ahead. */
export function scheduledDates(
  { dates }: Pick<Report, "dates">,
  type: ScheduleType,
  today: Day,
): { asOf?: Day } & Partial<Period> {
  if (dates.kind === "now") return {}
  if (dates.kind === "day") return { asOf: today }
  return dates.start === "next 90 days" ? periodOn(dates.start, today) : periodBefore(type, today)
}

/** When it runs, as people read it: "Monthly on day 1 at 09:00". */
export function timesWords({ type, hour, dayOfWeek, dayOfMonth }: ScheduleTimes): string {
  const at = `${String(hour).padStart(2, "0")}:00`
  if (type === "weekly") return `Weekly on ${weekdayNames[dayOfWeek ?? 0]} at ${at}`
  if (type === "daily") return `Daily at ${at}`
  return `${scheduleTypeNames[type]} on day ${dayOfMonth} at ${at}`
}

/** After so many runs in a row that failed a schedule pauses, and its owner is told. */
export const failuresToPause = 3

/** Where a schedule stands after a run: what succeeded forgets what failed before it. */
export function afterRun(schedule: { failures: number; isActive: boolean }, succeeded: boolean) {
  if (succeeded) return { failures: 0, isActive: schedule.isActive, isPausedByFailures: false }
  const failures = schedule.failures + 1
  const isPausedByFailures = schedule.isActive && failures >= failuresToPause
  return { failures, isActive: schedule.isActive && !isPausedByFailures, isPausedByFailures }
}

export const scheduleActions = ["edit", "pause", "activate", "delete", "runNow", "test"] as const
export type ScheduleAction = (typeof scheduleActions)[number]

/**
 * What somebody may do with a schedule. It runs with the rights of its owner: nobody else says what is sent to whom, or
 * when. An administrator may stop and delete those of others.
 */
export function allowedScheduleActions(
  schedule: { ownerId: string; isActive: boolean },
  actor: { userId: string; role: string | null },
): ScheduleAction[] {
  const toggle: ScheduleAction = schedule.isActive ? "pause" : "activate"
  if (schedule.ownerId === actor.userId) return ["edit", toggle, "delete", "runNow", "test"]
  if (actor.role !== "admin") return []
  return schedule.isActive ? ["pause", "delete"] : ["delete"]
}
