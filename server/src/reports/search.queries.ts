import type { FoundRecord } from "@milkwood/domain/reports/reports.contract"
import { may } from "@milkwood/domain/users/permission"
import { type SQL, sql } from "drizzle-orm"
import { visibleTo } from "../billing/invoices.queries.ts"
import { anyPartHas } from "../members/members.queries.ts"
import { seesAllGroups } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { containing, startingWith } from "../platform/database/like.ts"

/** Of so many members that match, those that begin with the text come first; a text that fits more is to be typed on. */
const ranked = 200

/**
 * Finds records of every room for the palette: by number, name, ID number or e-mail; claims also by their member.
 * Those who see every group find any part of a text by the trigram indexes; the others, by their groups first, what
 * begins with it. A policy holder sees ID numbers masked, so they are not searched for them.
 */
export async function searchRecords(cx: Cx, text: string, limit: number): Promise<FoundRecord[]> {
  const { actor, tx } = cx
  if (text.length < 2 || actor.kind !== "user" || actor.role === null) return []
  const wide = seesAllGroups(actor)
  const masked = actor.role === "policy_holder"
  const like = wide && text.length >= 3 ? containing(text) : startingWith(text)
  const upper = `${text.toUpperCase().replace(/[\\%_]/g, "\\$&")}%`
  const groups = actor.groupIds
  // No index serves this comparison under row-level security: only what must be an address is looked for among them.
  const byEmail = text.includes("@") ? sql`or lower(m.email) like ${like}` : sql``

  const memberMatch = wide
    ? text.length >= 3
      ? anyPartHas(text)
      : sql`(m.last_name_key like ${like} or m.name_key like ${like})`
    : sql`m.group_id = any (${sql.param(groups)}::uuid[])
        and (m.name_key like ${like} or m.last_name_key like ${like} or m.number like ${upper} ${masked ? sql`` : sql`or m.id_number like ${like}`} ${byEmail})`

  const first = startingWith(text)
  const begins = sql`(m.name_key like ${first} or m.last_name_key like ${first} or lower(m.number) like ${first}
    or m.id_number like ${first} or lower(m.email) like ${first})`
  const parts: SQL[] = [
    sql`(select 'policy' as kind, p.id, p.number as title, g.name || ' · ' || p.status as subtitle, '/policies/' || p.id as path
      from policies p join employer_groups g on g.id = p.group_id
      where lower(p.number) like ${like} or lower(g.name) like ${like}
      order by not lower(g.name) like ${first}, p.status <> 'Active', lower(g.name), p.number limit ${limit})`,
    sql`(select 'member', m.id, m.first_name || ' ' || m.last_name, m.number || ' · ' || g.name || ' · ' || m.status, '/members/' || m.id
      from found_members m join employer_groups g on g.id = m.group_id
      order by ${begins} is not true, m.status = 'Terminated', m.last_name_key, m.name_key, m.id limit ${limit})`,
    sql`(select 'claim', c.id, c.number, m.first_name || ' ' || m.last_name || ' · ' || g.name, '/claims/' || c.id
      from claims c join members m on m.id = c.member_id join employer_groups g on g.id = c.group_id
      where c.id in (
        select id from claims where lower(number) like ${like}
        union all
        select id from claims where member_id in (select id from found_members)
      ) order by c.created_at desc, c.id limit ${limit})`,
    sql`(select 'invoice', i.id, i.number, g.name || ' · due ' || i.due_on, '/invoices/' || i.id
      from invoices i join employer_groups g on g.id = i.group_id
      where ${visibleTo(actor)} and lower(i.number) like ${like} order by i.created_at desc limit ${limit})`,
  ]
  if (may(actor.role, "receipts.read")) {
    parts.push(sql`(select 'receipt', r.id, r.number, g.name || ' · ' || r.reference, '/finance/receipting/' || r.id
      from receipts r join employer_groups g on g.id = r.group_id
      where lower(r.number) like ${like} or lower(r.reference) like ${like} order by r.created_at desc limit ${limit})`)
  }
  if (may(actor.role, "payouts.read")) {
    parts.push(sql`(select 'payout', o.id, o.number, o.payee_name || ' · ' || o.status, '/finance/claims-payments/' || o.id
      from payouts o
      where lower(o.number) like ${like} or lower(o.reference) like ${like} order by o.created_at desc limit ${limit})`)
  }
  return tx.rows<FoundRecord>(sql`
    with found_members as materialized (select * from members m where ${memberMatch} limit ${ranked})
    ${sql.join(parts, sql` union all `)}`)
}
