import { randomUUID } from "node:crypto"
import { customId } from "@milkwood/domain/reports/custom-report"
import type { ReportFact } from "@milkwood/domain/reports/report-facts"
import {
  nextRunOrADayLater,
  normalizeTimes,
  type ScheduleAction,
  type ScheduleTimes,
} from "@milkwood/domain/reports/report-schedule"
import type { ReportSchedule } from "@milkwood/domain/reports/report-schedule-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type CallCx, type Cx, command, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { parseReportRequest, refuseUnknownParameters } from "./asked-report.ts"
import { readReportAccess, requireDeliverable } from "./deliveries.queries.ts"
import { readSchedules } from "./schedules.queries.ts"
import { insertScheduledRun, sendJobOf } from "./send-report.ts"

type ScheduleInput = Parameters<typeof formOf>[0]

/** Refuses a report that the actor may not read, and invalid filters. */
async function formOf(
  form: Pick<
    ReportSchedule,
    "name" | "description" | "report" | "customReportId" | "format" | "query" | "recipients" | "skipWhenEmpty"
  > &
    ScheduleTimes,
  cx: Cx,
) {
  const { asOf: _asOf, from: _from, to: _to, page: _page, pageSize: _size, ...query } = form.query
  const customReportId = form.report === customId ? form.customReportId : null
  await checkRecipients(cx, { ...form, customReportId, query })
  const { type, hour, dayOfWeek, dayOfMonth } = normalizeTimes(form)
  return { ...form, customReportId, query: customReportId ? {} : query, type, hour, dayOfWeek, dayOfMonth }
}

/** Refuses a report that the actor may not read, invalid filters, and a recipient who cannot receive the report. */
async function checkRecipients(
  cx: Cx,
  schedule: Pick<ScheduleInput, "report" | "customReportId" | "query" | "recipients">,
): Promise<void> {
  const sent = await readReportAccess(cx, schedule)
  if (schedule.report !== customId) parseReportRequest(schedule.report, schedule.query, cx)
  refuseUnknownParameters(schedule.report, schedule.query)
  await requireDeliverable(cx.tx, sent, schedule.recipients)
}

async function lockScheduleFor(cx: Cx, scheduleId: string, action: ScheduleAction | "any"): Promise<ReportSchedule> {
  await cx.tx.run(sql`select from report_schedules where id = ${scheduleId} for update`)
  const [found] = await readSchedules(cx.tx, cx.actor, sql`s.id = ${scheduleId}`)
  if (!found || found.allowedActions.length === 0) throw refused("NOT_FOUND")
  if (action !== "any" && !found.allowedActions.includes(action)) throw refused("FORBIDDEN")
  return found
}

const recordScheduleFact = async (
  cx: Cx,
  type: Extract<ReportFact["type"], `ReportSchedule${string}`>,
  { id, name }: { id: string; name: string },
  more: object = {},
) => record(cx, [{ type, record: { kind: "report_schedule", id, label: name }, groupId: null, ...more } as ReportFact])

const readSchedule = async (cx: Cx, id: string): Promise<ReportSchedule> =>
  (await readSchedules(cx.tx, cx.actor, sql`s.id = ${id}`))[0]!

export const createSchedule = command(reportsContract.createSchedule, async (cx) => {
  const id = randomUUID()
  const { idempotencyKey: _key, ...input } = cx.input
  const form = await formOf(input as ScheduleInput, cx)
  await cx.tx.run(sql`
    insert into report_schedules (id, name, description, report, format, asked, type, hour, day_of_week, day_of_month, recipients,
      skip_when_empty, next_run_at, owner_id, created_at, custom_report_id)
    values (${id}, ${form.name}, ${form.description}, ${form.report}, ${form.format}, ${JSON.stringify(form.query)}::jsonb, ${form.type},
      ${form.hour}, ${form.dayOfWeek}, ${form.dayOfMonth}, ${sql.param(form.recipients)}::text[], ${form.skipWhenEmpty},
      ${nextRunOrADayLater(form, cx.now, cx.timezone)}, ${actorUserId(cx.actor)}, ${cx.now}, ${form.customReportId})`)
  await recordScheduleFact(cx, "ReportScheduled", { id, name: form.name }, { after: auditedFieldsOf(form) })
  return readSchedule(cx, id)
})

