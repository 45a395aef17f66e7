import { hasPermission } from "@milkwood/domain/platform/permission"
import { catalogue, quickReports, type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { permissionOf } from "@milkwood/domain/reports/report"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { parseReportRequest } from "./asked-report.ts"

export const readCatalogue = query(reportsContract.catalogue, async (cx) => {
  const { role } = ruleActor(cx.actor)
  const mine = (id: ReportId) => hasPermission(role, permissionOf(reportOf(id)))
  const last = await cx.tx.rows<{ report: string; at: string }>(sql`
    select report, max(finished_at) as at from report_runs where state = 'done' group by report`)
  const at = new Map(last.map((row) => [row.report, row.at]))
  const quick = []
  for (const { key, report, asked, urgent } of quickReports.filter((one) => mine(one.report)))
    quick.push({
      key,
      ...(await readRunState(cx, report, asked)),
      urgent: urgent === true && (await reportHasRows(cx, report, asked)),
    })
  return {
    reports: catalogue.filter(({ id }) => mine(id)).map(({ id }) => ({ id, lastGeneratedAt: at.get(id) ?? null })),
    quick,
  }
})

async function readRunState(cx: Cx, id: ReportId, query: Readonly<Record<string, string | boolean>>) {
  const { asked } = parseReportRequest(id, query, cx)
  const found = await cx.tx.row<{ state: string; at: string | null }>(sql`
    select state, finished_at as at from report_runs
    where report = ${id} and asked @> ${JSON.stringify(omitListControls(asked))}::jsonb and state <> 'failed'
      and asked_at >= (${cx.today}::date::timestamp at time zone ${cx.timezone})
    order by asked_at desc limit 1`)
  if (!found) {
    const next = await cx.tx.row<{ at: string | null }>(sql`
      select min(next_run_at) as at from report_schedules
      where report = ${id} and asked @> ${JSON.stringify(query)}::jsonb and is_active and deleted_at is null`)
    return next?.at ? { status: "Scheduled" as const, at: next.at } : { status: "Ready" as const, at: null }
  }
  return found.state === "making"
    ? { status: "Processing" as const, at: null }
    : { status: "Ready" as const, at: found.at }
}

const omitListControls = ({
  page: _page,
  pageSize: _size,
  sort: _sort,
  dir: _dir,
  search: _search,
  ...rest
}: Record<string, unknown>) => rest

async function reportHasRows(
  cx: Cx,
  id: ReportId,
  query: Readonly<Record<string, string | boolean>>,
): Promise<boolean> {
  const { list, asked } = parseReportRequest(id, query, cx)
  const statement = list.export(asked, cx, ["id"])
  return (await cx.tx.row<{ any: boolean }>(sql`select exists (${statement}) as any`))!.any
}
