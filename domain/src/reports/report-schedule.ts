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

/** 0 = Monday. */
export const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

export interface ScheduleTimes {
  type: ScheduleType
  hour: number
  /** Weekly schedules: 0 (Monday) to 6. */
  dayOfWeek: number | null
  /** 1 to 28, days that every month has. */
  dayOfMonth: number | null
}

/** Defaults of the dialog (specification 2, section 9). */
export const defaultTimes: ScheduleTimes = { type: "monthly", hour: 9, dayOfWeek: null, dayOfMonth: 1 }

export const hasDayOfMonth = (type: ScheduleType): boolean => ["monthly", "quarterly", "yearly"].includes(type)

export function normalizeTimes(times: ScheduleTimes): ScheduleTimes {
  const { type, dayOfWeek, dayOfMonth } = times
  return {
    ...times,
    dayOfWeek: type === "weekly" ? (dayOfWeek ?? 0) : null,
    dayOfMonth: hasDayOfMonth(type) ? (dayOfMonth ?? 1) : null,
  }
}

function nextScheduledDay({ type, dayOfWeek, dayOfMonth }: ScheduleTimes, from: Day): Day {
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
 * The next run strictly after a moment. Quarterly schedules run in January, April, July and October, yearly ones in
 * January. If a clock change skips the hour, the run is an hour later; if it repeats the hour, the run is at the first.
 */
export function calculateNextRun(times: ScheduleTimes, after: Temporal.Instant, timezone: string): Temporal.Instant {
  let from = after.toZonedDateTimeISO(timezone).toPlainDate().toString()
  for (;;) {
    const day = nextScheduledDay(times, from)
    const at = Temporal.PlainDate.from(day)
      .toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from({ hour: times.hour }) })
      .toInstant()
    if (Temporal.Instant.compare(at, after) > 0) return at
    from = addDays(day, 1)
  }
}

/** 24 hours later when no time can be calculated, for example in an unknown timezone (specification 2, section 7). */
export function nextRunOrADayLater(times: ScheduleTimes, after: Temporal.Instant, timezone: string): Temporal.Instant {
  try {
    return calculateNextRun(times, after, timezone)
  } catch {
    return after.add({ hours: 24 })
  }
}

/** Yesterday, the last seven days, or the last calendar month, quarter or year. */
export function previousPeriod(type: ScheduleType, today: Day): Period {
  const yesterday = addDays(today, -1)
  if (type === "daily") return { from: yesterday, to: yesterday }
  if (type === "weekly") return { from: addDays(today, -7), to: yesterday }
  const months = { monthly: 1, quarterly: 3, yearly: 12 }[type]
  const first = firstOfMonth(today)
  return { from: addMonths(first, -months), to: lastOfMonth(addMonths(first, -1)) }
}

/** The period before the run; for a report about the future, the period after it. */
export function scheduledDates(
  { dates }: Pick<Report, "dates">,
  type: ScheduleType,
  today: Day,
): { asOf?: Day } & Partial<Period> {
  if (dates.kind === "now") return {}
  if (dates.kind === "day") return { asOf: today }
  return dates.start === "next 90 days" ? periodOn(dates.start, today) : previousPeriod(type, today)
}

/** The schedule in words: "Monthly on day 1 at 09:00". */
export function describeTimes({ type, hour, dayOfWeek, dayOfMonth }: ScheduleTimes): string {
  const at = `${String(hour).padStart(2, "0")}:00`
  if (type === "weekly") return `Weekly on ${weekdayNames[dayOfWeek ?? 0]} at ${at}`
  if (type === "daily") return `Daily at ${at}`
  return `${scheduleTypeNames[type]} on day ${dayOfMonth} at ${at}`
}

/** Consecutive failures until a schedule pauses and its owner is notified. */
export const maxFailuresBeforePause = 3

export function scheduleAfterRun(schedule: { failures: number; isActive: boolean }, succeeded: boolean) {
  if (succeeded) return { failures: 0, isActive: schedule.isActive, isPausedByFailures: false }
  const failures = schedule.failures + 1
  const isPausedByFailures = schedule.isActive && failures >= maxFailuresBeforePause
  return { failures, isActive: schedule.isActive && !isPausedByFailures, isPausedByFailures }
}

export const scheduleActions = ["edit", "pause", "activate", "delete", "runNow", "test"] as const
export type ScheduleAction = (typeof scheduleActions)[number]

/** A schedule runs with its owner's rights, so only the owner changes it. Administrators may stop and delete it. */
export function allowedScheduleActions(
  schedule: { ownerId: string; isActive: boolean },
  actor: { userId: string; role: string | null },
): ScheduleAction[] {
  const toggle: ScheduleAction = schedule.isActive ? "pause" : "activate"
  if (schedule.ownerId === actor.userId) return ["edit", toggle, "delete", "runNow", "test"]
  if (actor.role !== "admin") return []
  return schedule.isActive ? ["pause", "delete"] : ["delete"]
}
