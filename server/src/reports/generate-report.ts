import { randomUUID } from "node:crypto"
import type { ReportFormat } from "@milkwood/domain/reports/report"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command } from "../platform/calls/commands.ts"
import { startJob } from "../platform/work/jobs.ts"
import {
  describeReportRequest,
  parseReportRequest,
  type ReportRequest,
  refuseUnknownParameters,
} from "./asked-report.ts"
import { makeJobOf } from "./make-report.ts"

export async function insertRun(
  cx: Cx,
  asked: ReportRequest,
  format: ReportFormat,
  ownerId: string,
  customReportId: string | null = null,
): Promise<string> {
  const id = randomUUID()
  const { report } = asked
  await cx.tx.run(sql`
    insert into report_runs (id, report, name, format, asked, words, owner_id, state, asked_at, custom_report_id)
    values (${id}, ${report.id}, ${report.name}, ${format}, ${JSON.stringify(asked.asked)}::jsonb, ${await describeReportRequest(cx, asked)},
      ${ownerId}, 'making', ${cx.now}, ${customReportId})`)
  return id
}

export const generateReport = command(reportsContract.generate, async (cx) => {
  const { report, format, query } = cx.input
  const asked = parseReportRequest(report, query, cx)
  refuseUnknownParameters(report, query)
  const runId = await insertRun(cx, asked, format, actorUserId(cx.actor)!)
  const jobId = await startJob(cx, makeJobOf(asked.report.name, format, runId))
  return { runId, jobId }
})
