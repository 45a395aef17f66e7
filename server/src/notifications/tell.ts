import {
  kindNamed,
  type NotificationDetail,
  type NotificationKind,
  type NotifiedRecord,
} from "@milkwood/domain/notifications/notification"
import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { newsToPeople } from "../platform/work/live.ts"

/** Something that some people are to hear of. */
export interface News {
  record: { kind: NotifiedRecord; id: string; label: string }
  /** Null where it is the insurer's own affair, of which no group hears. */
  groupId: string | null
  detail?: NotificationDetail
  /** Everybody with one of these roles; of the roles that see only their groups, whoever sees this one. */
  roles?: readonly Role[]
  /** These people, where their role may hear of the kind. */
  people?: readonly (string | null)[]
  /** Not these, though their role is asked: they prepared it, or may not do it. */
  except?: readonly (string | null)[]
  /** Told each person once for ever, and not again when it was read. */
  once?: string
}

/**
 * Tells people of news of one kind, each as they chose to hear of it, in the transaction of the news: one statement,
 * however many. Nobody hears of a group that they do not see, of their own act, or while their account is disabled; and
 * what waits unread is not told again.
 *
 * `isMailed`: those concerned get a mail of its own about it, so that none is sent by their choice.
 */
export async function tell(
  cx: Cx,
  kind: NotificationKind,
  news: readonly News[],
  { isMailed = false }: { isMailed?: boolean } = {},
): Promise<void> {
  if (news.length === 0) return
  const { roles, usual } = kindNamed(kind)
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
    ${newsToPeople("notification", sql`select distinct user_id from told where channel <> 'none'`)}`)
}

/** What nobody has to do any more: of these kinds, about this record. Whoever still had it open is told at once. */
export async function settle(
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
    ${newsToPeople("notification", sql`select distinct user_id from done`)}`)
}
