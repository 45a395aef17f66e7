import { randomUUID } from "node:crypto"
import { type Day, formatDay, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import { fillMail, type MailValues } from "@milkwood/domain/platform/mail-template"
import type { Role } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { scheduleTemplate } from "@milkwood/domain/platform/schedule-mail"
import { reportOf } from "@milkwood/domain/reports/catalogue"
import { customId, describeDefinition } from "@milkwood/domain/reports/custom-report"
import { reportFormatNames } from "@milkwood/domain/reports/report"
import { refusalsText } from "@milkwood/domain/reports/report-delivery"
import {
  maxFailuresBeforePause,
  nextRunOrADayLater,
  type ScheduleTimes,
  scheduleAfterRun,
  scheduledDates,
} from "@milkwood/domain/reports/report-schedule"
import type { RecipientDelivery } from "@milkwood/domain/reports/report-schedule-shape"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { StoredFile } from "../platform/files/files.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job, type NewJob, startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { describeReportRequest } from "./asked-report.ts"
import { reportLists } from "./catalogue.ts"
import { canReadRun, reportOfRun } from "./custom/asked-custom.ts"
import { readScheduledCustom } from "./custom/scheduled-custom.ts"
import { computeDeliveries } from "./deliveries.queries.ts"
import { finishRun, type ReportRun, readRun } from "./make-report.ts"
import { clearScheduleFailure } from "./schedule-news.ts"

const jobKind = "reports.send"

export const sendJobOf = ({ name, format }: Pick<StoredReportSchedule, "name" | "format">, runId: string): NewJob => ({
  kind: jobKind,
  label: `${name} (${reportFormatNames[format]})`,
  payload: { runId },
  resultPath: "/reports/generated",
})

interface StoredReportSchedule extends ScheduleTimes {
  id: string
  name: string
  report: ReportRun["report"]
  customReportId: string | null
  format: ReportRun["format"]
  query: Record<string, unknown>
  ownerId: string
  skipWhenEmpty: boolean
}

interface DueSchedule {
  dueAt: string | null
  isTest: boolean
  recipients: string[]
}

async function describeScheduledRun(
  cx: Cx,
  schedule: StoredReportSchedule,
  on: Day,
): Promise<{ name: string; asked: object; words: string }> {
  const { report: id, customReportId, ownerId } = schedule
  if (id === customId) {
    const { name, asked, dates } = await readScheduledCustom(cx, { customReportId: customReportId!, ownerId }, on)
    const { dateFormat } = await readSettings(cx.tx, { dateFormat: platformSettings.dateFormat })
    return { name, asked, words: describeDefinition(asked.custom, dates, dateFormat, cx.currency) }
  }
  const report = reportOf(id)
  const dates = scheduledDates(report, schedule.type, on)
  const list = reportLists[id]
  const asked = { ...list.start, ...schedule.query, ...dates }
  return { name: report.name, asked, words: await describeReportRequest(cx, { report, list, asked, dates }) }
}

export async function insertScheduledRun(
  cx: Cx,
  schedule: StoredReportSchedule,
  { dueAt, isTest, recipients }: DueSchedule,
): Promise<string> {
  const id = randomUUID()
  const { customReportId } = schedule
  const on = dueAt === null ? cx.today : todayInTimezone(Temporal.Instant.from(dueAt), cx.timezone)
  const { name, asked, words } = await describeScheduledRun(cx, schedule, on)
  await cx.tx.run(sql`
    insert into report_runs (id, report, name, format, asked, words, owner_id, state, asked_at, schedule_id, due_at, is_test, recipients,
      skip_when_empty, custom_report_id)
    values (${id}, ${schedule.report}, ${name}, ${schedule.format}, ${JSON.stringify(asked)}::jsonb, ${words}, ${schedule.ownerId},
      'making', ${cx.now}, ${schedule.id}, ${dueAt}, ${isTest}, ${sql.param(recipients)}::text[],
      ${schedule.skipWhenEmpty && !isTest}, ${customReportId})`)
  return id
}

/**
 * Starts each due run once, even if several servers call this. Of several missed runs, only the first is run, late.
 * Returns the number started.
 */
export async function startDueReports(app: App): Promise<number> {
  const moment = await app.moment()
  const { now, timezone } = moment
  return app.database.transaction("jobs", async (tx) => {
    const due = await tx.rows<StoredReportSchedule & { dueAt: string; recipients: string[] }>(sql`
      select id, name, report, custom_report_id as "customReportId", format, asked as query, type, hour, day_of_week as "dayOfWeek", day_of_month as "dayOfMonth", recipients,
        skip_when_empty as "skipWhenEmpty", owner_id as "ownerId", next_run_at as "dueAt"
      from report_schedules where is_active and deleted_at is null and next_run_at <= ${now}
      order by next_run_at, id limit 100 for update skip locked`)
    for (const schedule of due) {
      const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: schedule.ownerId }
      const cx: Cx = { app, tx, actor, ...moment, requestId: "schedule" }
      const runId = await insertScheduledRun(cx, schedule, { ...schedule, isTest: false })
      await startJob(cx, sendJobOf(schedule, runId))
      await tx.run(sql`
        update report_schedules set next_run_at = ${nextRunOrADayLater(schedule, now, timezone)} where id = ${schedule.id}`)
    }
    return due.length
  })
}