const auditedScheduleFields = [
  ...["name", "description", "report", "customReportId", "format", "type", "hour", "dayOfWeek", "dayOfMonth"],
  ...["recipients", "skipWhenEmpty"],
] as (keyof ScheduleInput)[]

const auditedFieldsOf = (form: Omit<ScheduleInput, "query">) =>
  Object.fromEntries(auditedScheduleFields.map((field) => [field, form[field as keyof typeof form]]))

export const updateSchedule = command(reportsContract.updateSchedule, async (cx) => {
  const { scheduleId, version, ...input } = cx.input
  const before = await lockScheduleFor(cx, scheduleId, "edit")
  expectVersion(before, version)
  const form = await formOf(input as ScheduleInput, cx)
  await cx.tx.run(sql`
    update report_schedules set name = ${form.name}, description = ${form.description}, report = ${form.report}, format = ${form.format},
      asked = ${JSON.stringify(form.query)}::jsonb, type = ${form.type}, hour = ${form.hour}, day_of_week = ${form.dayOfWeek},
      day_of_month = ${form.dayOfMonth}, recipients = ${sql.param(form.recipients)}::text[], skip_when_empty = ${form.skipWhenEmpty},
      next_run_at = ${nextRunOrADayLater(form, cx.now, cx.timezone)}, failures = 0, version = version + 1,
      custom_report_id = ${form.customReportId}
    where id = ${scheduleId}`)
  await recordScheduleFact(
    cx,
    "ReportScheduleChanged",
    { id: scheduleId, name: form.name },
    { before: auditedFieldsOf(before), after: auditedFieldsOf(form) },
  )
  return readSchedule(cx, scheduleId)
})

/** The next run is after now; runs missed while paused are not repeated. */
export const toggleSchedule = command(reportsContract.toggleSchedule, async (cx) => {
  const { scheduleId, version, isActive } = cx.input
  const before = await lockScheduleFor(cx, scheduleId, "any")
  if (before.isActive === isActive) return before
  if (!before.allowedActions.includes(isActive ? "activate" : "pause")) throw refused("FORBIDDEN")
  expectVersion(before, version)
  if (isActive) await checkRecipients(cx, before)
  await cx.tx.run(sql`
    update report_schedules set is_active = ${isActive}, paused_because = null, failures = 0, version = version + 1,
      next_run_at = ${isActive ? nextRunOrADayLater(before, cx.now, cx.timezone) : before.nextRunAt}
    where id = ${scheduleId}`)
  await recordScheduleFact(cx, isActive ? "ReportScheduleActivated" : "ReportSchedulePaused", before)
  return readSchedule(cx, scheduleId)
})

export const deleteSchedule = command(reportsContract.deleteSchedule, async (cx) => {
  const before = await lockScheduleFor(cx, cx.input.scheduleId, "delete")
  // A soft delete, because the report's runs remain on record.
  await cx.tx.run(sql`
    update report_schedules set deleted_at = ${cx.now}, is_active = false, paused_because = null, version = version + 1 where id = ${before.id}`)
  await recordScheduleFact(cx, "ReportScheduleDeleted", before)
  return {}
})

export const runSchedule = command(
  reportsContract.runSchedule,
  async (cx: CallCx<{ scheduleId: string; isTest: boolean }>) => {
    const { scheduleId, isTest } = cx.input
    const schedule = await lockScheduleFor(cx, scheduleId, isTest ? "test" : "runNow")
    const email = cx.actor.kind === "user" ? cx.actor.email : ""
    const runId = await insertScheduledRun(cx, schedule, {
      dueAt: null,
      isTest,
      recipients: isTest ? [email] : schedule.recipients,
    })
    const jobId = await startJob(cx, sendJobOf(schedule, runId))
    return { runId, jobId }
  },
)
