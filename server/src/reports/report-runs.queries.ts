import { reportRunsList } from "@milkwood/domain/reports/report-runs.list"
import type { ReportRunRow } from "@milkwood/domain/reports/report-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { List } from "../platform/lists/list.ts"

/** What the reader had made. */
export const reportRuns = new List<typeof reportRunsList, ReportRunRow>(reportRunsList, {
  select: ({ actor }) => sql`
    select id, report, name, words, format, state, message, rows, size, sha256, asked_at as "askedAt"
    from report_runs where owner_id = ${actorUserId(actor)}`,
  present: (row: ReportRunRow) => row,
})

export const listReportRuns = query(reportsContract.runs, (cx) => reportRuns.page(cx, cx.input))
