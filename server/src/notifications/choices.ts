import { type Channel, kindNamed, kindsOf, type NotificationKind } from "@milkwood/domain/notifications/notification"
import { type Choice, notificationsContract } from "@milkwood/domain/notifications/notifications.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { signedIn } from "../users/sessions.ts"

async function choicesOf(cx: Pick<Cx, "actor" | "tx">): Promise<Choice[]> {
  const { userId, role } = signedIn(cx)
  const chosen = await cx.tx.rows<{ kind: NotificationKind; channel: Channel }>(
    sql`select kind, channel from notification_choices where user_id = ${userId}`,
  )
  return kindsOf(role).map((kind) => {
    const { label, when, usual } = kindNamed(kind)
    return { kind, label, when, channel: chosen.find((one) => one.kind === kind)?.channel ?? usual }
  })
}

export const readChoices = query(notificationsContract.choices, choicesOf)

export const choose = command(notificationsContract.choose, async (cx) => {
  const { userId, role } = signedIn(cx)
  const { kind, channel } = cx.input
  if (!kindsOf(role).includes(kind)) throw refused("FORBIDDEN")
  await cx.tx.run(sql`
    insert into notification_choices (user_id, kind, channel) values (${userId}, ${kind}, ${channel})
    on conflict (user_id, kind) do update set channel = excluded.channel`)
  return choicesOf(cx)
})
