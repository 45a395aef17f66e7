import {
  kindDetailsOf,
  type NotificationDetail,
  type NotificationKind,
  type NotifiedRecord,
} from "@milkwood/domain/notifications/notification"
import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { notifyUsersSql } from "../platform/work/live.ts"

export interface NotificationInput {
  record: { kind: NotifiedRecord; id: string; label: string }
  /** Null: internal to the insurer, never shown to employers. */
  groupId: string | null
  detail?: NotificationDetail
  /** All users with these roles; limited roles must see the group. */
  roles?: readonly Role[]
  /** Single users; each is skipped if their role excludes the kind. */
  people?: readonly (string | null)[]
  /** Excluded users: they prepared the record, or may not act on it. */
  except?: readonly (string | null)[]
  /** Deduplication key: one notification per person ever, even after reading. */
  once?: string
}

/**
 * Notifies people by their chosen channel, in the transaction of the event, with one statement. Skips users who cannot
 * see the group, the actor, disabled accounts, and repeats of unread notifications.
 *
 * `isMailed`: a separate mail is already sent, so the chosen channel sends none.
 */
export async function notifyPeople(
  cx: Cx,
  kind: NotificationKind,
  news: readonly NotificationInput[],
  { isMailed = false }: { isMailed?: boolean } = {},
): Promise<void> {
  if (news.length === 0) return
  const { roles, usual } = kindDetailsOf(kind)
  const actor = actorUserId(cx.actor)
  const told = news.map(({ record, groupId, detail = {}, once, ...to }) => ({
    ...{ id: record.id, record: record.kind, label: record.label, groupId, detail, once },
    staff: (to.roles ?? []).filter((role) => roles.includes(role) && !groupRoles.includes(role)),
    employers: (to.roles ?? []).filter((role) => roles.includes(role) && groupRoles.includes(role)),
    people: (to.people ?? []).filter((one) => one !== null),
    except: [actor, ...(to.except ?? [])].filter((one) => one !== null),
  }))
  const ofGroups = sql`${sql.param(groupRoles)}::text[]`
  const channel = isMailed
    ? sql`case when c.channel = 'none' then 'none' else 'product' end`
    : sql`coalesce(c.channel, ${usual})`
  await cx.tx.run(sql`
    with news as (
      select * from jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
        as n (id uuid, record text, label text, "groupId" uuid, detail jsonb, once text, staff jsonb, employers jsonb, people jsonb, "except" jsonb)
    ), told as materialized (
      select n.*, u.id as user_id, ${channel} as channel
      from news n cross join lateral (
        select id from users where role = any (array(select jsonb_array_elements_text(n.staff))) and disabled_at is null
        union
        select m.id from user_groups g join users m on m.id = g.user_id where g.group_id = n."groupId" and n.employers ? m.role
        union
        select m.id from users m where m.id in (select jsonb_array_elements_text(n.people)::uuid)
          and (m.role <> all (${ofGroups}) or exists (select from user_groups g where g.user_id = m.id and g.group_id = n."groupId"))
      ) found join users u on u.id = found.id
      left join notification_choices c on c.user_id = u.id and c.kind = ${kind}
      where u.disabled_at is null and u.email_verified and u.role = any (${sql.param(roles)}::text[])
        and not n."except" ? u.id::text
    ), written as (
      insert into notifications (user_id, group_id, kind, record_kind, record_id, record_label, detail, once_key, channel, at)
      select user_id, "groupId", ${kind}, record, id, label, detail, once, channel, ${cx.now}::timestamptz
      from told where channel <> 'none'
      on conflict do nothing
    )
    ${notifyUsersSql("notification", sql`select distinct user_id from told where channel <> 'none'`)}`)
}

/** Marks these kinds as done for the record and updates open screens at once. */
export async function markNotificationsDone(
  cx: Cx,
  kinds: readonly NotificationKind[],
  records: readonly string[] | SQL,
): Promise<void> {
  const of = Array.isArray(records) ? sql`select unnest(${sql.param(records)}::uuid[])` : (records as SQL)
  await cx.tx.run(sql`
    with done as (
      update notifications set done_at = ${cx.now}
      where done_at is null and kind = any (${sql.param(kinds)}::text[]) and record_id in (${of}) returning user_id
    )
    ${notifyUsersSql("notification", sql`select distinct user_id from done`)}`)
}
