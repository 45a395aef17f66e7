import { kindNamed } from "@milkwood/domain/notifications/notification"
import type { ReportFact } from "@milkwood/domain/reports/report-facts"
import { sql } from "drizzle-orm"
import { type News, settle, tell } from "../notifications/tell.ts"
import type { Cx } from "../platform/calls/commands.ts"

type Of<T extends ReportFact["type"]> = Extract<ReportFact, { type: T }>

/** A run failed, and the schedule goes on. */
export const tellScheduleFailed = (cx: Cx, { record }: Of<"ReportScheduleFailed">): Promise<void> =>
  toOwner(cx, record, "failed", false)

/** It goes on no more, until somebody mends it; its owner has a mail that says why. */
export async function tellScheduleStopped(cx: Cx, { record }: Of<"ReportScheduleStopped">): Promise<void> {
  await settle(cx, ["report_failed"], [record.id])
  await toOwner(cx, record, "paused", true)
}

/** Somebody saw to it, or it ran well. */
export const scheduleIsWell = (cx: Cx, { record: { id } }: { record: { id: string } }): Promise<void> =>
  settle(cx, ["report_failed"], [id])

/** The owner hears; administrators do where that person is gone, or may read reports no more. */
async function toOwner(
  cx: Cx,
  { id, label }: { id: string; label: string },
  outcome: "failed" | "paused",
  isMailed: boolean,
): Promise<void> {
  const owner = await cx.tx.row<{ id: string }>(sql`
    select u.id from report_schedules s join users u on u.id = s.owner_id
    where s.id = ${id} and u.disabled_at is null and u.role = any (${sql.param(kindNamed("report_failed").roles)}::text[])`)
  const news: News = { record: { kind: "report_schedule", id, label }, groupId: null, detail: { outcome } }
  // It is the schedule's doing: whoever owns it is not told of an act of their own.
  const itself: Cx = { ...cx, actor: { kind: "system", name: "Milkwood", onBehalfOf: null } }
  if (owner) await tell(itself, "report_failed", [{ ...news, people: [owner.id] }], { isMailed })
  else await tell(itself, "report_failed", [{ ...news, roles: ["admin"] }])
}
