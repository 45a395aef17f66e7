import { hasPermission } from "@milkwood/domain/platform/permission"
import type { FoundRecord } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { isVisibleTo } from "../billing/invoices.queries.ts"
import { claimsFound } from "../claims/claim-lists.queries.ts"
import {
  findMembersByDependent,
  findMembersByText,
  isMaskedFor,
  isPossibleDependentName,
  matchesAnyText,
} from "../members/members.queries.ts"
import { seesAllGroups, type UserActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { containsPattern, normalizeSearchText, prefixPattern, searchPattern } from "../platform/database/like.ts"

const maxRankedMatches = 200

/**
 * Matches any part by trigram index, or a prefix when two letters are typed. Claims are also found by member, members
 * by dependents. A policy holder sees ID numbers masked, so they are not searched for that role.
 */
export async function searchRecords(cx: Cx, typed: string, limit: number): Promise<FoundRecord[]> {
  const { actor, tx } = cx
  const text = normalizeSearchText(typed)
  if (text.length < 2 || actor.kind !== "user" || actor.role === null) return []
  const like = text.length >= 3 ? containsPattern(text) : prefixPattern(text)
  const { members: themselves, claims } = seesAllGroups(actor)
    ? matchInAllGroups(text, like)
    : matchInOwnGroups(actor, text)
  const members = isPossibleDependentName(text)
    ? sql`select distinct on (id) * from (
        (${themselves} limit ${maxRankedMatches})
        union all
        select m.* from members m where m.id in (${findMembersByDependent(text, actor)(maxRankedMatches)})
      ) either`
    : themselves
  const first = prefixPattern(text)
  const begins = sql`(m.name_key like ${first} or m.last_name_key like ${first} or m.search_key like ${`%\n${first}`})`
  const parts: SQL[] = [
    sql`(select 'group' as kind, g.id, g.name as title,
        concat_ws(' · ', nullif(g.registration_number, ''), case when g.closed_on is null then 'Active' else 'Closed' end) as subtitle,
        '/groups/' || g.id as path
      from employer_groups g
      where lower(g.name) like ${like} or lower(g.registration_number) like ${like}
      order by not lower(g.name) like ${first}, g.closed_on is not null, lower(g.name) limit ${limit})`,
    sql`(select 'policy', p.id, p.number, g.name || ' · ' || p.status, '/policies/' || p.id
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
      from invoices i join employer_groups g on g.id = i.group_id
      where lower(i.number) like ${like} and ${isVisibleTo(actor)} order by i.created_at desc limit ${limit})`,
    sql`(select 'credit_note', n.id, n.number, g.name || ' · ' || n.reason, '/invoices/credit-notes/' || n.id
      from credit_notes n join employer_groups g on g.id = n.group_id
      where lower(n.number) like ${like} order by n.created_at desc, n.id limit ${limit})`,
  ]
  if (hasPermission(actor.role, "receipts.read")) {
    parts.push(sql`(select 'receipt', r.id, r.number, g.name || ' · ' || r.reference, '/finance/receipting/' || r.id
      from receipts r join employer_groups g on g.id = r.group_id
      where lower(r.number) like ${like} or lower(r.reference) like ${like} order by r.created_at desc limit ${limit})`)
  }
  if (hasPermission(actor.role, "payouts.read")) {
    parts.push(sql`(select 'payout', o.id, o.number, o.payee_name || ' · ' || o.status, '/finance/claims-payments/' || o.id
      from payouts o
      where lower(o.number) like ${like} or lower(o.reference) like ${like} order by o.created_at desc limit ${limit})`)
  }
  return tx.rows<FoundRecord>(sql`
    with found_members as materialized (select * from (${members}) m limit ${maxRankedMatches})
    ${sql.join(parts, sql` union all `)}`)
}

interface SearchMatches {
  members: SQL
  claims: SQL
}

function matchInAllGroups(text: string, like: string): SearchMatches {
  const members =
    text.length >= 3 ? matchesAnyText(text) : sql`(m.last_name_key like ${like} or m.name_key like ${like})`
  return {
    members: sql`select * from members m where ${members}`,
    claims: sql`select id from claims where lower(number) like ${like}`,
  }
}

function matchInOwnGroups(actor: UserActor, text: string): SearchMatches {
  const pattern = searchPattern(text)
  const found = findMembersByText(isMaskedFor(actor) ? "shown" : "any", text)(maxRankedMatches)
  return {
    members: sql`select m.* from members m where m.id in (${found})`,
    claims: claimsFound(pattern)(maxRankedMatches),
  }
}
