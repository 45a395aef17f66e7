import type { AnyReportId } from "@milkwood/domain/reports/catalogue"
import { ageingInput } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { refused } from "../platform/calls/commands.ts"
import { canReadRun } from "./custom/asked-custom.ts"
import { debtorsAgeing } from "./debtors-ageing.queries.ts"
import { canReadRunSql } from "./report-runs.queries.ts"

export const reportsRoutes: HttpRoute[] = [
  ...exportList(debtorsAgeing, ageingInput),
  download(
    { path: "/api/reports/:runId/file", permission: "reports.read", summary: "Download a generated report" },
    async ({ actor, params, transaction }) => {
      const runId = uuidOrNotFound(params.runId)
      const found = await transaction((cx) =>
        cx.tx.row<{
          report: AnyReportId
          asked: object
          fileId: string | null
          deletedAt: string | null
          name: string | null
          mime: string | null
        }>(sql`
          select r.report, r.asked, r.file_id as "fileId", r.file_deleted_at as "deletedAt", f.name, f.mime
          from report_runs r left join files f on f.id = r.file_id
          where r.id = ${runId} and ${canReadRunSql(actor)}`),
      )
      if (!found) throw refused("NOT_FOUND")
      if (!canReadRun(found, ruleActor(actor).role)) throw refused("FORBIDDEN")
      if (found.deletedAt) throw refused("NOT_FOUND", "The file of this report was deleted. Generate the report again.")
      if (!found.fileId) throw refused("NOT_FOUND", "This report is not ready yet, or it failed.")
      return { name: found.name!, mime: found.mime!, fileId: found.fileId }
    },
  ),
]
