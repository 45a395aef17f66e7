import { may } from "@milkwood/domain/platform/permission"
import type { FoundRecord } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { visibleTo } from "../billing/invoices.queries.ts"
import { anyPartHas } from "../members/members.queries.ts"
import { seesAllGroups, type UserActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { containing, soughtOf, startingWith } from "../platform/database/like.ts"

/** Of so many members that match, those that begin with the text come first; a text that fits more is to be typed on. */
const ranked = 200

/**
 * Finds records of every room for the palette: by number, name, ID number, phone or e-mail; claims also by their member.
 * Those who see every group find any part of a text by the trigram indexes; the others, group by group, what begins with
 * it: under row-level security only leakproof comparisons can use an index, and only of one group at a time. Four digits
 * and more may stand anywhere in a number of a member, as in the list. A policy holder sees ID numbers masked, so numbers
 * are not searched for them.
 */
export async function searchRecords(cx: Cx, typed: string, limit: number): Promise<FoundRecord[]> {
  const { actor, tx } = cx
  const text = soughtOf(typed)
  if (text.length < 2 || actor.kind !== "user" || actor.role === null) return []
  const like = seesAllGroups(actor) && text.length >= 3 ? containing(text) : startingWith(text)
  const { members, claims, invoices, creditNotes } = seesAllGroups(actor)
    ? everywhere(text, like)
    : inGroups(actor, text)

  const first = startingWith(text)
  const begins = sql`(m.name_key like ${first} or m.last_name_key like ${first} or m.search_key like ${`%\n${first}`})`
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
        select id from (${claims}) numbered
        union all
        select id from claims where member_id in (select id from found_members)
      ) order by c.created_at desc, c.id limit ${limit})`,
    sql`(select 'invoice', i.id, i.number, g.name || ' · due ' || i.due_on, '/invoices/' || i.id
      from (${invoices}) i join employer_groups g on g.id = i.group_id
      where ${visibleTo(actor)} order by i.created_at desc limit ${limit})`,
    sql`(select 'credit_note', n.id, n.number, g.name || ' · ' || n.reason, '/invoices/credit-notes/' || n.id
      from (${creditNotes}) n join employer_groups g on g.id = n.group_id order by n.created_at desc, n.id limit ${limit})`,
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
    with found_members as materialized (select * from (${members}) m limit ${ranked})
    ${sql.join(parts, sql` union all `)}`)
}

interface Matching {
  members: SQL
  claims: SQL
  invoices: SQL
  creditNotes: SQL
}

function everywhere(text: string, like: string): Matching {
  const members = text.length >= 3 ? anyPartHas(text) : sql`(m.last_name_key like ${like} or m.name_key like ${like})`
  return {
    members: sql`select * from members m where ${members}`,
    claims: sql`select id from claims where lower(number) like ${like}`,
    invoices: sql`select * from invoices where lower(number) like ${like}`,
    creditNotes: sql`select * from credit_notes where lower(number) like ${like}`,
  }
}

function inGroups(actor: UserActor, text: string): Matching {
  const range = (column: string, start: string) =>
    sql`(${sql.raw(column)} ~>=~ ${start} and ${sql.raw(column)} ~<~ ${`${start}\u{10ffff}`})`
  const partOfNumber = actor.role !== "policy_holder" && /^\d{4,}$/.test(text)
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()]
  const ways = [range("x.name_key", lower), range("x.last_name_key", lower), range("x.number", upper)]
  if (actor.role !== "policy_holder") ways.push(range("x.id_number", lower))
  // No index serves this one: only what must be an address is looked for among them.
  if (text.includes("@")) ways.push(sql`lower(x.email) like ${startingWith(text)}`)
  const each = (table: string, condition: SQL) => {
    const [only, more] = actor.groupIds
    const rows = (group: SQL) =>
      sql`select x.* from ${sql.raw(table)} x where x.group_id = ${group} and (${condition}) limit ${ranked}`
    return only && !more
      ? rows(sql`${only}::uuid`)
      : sql`select found.* from unnest(${sql.param(actor.groupIds)}::uuid[]) own (id) cross join lateral (${rows(sql`own.id`)}) found`
  }
  return {
    members: each("members", partOfNumber ? sql`x.search_key like ${containing(text)}` : sql.join(ways, sql` or `)),
    claims: each("claims", range("x.number", upper)),
    invoices: each("invoices", range("x.number", upper)),
    creditNotes: each("credit_notes", range("x.number", upper)),
  }
}
