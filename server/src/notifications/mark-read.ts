import { notificationsContract } from "@milkwood/domain/notifications/notifications.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, command } from "../platform/calls/commands.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { requireUser } from "../users/sessions.ts"
import { countUnread, isOwnNotification } from "./inbox.queries.ts"

async function mark(cx: Cx, which: SQL, isRead: boolean): Promise<{ unread: number }> {
  const changed = await cx.tx.run(sql`
    update notifications n set read_at = ${isRead ? cx.now : null}
    where ${isOwnNotification(cx)} and ${which} and (n.read_at is null) = ${isRead}`)
  const { userId } = requireUser(cx)
  if (changed > 0) await notifyScreens(cx.tx, { kind: "notification", id: null, groupId: null, userId })
  return countUnread(cx)
}

export const markNotifications = command(notificationsContract.mark, async (cx) => {
  const ids = sql.param(cx.input.ids)
  if (cx.input.isRead) return mark(cx, sql`n.id = any (${ids}::bigint[])`, true)
  // The user may already have the same notification, unread.
  const isFree = sql`n.id = any (${ids}::bigint[]) and not exists (select from notifications o
    where o.user_id = n.user_id and o.kind = n.kind and o.record_id = n.record_id and o.id <> n.id
      and (o.id = any (${ids}::bigint[]) and o.id > n.id or o.read_at is null and o.done_at is null and o.once_key is null))`
  return mark(cx, isFree, false)
})

export const markAllNotifications = command(notificationsContract.markAll, (cx) =>
  mark(cx, sql`n.id <= ${cx.input.upTo}`, true),
)