type ScheduledRun = ReportRun & {
  scheduleId: string
  scheduleName: string
  dueAt: string | null
  isTest: boolean
  recipients: string[]
  skipWhenEmpty: boolean
}

const readScheduledRun = async (cx: Cx, runId: string): Promise<ScheduledRun | undefined> => {
  const run = await readRun(cx, runId)
  const more = await cx.tx.row<Omit<ScheduledRun, keyof ReportRun>>(sql`
    select r.schedule_id as "scheduleId", s.name as "scheduleName", r.due_at as "dueAt", r.is_test as "isTest", r.recipients,
      r.skip_when_empty as "skipWhenEmpty"
    from report_runs r join report_schedules s on s.id = r.schedule_id where r.id = ${runId}`)
  return run && more && { ...run, ...more }
}

/** Checked again, because accounts, rights and settings may have changed since the schedule was saved. */
async function readRunDeliveries(cx: Cx, run: ScheduledRun, bytes: number): Promise<RecipientDelivery[]> {
  const report = {
    isMedical: reportOfRun(run).medical === true,
    mayRead: (role: Role | null) => canReadRun(run, role),
    bytes,
  }
  const [deliveries] = await computeDeliveries(cx.tx, [{ report, recipients: run.recipients }])
  return deliveries!
}

/** A note that names refused recipients. Refuses the run if no recipient remains. */
async function refusedRecipientsNote(cx: Cx, run: ScheduledRun, bytes: number): Promise<string | null> {
  const refusals = (await readRunDeliveries(cx, run, bytes)).filter(({ kind }) => kind === "refused")
  if (refusals.length === 0) return null
  const words = `Not sent to ${refusalsText(refusals)}`
  if (refusals.length === run.recipients.length) throw refused("INVALID", words, { fields: [] })
  return words
}

async function sendMails(cx: Cx, run: ScheduledRun, file: StoredFile): Promise<void> {
  const report = reportOfRun(run)
  const { dateFormat, organisation, scheduleMail } = await readSettings(cx.tx, { ...platformSettings, ...mailSettings })
  const dayOf = (at: string) => formatDay(todayInTimezone(Temporal.Instant.from(at), cx.timezone), dateFormat)
  const late = run.dueAt !== null && Temporal.Instant.from(run.dueAt).until(cx.now).total("minutes") > 60
  const notes = [
    ...(late ? [`This report was due on ${dayOf(run.dueAt!)} and is late because the server was not running.`] : []),
    ...(run.isTest ? ["This is a test: only you received it."] : []),
  ]
  const about = { kind: "report_schedule", id: run.scheduleId }
  const deliveries = await readRunDeliveries(cx, run, file.size)
  for (const { address: to, kind } of deliveries) {
    if (kind === "refused") continue
    const { subject, text } = fillMail(scheduleMail, {
      schedule: run.scheduleName,
      report: report.name,
      period: run.words,
      delivery:
        kind === "attachment"
          ? "The report is attached."
          : `The report is ready. Sign in to read it: ${cx.app.publicUrl}/reports/generated`,
      notes: notes.join("\n\n"),
      organisation: organisation.name,
    } satisfies MailValues<typeof scheduleTemplate>)
    await queueMail(cx, {
      to,
      subject: `${run.isTest ? "Test: " : ""}${subject}`,
      text,
      ...(kind === "attachment" && { attachments: [{ fileId: file.id, name: file.name }] }),
      about,
    })
  }
  const refusals = deliveries.filter(({ kind }) => kind === "refused")
  const owner = await cx.tx.row<{ email: string }>(
    sql`select email from users where id = ${run.ownerId} and disabled_at is null`,
  )
  if (refusals.length > 0 && owner)
    await queueMail(cx, {
      to: owner.email,
      subject: `Not sent to every recipient: ${run.scheduleName}`,
      text: `The scheduled report "${run.scheduleName}" was not sent to:\n\n${refusals.map((one) => refusalsText([one])).join("\n")}\n\nChange its recipients: ${cx.app.publicUrl}/reports/scheduled`,
      about,
    })
}

