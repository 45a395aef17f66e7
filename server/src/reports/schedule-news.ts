import { kindDetailsOf } from "@milkwood/domain/notifications/notification"
import type { ReportFact } from "@milkwood/domain/reports/report-facts"
import { sql } from "drizzle-orm"
import { markNotificationsDone, type NotificationInput, notifyPeople } from "../notifications/tell.ts"
import type { Cx } from "../platform/calls/commands.ts"

type ReportFactOf<T extends ReportFact["type"]> = Extract<ReportFact, { type: T }>

export const notifyScheduleFailed = (cx: Cx, { record }: ReportFactOf<"ReportScheduleFailed">): Promise<void> =>
  notifyOwner(cx, record, "failed", false)

/** Emails the reason to the schedule's owner. */
export async function notifyScheduleStopped(cx: Cx, { record }: ReportFactOf<"ReportScheduleStopped">): Promise<void> {
  await markNotificationsDone(cx, ["report_failed"], [record.id])
  await notifyOwner(cx, record, "paused", true)
}

export const clearScheduleFailure = (cx: Cx, { record: { id } }: { record: { id: string } }): Promise<void> =>
  markNotificationsDone(cx, ["report_failed"], [id])

/** Notifies administrators instead if the owner may no longer read reports. */
async function notifyOwner(
  cx: Cx,
  { id, label }: { id: string; label: string },
  outcome: "failed" | "paused",
  isMailed: boolean,
): Promise<void> {
  const owner = await cx.tx.row<{ id: string }>(sql`
    select u.id from report_schedules s join users u on u.id = s.owner_id
    where s.id = ${id} and u.disabled_at is null and u.role = any (${sql.param(kindDetailsOf("report_failed").roles)}::text[])`)
  const news: NotificationInput = { record: { kind: "report_schedule", id, label }, groupId: null, detail: { outcome } }
  // The actor is the system, because users are not notified of their own actions.
  const itself: Cx = { ...cx, actor: { kind: "system", name: "Milkwood", onBehalfOf: null } }
  if (owner) await notifyPeople(itself, "report_failed", [{ ...news, people: [owner.id] }], { isMailed })
  else await notifyPeople(itself, "report_failed", [{ ...news, roles: ["admin"] }])
}
