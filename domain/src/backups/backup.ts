/** How often a backup is made by itself. */
export const backupFrequencies = ["hourly", "daily", "weekly"] as const
export type BackupFrequency = (typeof backupFrequencies)[number]

/** A backup that is `lost` was made and kept, and its file is not there any more, nor did we remove it. */
export const backupStates = ["making", "made", "failed", "removed", "lost"] as const

/** The night's work of the house is behind it, the day's not begun. */
const hourOfDay = 3
const step = { daily: { days: 1 }, weekly: { days: 7 } }

const onDay = (day: Temporal.PlainDate, { timeZoneId }: Temporal.ZonedDateTime) =>
  day.toZonedDateTime({ timeZone: timeZoneId, plainTime: { hour: hourOfDay } })

/**
 * When the last automatic backup before `now`, or at it, should have been made: on the hour, at three in the morning, or
 * at three on Sunday morning, in the timezone of `now`. Where a clock leaves three out, it is the hour that takes its place.
 */
export function lastBackupTime(frequency: BackupFrequency, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (frequency === "hourly") return now.round({ smallestUnit: "hour", roundingMode: "floor" })
  const sinceSunday = frequency === "weekly" ? now.dayOfWeek % 7 : 0
  const day = now.toPlainDate().subtract({ days: sinceSunday })
  const time = onDay(day, now)
  return Temporal.ZonedDateTime.compare(time, now) <= 0 ? time : onDay(day.subtract(step[frequency]), now)
}

/** The time after that one. */
export function nextBackupTime(frequency: BackupFrequency, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const last = lastBackupTime(frequency, now)
  if (frequency === "hourly") return last.add({ hours: 1 })
  return onDay(last.toPlainDate().add(step[frequency]), now)
}

/** A backup may take so many hours, or be begun so late, before somebody is told that there is none. */
const patienceHours: Record<BackupFrequency, number> = { hourly: 1, daily: 3, weekly: 3 }

/** Whether a backup was due, and its patience is over, since the last one that was made was begun. */
export function isBackupLate(
  frequency: BackupFrequency,
  lastBegun: Temporal.Instant,
  now: Temporal.ZonedDateTime,
): boolean {
  const due = lastBackupTime(frequency, now.subtract({ hours: patienceHours[frequency] }))
  return Temporal.Instant.compare(lastBegun, due.toInstant()) < 0
}

/** How many days, ISO weeks and months keep the newest backup of theirs (design: settings, "automatic backup"). */
export const keptBackups = { hours: 24, days: 7, weeks: 4, months: 12 }

/**
 * Which backups stay, by id: all of the last 24 hours, and the newest of each of the last 7 days, 4 ISO weeks and 12
 * months that have one, in the organisation's timezone. The newest of all always stays.
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

/** What the file of a backup is called where it is downloaded to: its time in UTC, and no sign that a system refuses. */
export const backupFileName = (at: Temporal.Instant): string =>
  `milkwood-backup-${at.round("second").toString().replaceAll(":", "").replace("T", "-").replace("Z", "")}.age`
