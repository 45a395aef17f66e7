export const backupFrequencies = ["hourly", "daily", "weekly"] as const
export type BackupFrequency = (typeof backupFrequencies)[number]

/** `lost`: the file of a completed backup has disappeared. */
export const backupStates = ["making", "made", "failed", "removed", "lost"] as const

/** After the nightly jobs, before the working day. */
const backupHour = 3
const backupInterval = { daily: { days: 1 }, weekly: { days: 7 } }

const backupTimeOn = (day: Temporal.PlainDate, { timeZoneId }: Temporal.ZonedDateTime) =>
  day.toZonedDateTime({ timeZone: timeZoneId, plainTime: { hour: backupHour } })

/**
 * The last backup time at or before `now`: on the hour, at 03:00, or at 03:00 on Sunday, in the timezone of `now`. If
 * daylight saving skips 03:00, the next hour.
 */
export function lastBackupTime(frequency: BackupFrequency, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (frequency === "hourly") return now.round({ smallestUnit: "hour", roundingMode: "floor" })
  const sinceSunday = frequency === "weekly" ? now.dayOfWeek % 7 : 0
  const day = now.toPlainDate().subtract({ days: sinceSunday })
  const time = backupTimeOn(day, now)
  return Temporal.ZonedDateTime.compare(time, now) <= 0
    ? time
    : backupTimeOn(day.subtract(backupInterval[frequency]), now)
}

export function nextBackupTime(frequency: BackupFrequency, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const last = lastBackupTime(frequency, now)
  if (frequency === "hourly") return last.add({ hours: 1 })
  return backupTimeOn(last.toPlainDate().add(backupInterval[frequency]), now)
}

/** Hours that a backup may be late or take before it is reported missing. */
const lateAfterHours: Record<BackupFrequency, number> = { hourly: 1, daily: 3, weekly: 3 }

/** Whether a backup is missing: overdue by more than these hours since the last completed one started. */
export function isBackupLate(
  frequency: BackupFrequency,
  lastBegun: Temporal.Instant,
  now: Temporal.ZonedDateTime,
): boolean {
  const due = lastBackupTime(frequency, now.subtract({ hours: lateAfterHours[frequency] }))
  return Temporal.Instant.compare(lastBegun, due.toInstant()) < 0
}

/** Numbers of days, ISO weeks and months whose newest backup is kept. */
export const keptBackups = { hours: 24, days: 7, weeks: 4, months: 12 }

/**
 * Ids to keep: all of the last 24 hours, and the newest of each of the last 7 days, 4 ISO weeks and 12 months that have
 * a backup, in the organisation's timezone. The newest backup is always kept.
 */
export function backupsToKeep(
  backups: readonly { id: string; at: Temporal.Instant }[],
  now: Temporal.ZonedDateTime,
): Set<string> {
  const newest = [...backups].sort((a, b) => Temporal.Instant.compare(b.at, a.at))
  const since = now.subtract({ hours: keptBackups.hours }).toInstant()
  const kept = new Set(newest.filter(({ at }) => Temporal.Instant.compare(at, since) >= 0).map(({ id }) => id))
  const keepNewestOf = (most: number, periodOf: (day: Temporal.PlainDate) => string) => {
    const seen = new Set<string>()
    for (const { id, at } of newest) {
      const period = periodOf(at.toZonedDateTimeISO(now.timeZoneId).toPlainDate())
      if (seen.has(period)) continue
      if (seen.size === most) return
      seen.add(period)
      kept.add(id)
    }
  }
  keepNewestOf(keptBackups.days, (day) => day.toString())
  keepNewestOf(keptBackups.weeks, (day) => `${day.yearOfWeek} ${day.weekOfYear}`)
  keepNewestOf(keptBackups.months, (day) => day.toPlainYearMonth().toString())
  return kept
}

/** The download name: the time in UTC, without characters that a file system refuses. */
export const backupFileName = (at: Temporal.Instant): string =>
  `milkwood-backup-${at.round("second").toString().replaceAll(":", "").replace("T", "-").replace("Z", "")}.age`
