import {
  type Channel,
  kindDetailsOf,
  type NotificationKind,
  notificationKindsOf,
} from "@milkwood/domain/notifications/notification"
import { type Choice, notificationsContract } from "@milkwood/domain/notifications/notifications.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { requireUser } from "../users/sessions.ts"

async function loadChoices(cx: Pick<Cx, "actor" | "tx">): Promise<Choice[]> {
  const { userId, role } = requireUser(cx)
  const chosen = await cx.tx.rows<{ kind: NotificationKind; channel: Channel }>(
    sql`select kind, channel from notification_choices where user_id = ${userId}`,
  )
  return notificationKindsOf(role).map((kind) => {
    const { label, when, usual } = kindDetailsOf(kind)
    return { kind, label, when, channel: chosen.find((one) => one.kind === kind)?.channel ?? usual }
  })
}

export const readChoices = query(notificationsContract.choices, loadChoices)

export const choose = command(notificationsContract.choose, async (cx) => {
  const { userId, role } = requireUser(cx)
  const { kind, channel } = cx.input
  if (!notificationKindsOf(role).includes(kind)) throw refused("FORBIDDEN")
  await cx.tx.run(sql`
    insert into notification_choices (user_id, kind, channel) values (${userId}, ${kind}, ${channel})
    on conflict (user_id, kind) do update set channel = excluded.channel`)
  return loadChoices(cx)
})
