import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addDays, addMonths, lastOfMonth, todayInTimezone } from "../kernel/calendar.ts"
import { catalogue } from "./catalogue.ts"
import {
  allowedScheduleActions,
  calculateNextRun,
  describeTimes,
  nextRunOrADayLater,
  normalizeTimes,
  previousPeriod,
  type ScheduleTimes,
  scheduleAfterRun,
  scheduledDates,
  scheduleTypes,
} from "./report-schedule.ts"

const zones = ["Africa/Johannesburg", "UTC", "America/New_York", "Australia/Lord_Howe"]
const createTimes = (type: ScheduleTimes["type"], hour = 9, day = 1): ScheduleTimes =>
  normalizeTimes({ type, hour, dayOfWeek: day % 7, dayOfMonth: day })

const zoneFormatters = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }),
  ]),
)

/** Calculates the next run from `Intl` local times, independently of the product code. */
function nextLocalTime({ type, hour, dayOfWeek, dayOfMonth }: ScheduleTimes, after: number, timeZone: string): string {
  const [oneDay, halfAnHour] = [86_400_000, 1_800_000]
  const clock = zoneFormatters.get(timeZone)!
  const isDay = (day: Date) =>
    type === "daily" ||
    (type === "weekly"
      ? (day.getUTCDay() + 6) % 7 === dayOfWeek
      : day.getUTCDate() === dayOfMonth && day.getUTCMonth() % { monthly: 1, quarterly: 3, yearly: 12 }[type] === 0)
  for (let day = Math.floor(after / oneDay) * oneDay - oneDay; ; day += oneDay) {
    if (!isDay(new Date(day))) continue
    for (let at = day - oneDay / 2; at < day + 2 * oneDay; at += halfAnHour) {
      const [onDay, time] = clock.format(at).split(" ")
      if (onDay !== new Date(day).toISOString().slice(0, 10) || Number(time!.slice(0, 2)) < hour) continue
      if (at > after) return Temporal.Instant.fromEpochMilliseconds(at).toString()
      break
    }
  }
}

