import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import type { Cx } from "../calls/commands.ts"
import { startJob } from "./jobs.ts"

export interface RecurringJob {
  name: string
  next(now: Temporal.ZonedDateTime): Temporal.ZonedDateTime
  job: { kind: string; label: string; payload: unknown }
}

export const dailyAt =
  (time: string) =>
  (now: Temporal.ZonedDateTime): Temporal.ZonedDateTime => {
    const today = now.withPlainTime(time)
    return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 })
  }

export const recurringJobs: RecurringJob[] = [
  {
    name: "housekeeping",
    next: dailyAt("02:30"),
    job: { kind: "platform.housekeeping", label: "Housekeeping", payload: {} },
  },
  {
    name: "webhooks of the day",
    next: dailyAt("02:25"),
    job: { kind: "webhooks.daily", label: "Delete old webhook messages", payload: {} },
  },
  {
    name: "report files",
    next: dailyAt("02:20"),
    job: { kind: "reports.files", label: "Delete old report files", payload: {} },
  },
  {
    name: "files about people",
    next: dailyAt("02:10"),
    job: { kind: "privacy.daily", label: "Delete old personal data files", payload: {} },
  },
  {
    name: "retention",
    next: dailyAt("01:40"),
    job: { kind: "privacy.retention", label: "Data retention", payload: {} },
  },
  {
    name: "audit trail",
    next: dailyAt("03:40"),
    job: { kind: "settings.checkTrail", label: "Check the audit trail", payload: {} },
  },
  {
    name: "policies of the day",
    next: dailyAt("00:01"),
    job: { kind: "policies.daily", label: "Daily policy update", payload: {} },
  },
  {
    name: "premium of the month",
    next: dailyAt("00:03"),
    job: { kind: "ledger.releasePremium", label: "Monthly premium income", payload: {} },
  },
  {
    name: "members of the day",
    next: dailyAt("00:06"),
    job: { kind: "members.daily", label: "Daily member update", payload: {} },
  },
  {
    name: "claims of the day",
    next: dailyAt("00:09"),
    job: { kind: "claims.daily", label: "Daily claim update", payload: {} },
  },
  {
    name: "figures of the day",
    next: dailyAt("00:20"),
    job: { kind: "reports.daily", label: "Daily figures", payload: {} },
  },
  {
    name: "policies that end",
    next: dailyAt("06:50"),
    job: { kind: "policies.expiryWarnings", label: "Policy expiry warnings", payload: {} },
  },
  {
    name: "premiums of the day",
    next: dailyAt("07:00"),
    job: { kind: "collection.daily", label: "Premium reminders and alerts", payload: {} },
  },
  {
    name: "notifications of the day",
    next: dailyAt("07:15"),
    job: { kind: "notifications.daily", label: "Reminders and the morning e-mail", payload: {} },
  },
]

/** Queues due jobs; missed times are run once. Returns how many were queued. */
export async function queueRecurring(app: App, list: readonly RecurringJob[] = recurringJobs): Promise<number> {
  const { now, today, timezone, currency } = await app.moment()
  const zoned = now.toZonedDateTimeISO(timezone)
  return app.database.transaction("jobs", async (tx) => {
    let queued = 0
    for (const { name, next, job } of list) {
      const nextRun = next(zoned).toInstant()
      await tx.run(sql`insert into schedules (name, next_run_at) values (${name}, ${nextRun}) on conflict do nothing`)
      // `next_run_at` is too late if the clock was ahead or in another timezone.
      const early = await tx.run(
        sql`update schedules set next_run_at = ${nextRun} where name = ${name} and next_run_at > ${nextRun}`,
      )
      if (early > 0)
        app.log.warn({ schedule: name, next: nextRun.toString() }, "a schedule was set too far ahead and was corrected")
      const due = await tx.run(
        sql`update schedules set next_run_at = ${nextRun} where name = ${name} and next_run_at <= ${now}`,
      )
      if (due === 0) continue
      const cx: Cx = {
        app,
        tx,
        actor: { kind: "system", name: "Milkwood", onBehalfOf: null },
        now,
        today,
        timezone,
        currency,
        requestId: "schedule",
      }
      await startJob(cx, job)
      queued++
    }
    return queued
  })
}
