import { reportRunsList } from "@milkwood/domain/reports/report-runs.list"
import type { ReportRunRow } from "@milkwood/domain/reports/report-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, actorUserId } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { List } from "../platform/lists/list.ts"

export const canReadRunSql = (actor: Actor): SQL => {
  const email = actor.kind === "user" ? actor.email.toLowerCase() : ""
  return sql`(r.owner_id = ${actorUserId(actor)} or lower(r.recipients::text)::text[] @> array[${email}::text])`
}

export const reportRuns = new List<typeof reportRunsList, ReportRunRow>(reportRunsList, {
  select: ({ actor }) => sql`
    select id, report, name, words, format, state, message, rows, size, sha256, file_deleted_at as "fileDeletedAt", asked_at as "askedAt"
    from report_runs r where ${canReadRunSql(actor)}`,
  present: (row: ReportRunRow) => row,
})

export const listReportRuns = query(reportsContract.runs, (cx) => reportRuns.page(cx, cx.input))