describe("the next run of a schedule", () => {
  it("agrees with local time for any moment from 2024 to 2032 in each timezone", () => {
    const moment = fc.integer({ min: Date.UTC(2024, 0, 1) / 1_000, max: Date.UTC(2032, 11, 31) / 1_000 })
    const turning = fc
      .tuple(
        fc.constantFrom(..."2024-03-10 2024-11-03 2027-04-04 2027-10-03 2030-10-06 2032-11-07".split(" ")),
        fc.integer({ min: -48, max: 48 }),
      )
      .map(([day, half]) => Date.parse(day) / 1_000 + half * 1_800)
    fc.assert(
      fc.property(
        fc.oneof(moment, turning),
        fc.constantFrom(...zones),
        fc.constantFrom(...scheduleTypes),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 1, max: 28 }),
        (seconds, zone, type, hour, day) => {
          const schedule = createTimes(type, hour, day)
          const after = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)
          const next = calculateNextRun(schedule, after, zone).toString()
          expect(next, `${type} ${hour} ${day} after ${after} in ${zone}`).toBe(
            nextLocalTime(schedule, seconds * 1_000, zone),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  }, 60_000)

  it.each(zones)("occurs once on each of its days, at its hour, from 2024 to 2032 in %s", (zone) => {
    const end = Temporal.Instant.from("2033-01-01T00:00:00Z")
    for (const [type, hour, day, runs] of [
      ["daily", 2, 1, 3288],
      ["weekly", 9, 0, 470],
      ["monthly", 0, 28, 108],
      ["monthly", 23, 1, 108],
      ["quarterly", 9, 15, 36],
      ["yearly", 9, 28, 9],
    ] as const) {
      let at = Temporal.Instant.from("2023-12-31T12:00:00Z")
      const days = new Set<string>()
      for (;;) {
        const next = calculateNextRun(createTimes(type, hour, day), at, zone)
        expect(Temporal.Instant.compare(next, at)).toBe(1)
        if (Temporal.Instant.compare(next, end) >= 0) break
        const local = next.toZonedDateTimeISO(zone)
        // When clocks skip this hour, the run is an hour later.
        expect([hour, hour + 1]).toContain(local.hour)
        if (local.hour !== hour || local.minute !== 0) expect(local.hoursInDay).toBeLessThan(24)
        if (type === "weekly") expect(local.dayOfWeek).toBe(1)
        if (!["daily", "weekly"].includes(type)) expect(local.day).toBe(day)
        if (type === "quarterly") expect([1, 4, 7, 10]).toContain(local.month)
        if (type === "yearly") expect(local.month).toBe(1)
        days.add(local.toPlainDate().toString())
        at = next
      }
      expect(Math.abs(days.size - runs), `${type} ${hour} ${day}`).toBeLessThanOrEqual(1)
    }
  })

  it.each([
    ["2026-11-02T06:59:59Z", "2026-11-02T07:00:00Z"],
    ["2026-11-02T07:00:00Z", "2026-11-03T07:00:00Z"],
  ])("the next run after %s is %s, strictly later", (after, next) =>
    expect(calculateNextRun(createTimes("daily"), Temporal.Instant.from(after), "Africa/Johannesburg").toString()).toBe(
      next,
    ))

  it("is 24 hours later in an unknown timezone", () => {
    const after = Temporal.Instant.from("2026-11-02T06:00:00Z")
    expect(nextRunOrADayLater(createTimes("daily"), after, "Mars/Olympus").toString()).toBe("2026-11-03T06:00:00Z")
  })

  it("is described in words", () => {
    expect(describeTimes(createTimes("monthly"))).toBe("Monthly on day 1 at 09:00")
    expect(describeTimes(createTimes("weekly", 14, 6))).toBe("Weekly on Sunday at 14:00")
    expect(describeTimes(createTimes("daily", 0))).toBe("Daily at 00:00")
  })
})

it("a scheduled report covers the whole days before its run, without overlap", () => {
  for (let day = "2024-01-01"; day < "2026-12-31"; day = addDays(day, 1)) {
    expect(previousPeriod("daily", day)).toEqual({ from: addDays(day, -1), to: addDays(day, -1) })
    const month = previousPeriod("monthly", day)
    expect(month).toEqual({ from: `${addMonths(day, -1).slice(0, 7)}-01`, to: lastOfMonth(addMonths(day, -1)) })
  }
  expect(previousPeriod("quarterly", "2026-04-01")).toEqual({ from: "2026-01-01", to: "2026-03-31" })
  expect(previousPeriod("yearly", "2026-01-01")).toEqual({ from: "2025-01-01", to: "2025-12-31" })
  const named = (id: string) => catalogue.find((one) => one.id === id)!
  expect(scheduledDates(named("renewals"), "monthly", "2026-11-02")).toEqual({ from: "2026-11-02", to: "2027-01-31" })
  expect(scheduledDates(named("debtors_ageing"), "daily", "2026-11-02")).toEqual({ asOf: "2026-11-02" })
  expect(scheduledDates(named("outstanding_claims"), "daily", "2026-11-02")).toEqual({})
  expect(todayInTimezone(Temporal.Instant.from("2026-11-02T23:00:00Z"), "Africa/Johannesburg")).toBe("2026-11-03")
})

it("a schedule pauses after three failures in a row", () => {
  let schedule = { failures: 0, isActive: true }
  for (const [succeeded, failures, isActive] of [
    [false, 1, true],
    [false, 2, true],
    [true, 0, true],
    [false, 1, true],
    [false, 2, true],
    [false, 3, false],
  ] as const) {
    const next = scheduleAfterRun(schedule, succeeded)
    expect(next).toMatchObject({ failures, isActive })
    schedule = next
  }
  expect(scheduleAfterRun({ failures: 3, isActive: false }, false).isPausedByFailures).toBe(false)
})

it("a schedule belongs to its owner; administrators may stop and delete others' schedules", () => {
  const schedule = { ownerId: "a", isActive: true }
  expect(allowedScheduleActions(schedule, { userId: "a", role: "underwriter" })).toEqual([
    "edit",
    "pause",
    "delete",
    "runNow",
    "test",
  ])
  expect(allowedScheduleActions(schedule, { userId: "b", role: "manager" })).toEqual([])
  expect(allowedScheduleActions(schedule, { userId: "b", role: "admin" })).toEqual(["pause", "delete"])
  expect(allowedScheduleActions({ ...schedule, isActive: false }, { userId: "b", role: "admin" })).toEqual(["delete"])
  expect(scheduleTypes).toHaveLength(5)
})
