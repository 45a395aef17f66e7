import type { CustomDefinition } from "@milkwood/domain/reports/custom-report"
import { reduceDefinition } from "@milkwood/domain/reports/custom-report"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import { allowedCustomActions } from "@milkwood/domain/reports/custom-reports"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../../platform/calls/actor.ts"
import { type Cx, query, refused } from "../../platform/calls/commands.ts"
import type { Tx } from "../../platform/database/database.ts"
import type { ReportRequest } from "../asked-report.ts"
import { reportPage } from "../report-rows.ts"
import { customReportRequestOn } from "./asked-custom.ts"

const previewRowLimit = 25

type StoredCustomReport = Omit<CustomReportDetail, "definition" | "missing" | "missingFilters" | "allowedActions"> & {
  definition: CustomDefinition
}

export async function readCustomReports(tx: Tx, actor: Actor, which: SQL): Promise<CustomReportDetail[]> {
  const rows = await tx.rows<StoredCustomReport>(sql`
    select c.id, c.name, c.description, c.format, c.definition, c.shared_with as "sharedWith", c.owner_id as "ownerId",
      coalesce(u.name, 'A former user') as "ownerName", (u.id is null or u.disabled_at is not null) as "isOrphaned",
      (select max(finished_at) from report_runs r where r.custom_report_id = c.id and r.state = 'done') as "lastGeneratedAt",
      (select count(*)::int from report_schedules s where s.custom_report_id = c.id and s.is_active and s.deleted_at is null)
        as schedules,
      c.updated_at as "updatedAt", c.version
    from custom_reports c left join users u on u.id = c.owner_id
    where c.deleted_at is null and ${which} order by lower(c.name), c.id`)
  return rows.flatMap((row) => {
    const stood = { ...row, ...reduceDefinition(row.definition) }
    const allowedActions = allowedCustomActions(stood, ruleActor(actor))
    return allowedActions.length > 0 ? [{ ...stood, allowedActions }] : []
  })
}

/** NOT_FOUND for a report that the actor may not open. */
export async function readOwnOrSharedReport(
  cx: Pick<Cx, "tx" | "actor">,
  customReportId: string,
): Promise<CustomReportDetail> {
  const [found] = await readCustomReports(cx.tx, cx.actor, sql`c.id = ${customReportId}`)
  if (!found?.allowedActions.includes("open")) throw refused("NOT_FOUND")
  return found
}

const readReportPage = (cx: Cx, asked: ReportRequest) => reportPage(cx, asked) as never

export const listCustomReports = query(reportsContract.custom.list, (cx) =>
  readCustomReports(cx.tx, cx.actor, sql`true`),
)

export const readCustomReport = query(reportsContract.custom.detail, (cx) =>
  readOwnOrSharedReport(cx, cx.input.customReportId),
)

export const previewCustomReport = query(
  reportsContract.custom.preview,
  async (cx) => {
    const { definition } = cx.input
    const asked = customReportRequestOn(
      cx.today,
      { name: "", definition: definition as CustomDefinition, query: { pageSize: previewRowLimit } },
      cx.actor,
    )
    return readReportPage(cx, asked)
  },
  { heavy: true },
)

export const readCustomRows = query(
  reportsContract.custom.rows,
  async (cx) => {
    const { customReportId, query } = cx.input
    const { name, definition } = await readOwnOrSharedReport(cx, customReportId)
    if (definition.fields.length === 0) throw refused("NOT_FOUND", noFieldsLeftMessage)
    const asked = customReportRequestOn(cx.today, { name, definition, query }, cx.actor)
    return readReportPage(cx, asked)
  },
  { heavy: true },
)

export const noFieldsLeftMessage = "The fields of this report no longer exist."