/** Pauses a schedule after repeated failures. A test run does not affect its schedule. */
async function updateScheduleAfterRun(cx: Cx, run: ScheduledRun, failure: string | null): Promise<void> {
  if (run.isTest) return
  const schedule = (await cx.tx.row<{
    failures: number
    isActive: boolean
    deleted: boolean
    disabled: boolean
    email: string | null
  }>(sql`
    select s.failures, s.is_active as "isActive", s.deleted_at is not null as deleted, u.disabled_at is not null as disabled, u.email
    from report_schedules s left join users u on u.id = s.owner_id where s.id = ${run.scheduleId} for update of s`))!
  const next = scheduleAfterRun(schedule, failure === null)
  // A disabled owner cannot fix it, so it pauses at the first failure.
  const isLeft = failure !== null && schedule.disabled && schedule.isActive
  const because = isLeft
    ? "The account of the schedule's owner is disabled."
    : next.isPausedByFailures
      ? `It failed ${maxFailuresBeforePause} times in a row: ${failure}`
      : null
  await cx.tx.run(sql`
    update report_schedules set last_run_at = ${cx.now}, failures = ${next.failures}, is_active = ${next.isActive && !isLeft},
      paused_because = coalesce(${because}, paused_because), version = version + ${because === null ? 0 : 1}
    where id = ${run.scheduleId}`)
  const about = {
    record: { kind: "report_schedule" as const, id: run.scheduleId, label: run.scheduleName },
    groupId: null,
  }
  if (failure === null) return clearScheduleFailure(cx, about)
  if (schedule.deleted) return
  if (because === null) return record(cx, [{ type: "ReportScheduleFailed", ...about, reason: failure }])
  await record(cx, [{ type: "ReportScheduleStopped", ...about, reason: because }])
  if (schedule.email && !isLeft)
    await queueMail(cx, {
      to: schedule.email,
      subject: `Paused: ${run.scheduleName}`,
      text: `The scheduled report "${run.scheduleName}" is paused. ${because}\n\nSolve the problem, then activate the schedule again: ${cx.app.publicUrl}/reports/scheduled`,
      about: { kind: "report_schedule", id: run.scheduleId },
    })
}

export const sendReport = job<{ runId: string }>(
  jobKind,
  async (cx) => {
    const { runId } = cx.payload
    const run = await cx.transaction((inner) => readScheduledRun(inner, runId))
    if (run?.state !== "making") return {}
    await finishRun(cx, run, {
      skips: ({ rows }) => run.skipWhenEmpty && rows === 0,
      note: (inner, { content }) => refusedRecipientsNote(inner, run, content.size),
      finish: async (inner, file) => {
        if (file) await sendMails(inner, run, file)
        await updateScheduleAfterRun(inner, run, null)
        await cx.complete(inner, { runId })
      },
      fail: async (inner, words) => {
        await updateScheduleAfterRun(inner, run, words)
        await cx.complete(inner, { runId })
      },
    })
    return { runId }
  },
  ({ payload: { runId }, transaction }) =>
    transaction(async (cx) => {
      const run = await readScheduledRun(cx, runId)
      if (run?.state !== "making") return
      const words = "The report failed because the server stopped several times before it was complete."
      await cx.tx.run(
        sql`update report_runs set state = 'failed', message = ${words}, finished_at = ${cx.now} where id = ${runId}`,
      )
      await updateScheduleAfterRun(cx, run, words)
    }),
)
