import {
  type NotificationDetail,
  type NotificationKind,
  type NotifiedRecord,
  notificationKindsOf,
  notificationPath,
  notificationText,
} from "@milkwood/domain/notifications/notification"
import { type Notification, notificationsContract } from "@milkwood/domain/notifications/notifications.contract"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { requireUser } from "../users/sessions.ts"

/** Own notifications of kinds for the user's role; row-level security excludes groups that were removed. */
export function isOwnNotification(cx: Pick<Cx, "actor">): SQL {
  const { userId, role } = requireUser(cx)
  return sql`n.user_id = ${userId} and n.kind = any (${sql.param(notificationKindsOf(role))}::text[])`
}

export async function countUnread(cx: Pick<Cx, "actor" | "tx">): Promise<{ unread: number }> {
  const found = await cx.tx.row<{ unread: number }>(sql`
    select count(*) as unread from notifications n where ${isOwnNotification(cx)} and n.read_at is null and n.done_at is null`)
  return found!
}

interface Stored {
  id: number
  kind: NotificationKind
  record: { kind: NotifiedRecord; id: string }
  label: string
  detail: NotificationDetail
  groupName: string | null
  at: string
  isRead: boolean
  isDone: boolean
}

export const readInbox = query(notificationsContract.inbox, async (cx) => {
  const { show, before, limit } = cx.input
  const stored = await cx.tx.rows<Stored>(sql`
    select n.id, n.kind, jsonb_build_object('kind', n.record_kind, 'id', n.record_id) as record, n.record_label as label,
      n.detail, g.name as "groupName", n.at, n.read_at is not null as "isRead", n.done_at is not null as "isDone"
    from notifications n left join employer_groups g on g.id = n.group_id
    where ${isOwnNotification(cx)} and ${show === "unread" ? sql`n.read_at is null and n.done_at is null` : sql`true`}
      and ${before === undefined ? sql`true` : sql`n.id < ${before}`}
    order by n.id desc limit ${limit + 1}`)
  const { dateFormat } = await readSettings(cx.tx, platformSettings)
  const rows = stored.slice(0, limit).map(
    ({ record, label, detail, ...row }): Notification => ({
      ...row,
      text: notificationText({ kind: row.kind, label, detail }, dateFormat, cx.currency),
      path: notificationPath(row.kind, record, row.isDone),
    }),
  )
  return { ...(await countUnread(cx)), rows, hasMore: stored.length > limit }
})

export const readUnread = query(notificationsContract.unread, countUnread)
