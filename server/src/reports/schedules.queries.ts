import { hasPermission } from "@milkwood/domain/platform/permission"
import { catalogue, type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { type CustomDefinition, customSources, typesAllowedFor } from "@milkwood/domain/reports/custom-report"
import { permissionOf } from "@milkwood/domain/reports/report"
import { allowedScheduleActions } from "@milkwood/domain/reports/report-schedule"
import type { ReportSchedule } from "@milkwood/domain/reports/report-schedule-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { computeDeliveries, reportAccessOf } from "./deliveries.queries.ts"

type StoredSchedule = ReportSchedule & { definition: CustomDefinition | null }

export async function readSchedules(tx: Tx, actor: Actor, which: SQL): Promise<StoredSchedule[]> {
  const rows = await tx.rows<Omit<StoredSchedule, "allowedActions" | "deliveries">>(sql`
    select s.id, s.name, s.description, s.report, s.custom_report_id as "customReportId", c.name as "customName",
      c.definition, s.format, s.asked as query, s.type, s.hour, s.day_of_week as "dayOfWeek",
      s.day_of_month as "dayOfMonth", s.recipients, s.skip_when_empty as "skipWhenEmpty", s.owner_id as "ownerId",
      coalesce(u.name, 'A former user') as "ownerName", s.is_active as "isActive", s.paused_because as "pausedBecause",
      s.next_run_at as "nextRunAt", s.last_run_at as "lastRunAt", s.created_at as "createdAt", s.version,
      (select jsonb_build_object('state', r.state, 'message', r.message) from report_runs r
        where r.schedule_id = s.id and not r.is_test order by r.asked_at desc limit 1) as "lastRun"
    from report_schedules s left join users u on u.id = s.owner_id left join custom_reports c on c.id = s.custom_report_id
    where s.deleted_at is null and ${which} order by s.created_at desc, s.id desc`)
  const deliveries = await computeDeliveries(
    tx,
    rows.map(({ report, definition, recipients }) => ({ report: reportAccessOf(report, definition), recipients })),
  )
  return rows.map((row, nth) => ({
    ...row,
    deliveries: deliveries[nth]!,
    allowedActions: allowedScheduleActions(row, ruleActor(actor)),
  }))
}

function isVisibleTo(actor: Actor): SQL {
  const { userId, role } = ruleActor(actor)
  return role === "admin" || role === "manager" ? sql`true` : sql`s.owner_id = ${userId}`
}

export function hasFailed(actor: Actor): SQL {
  const { role } = ruleActor(actor)
  const readable = catalogue.filter((report) => hasPermission(role, permissionOf(report))).map(({ id }) => id as string)
  return sql`s.deleted_at is null and ${isVisibleTo(actor)} and (s.report = any (${sql.param(readable)}::text[]) or exists (
      select from custom_reports c where c.id = s.custom_report_id and c.definition ->> 'type' = any (${sql.param(typesAllowedFor(role))}::text[])))
    and (s.paused_because is not null or (s.is_active and (select r.state from report_runs r
      where r.schedule_id = s.id and not r.is_test order by r.asked_at desc limit 1) = 'failed'))`
}

export const listSchedules = query(reportsContract.schedules, async ({ tx, actor, input }) => {
  const { role } = ruleActor(actor)
  const found = await readSchedules(tx, actor, input.failed ? hasFailed(actor) : isVisibleTo(actor))
  return found.filter(({ report, definition }) =>
    hasPermission(role, permissionOf(definition ? customSources[definition.type] : reportOf(report as ReportId))),
  )
})
