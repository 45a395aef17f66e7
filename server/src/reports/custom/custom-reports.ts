import { randomUUID } from "node:crypto"
import type { CustomDefinition } from "@milkwood/domain/reports/custom-report"
import type { CustomReportDetail, CustomReportForm } from "@milkwood/domain/reports/custom-report-shape"
import { type CustomReportAction, maxSavedReports } from "@milkwood/domain/reports/custom-reports"
import type { ReportFact } from "@milkwood/domain/reports/report-facts"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../../platform/calls/actor.ts"
import { type Cx, command, invalidInput, refused } from "../../platform/calls/commands.ts"
import { expectVersion } from "../../platform/calls/version.ts"
import { record } from "../../platform/trail/facts.ts"
import { startJob } from "../../platform/work/jobs.ts"
import { insertRun } from "../generate-report.ts"
import { makeJobOf } from "../make-report.ts"
import { customReportRequestOn } from "./asked-custom.ts"
import { readCustomReports, readOwnOrSharedReport } from "./custom-reports.queries.ts"

type CustomFact = Extract<ReportFact, { record: { kind: "custom_report" } }>

const recordCustomFact = (
  cx: Cx,
  type: CustomFact["type"],
  { id, name }: { id: string; name: string },
  more: object = {},
) => record(cx, [{ type, record: { kind: "custom_report", id, label: name }, groupId: null, ...more } as CustomFact])

const auditedFields = ({
  name,
  description,
  format,
  definition,
  sharedWith,
}: CustomReportForm | CustomReportDetail) => ({
  ...{ name, description, format, definition, sharedWith },
})

const readReport = async (cx: Cx, id: string): Promise<CustomReportDetail> =>
  (await readCustomReports(cx.tx, cx.actor, sql`c.id = ${id}`))[0]!

/** FORBIDDEN for a type or field that the actor may not see. */
const checkVisibleFields = (cx: Cx, { name, definition }: Pick<CustomReportForm, "name" | "definition">) =>
  customReportRequestOn(cx.today, { name, definition: definition as CustomDefinition }, cx.actor)

export const createCustomReport = command(reportsContract.custom.create, async (cx) => {
  const { idempotencyKey: _key, ...form } = cx.input
  checkVisibleFields(cx, form)
  const owner = actorUserId(cx.actor)
  const kept = await cx.tx.row<{ count: number }>(
    sql`select count(*)::int as count from custom_reports where owner_id = ${owner} and deleted_at is null`,
  )
  if (kept!.count >= maxSavedReports)
    throw invalidInput([
      { path: "name", message: `You already have ${maxSavedReports} saved reports. Delete one first.` },
    ])
  const id = randomUUID()
  await cx.tx.run(sql`
    insert into custom_reports (id, name, description, format, definition, owner_id, shared_with, created_at, updated_at)
    values (${id}, ${form.name}, ${form.description}, ${form.format}, ${JSON.stringify(form.definition)}::jsonb, ${owner},
      ${sql.param(form.sharedWith)}::text[], ${cx.now}, ${cx.now})`)
  await recordCustomFact(cx, "CustomReportSaved", { id, name: form.name }, { after: auditedFields(form) })
  return readReport(cx, id)
})

async function lockReportFor(cx: Cx, id: string, action: CustomReportAction): Promise<CustomReportDetail> {
  await cx.tx.run(sql`select from custom_reports where id = ${id} for update`)
  const [found] = await readCustomReports(cx.tx, cx.actor, sql`c.id = ${id}`)
  if (!found) throw refused("NOT_FOUND")
  if (!found.allowedActions.includes(action)) throw refused("FORBIDDEN")
  return found
}

export const updateCustomReport = command(reportsContract.custom.update, async (cx) => {
  const { customReportId: id, version, ...form } = cx.input
  const before = await lockReportFor(cx, id, "edit")
  expectVersion(before, version)
  checkVisibleFields(cx, form)
  await cx.tx.run(sql`
    update custom_reports set name = ${form.name}, description = ${form.description}, format = ${form.format},
      definition = ${JSON.stringify(form.definition)}::jsonb, shared_with = ${sql.param(form.sharedWith)}::text[],
      updated_at = ${cx.now}, version = version + 1
    where id = ${id}`)
  await recordCustomFact(
    cx,
    "CustomReportChanged",
    { id, name: form.name },
    { before: auditedFields(before), after: auditedFields(form) },
  )
  return readReport(cx, id)
})

export const removeCustomReport = command(reportsContract.custom.remove, async (cx) => {
  const before = await lockReportFor(cx, cx.input.customReportId, "delete")
  // A soft delete, because the report's runs remain on record.
  await cx.tx.run(sql`
    update custom_reports set deleted_at = ${cx.now}, updated_at = ${cx.now}, version = version + 1 where id = ${before.id}`)
  const reason = `The custom report ${before.name} was deleted.`
  const stopped = await cx.tx.rows<{ id: string; name: string }>(sql`
    update report_schedules set is_active = false, paused_because = ${reason}, version = version + 1
    where custom_report_id = ${before.id} and is_active and deleted_at is null returning id, name`)
  await recordCustomFact(cx, "CustomReportDeleted", before)
  for (const { id, name } of stopped)
    await record(cx, [
      {
        type: "ReportScheduleStopped",
        record: { kind: "report_schedule", id, label: name },
        groupId: null,
        reason,
      },
    ])
  return {}
})

export const generateCustomReport = command(reportsContract.custom.generate, async (cx) => {
  const { name, format, definition, customReportId } = cx.input
  if (customReportId) await readOwnOrSharedReport(cx, customReportId)
  const asked = checkVisibleFields(cx, { name, definition })
  const runId = await insertRun(cx, asked, format, actorUserId(cx.actor)!, customReportId)
  const jobId = await startJob(cx, makeJobOf(name, format, runId))
  return { runId, jobId }
})
