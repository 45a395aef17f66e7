import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import {
  backupFileName,
  backupFrequencies,
  backupsToKeep,
  isBackupLate,
  lastBackupTime,
  nextBackupTime,
} from "./backup.ts"

const zonedTime = (text: string) => Temporal.ZonedDateTime.from(text)

test.each([
  [
    "hourly",
    "2026-11-22T14:17:05+02:00[Africa/Johannesburg]",
    "2026-11-22T14:00:00+02:00",
    "2026-11-22T15:00:00+02:00",
  ],
  ["daily", "2026-11-22T14:17:05+02:00[Africa/Johannesburg]", "2026-11-22T03:00:00+02:00", "2026-11-23T03:00:00+02:00"],
  ["daily", "2026-11-22T02:59:59+02:00[Africa/Johannesburg]", "2026-11-21T03:00:00+02:00", "2026-11-22T03:00:00+02:00"],
  ["daily", "2026-11-22T03:00:00+02:00[Africa/Johannesburg]", "2026-11-22T03:00:00+02:00", "2026-11-23T03:00:00+02:00"],
  // 22 November 2026 is a Sunday.
  [
    "weekly",
    "2026-11-22T02:00:00+02:00[Africa/Johannesburg]",
    "2026-11-15T03:00:00+02:00",
    "2026-11-22T03:00:00+02:00",
  ],
  [
    "weekly",
    "2026-11-22T04:00:00+02:00[Africa/Johannesburg]",
    "2026-11-22T03:00:00+02:00",
    "2026-11-29T03:00:00+02:00",
  ],
  [
    "weekly",
    "2026-11-28T23:59:00+02:00[Africa/Johannesburg]",
    "2026-11-22T03:00:00+02:00",
    "2026-11-29T03:00:00+02:00",
  ],
  // Daylight saving skips the hour from two to three.
  ["daily", "2026-03-08T12:00:00-04:00[America/New_York]", "2026-03-08T03:00:00-04:00", "2026-03-09T03:00:00-04:00"],
] as const)("%s backups at %s: the last was due at %s, the next is at %s", (frequency, now, last, next) => {
  expect(lastBackupTime(frequency, zonedTime(now)).toString({ timeZoneName: "never" })).toBe(last)
  expect(nextBackupTime(frequency, zonedTime(now)).toString({ timeZoneName: "never" })).toBe(next)
})

test("the previous and next backup times exist, with none between", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...backupFrequencies),
      fc.constantFrom("Africa/Johannesburg", "America/New_York", "UTC"),
      fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
      (frequency, zone, seconds) => {
        const now = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toZonedDateTimeISO(zone)
        const [last, next] = [lastBackupTime(frequency, now), nextBackupTime(frequency, now)]
        expect(Temporal.ZonedDateTime.compare(last, now)).toBeLessThanOrEqual(0)
        expect(Temporal.ZonedDateTime.compare(next, now)).toBe(1)
        expect(lastBackupTime(frequency, next).equals(next)).toBe(true)
        expect(nextBackupTime(frequency, last).equals(next)).toBe(true)
      },
    ),
  )
})

describe("retention of backups", () => {
  const now = zonedTime("2026-11-22T14:00:00+02:00[Africa/Johannesburg]")
  const keptOf = (days: readonly number[]) =>
    backupsToKeep(
      days.map((ago) => ({ id: String(ago), at: now.subtract({ hours: Math.round(ago * 24) }).toInstant() })),
      now,
    )
  it("keeps 24 hours, then the newest of 7 days, 4 weeks and 12 months", () => {
    const daily = Array.from({ length: 500 }, (_, day) => day)
    const kept = [...keptOf(daily)].map(Number).sort((a, b) => a - b)
    // Sunday the 22nd is a separate week; earlier weeks end on the 15th, the 8th and the 1st.
    expect(kept.filter((ago) => ago < 30)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 22])
    // The last of each month from October 2026 back to December 2025.
    expect(kept.filter((ago) => ago >= 30)).toEqual([53, 83, 114, 145, 175, 206, 236, 267, 295, 326])
  })
  it("keeps all backups of the last 24 hours", () => {
    const hourly = Array.from({ length: 24 }, (_, hour) => hour / 24)
    expect(keptOf(hourly).size).toBe(24)
  })
  it("keeps the newest backup, whatever its age", () => expect([...keptOf([900, 901])]).toContain("900"))
  it("ignores days, weeks and months without a backup", () => expect(keptOf([0, 40, 400, 800]).size).toBe(4))
})

test("a backup's file name is its time, without characters that a file system refuses", () =>
  expect(backupFileName(Temporal.Instant.from("2026-11-22T01:00:03.4Z"))).toBe("milkwood-backup-2026-11-22-010003.age"))

test.each([
  ["hourly", "2026-11-22T13:00:10+02:00", "2026-11-22T14:59:59+02:00", false],
  ["hourly", "2026-11-22T13:00:10+02:00", "2026-11-22T15:00:00+02:00", true],
  ["daily", "2026-11-21T03:00:10+02:00", "2026-11-22T05:59:59+02:00", false],
  ["daily", "2026-11-21T03:00:10+02:00", "2026-11-22T06:00:00+02:00", true],
  ["daily", "2026-11-22T03:00:10+02:00", "2026-11-22T06:00:00+02:00", false],
  // 22 November 2026 is a Sunday.
  ["weekly", "2026-11-15T03:00:10+02:00", "2026-11-22T05:59:59+02:00", false],
  ["weekly", "2026-11-15T03:00:10+02:00", "2026-11-22T06:00:00+02:00", true],
] as const)("a %s backup last started at %s is late at %s: %s", (frequency, begun, now, isLate) => {
  expect(isBackupLate(frequency, Temporal.Instant.from(begun), zonedTime(`${now}[Africa/Johannesburg]`))).toBe(isLate)
})
