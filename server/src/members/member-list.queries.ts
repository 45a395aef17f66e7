import { maskIdentity } from "@milkwood/domain/members/member"
import { allowedMemberActions } from "@milkwood/domain/members/member-lifecycle"
import { type MemberRow, membersContract } from "@milkwood/domain/members/members.contract"
import type { PolicyStatus } from "@milkwood/domain/policies/policy"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing } from "../platform/database/like.ts"
import { inPlace } from "../platform/lists/list-export.ts"
import { anyPartHas, seesMasked } from "./members.queries.ts"

/** Counting stops here: nobody pages further, and a count of a million rows takes longer than all the rest. */
const countLimit = 10_000
/** Up to this many matches of a search are sorted; for more, the index of the order is walked to the page. */
const sortLimit = 100_000

type Sort = "name" | "number" | "startOn" | "status"

/** The order of a list over the columns of `m`; always total, so that no row is on two pages. */
function order(sort: Sort, dir: "asc" | "desc"): SQL {
  const columns = {
    name: ["m.last_name_key", "m.name_key", "m.id"],
    number: ["m.number"],
    startOn: ["m.start_on", "m.id"],
    status: ["m.status", "m.last_name_key", "m.name_key", "m.id"],
  }[sort]
  return sql.raw(columns.map((column) => `${column} ${dir}`).join(", "))
}

const shown = sql.raw(`
  m.id, m.number, m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email,
  m.job_title as "jobTitle", m.group_id as "groupId", g.name as "groupName", m.policy_id as "policyId",
  p.number as "policyNumber", p.status as "policyStatus", p.premium_cents as "premiumCents", t.name as "tierName",
  m.status, m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version,
  (select count(*) from dependents d where d.member_id = m.id) as dependents
  from page m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
  join benefit_tiers t on t.id = m.tier_id`)

interface Filters {
  search: string
  status?: string | undefined
  policyId?: string | undefined
  groupId?: string | undefined
  tierId?: string | undefined
  toComplete?: boolean | undefined
}

/**
 * What a search compares. Those who see every group find any part of a name, number or address by the trigram index.
 * Under row-level security only leakproof operators can use an index, so the others find beginnings, by prefix
 * ranges, within their groups; a policy holder is not matched on numbers that are masked for them.
 */
function matching(actor: Actor, search: string, groupIds: string[]): SQL {
  const ofGroup = groupIds.length ? sql`or m.group_id = any (${sql.param(groupIds)}::uuid[])` : sql``
  if (seesAllGroups(actor)) return sql`(${anyPartHas(search)} ${ofGroup})`
  const begins = (column: string, text: string) =>
    sql`(${sql.raw(column)} ~>=~ ${text} and ${sql.raw(column)} ~<~ ${`${text}\u{10ffff}`})`
  const lower = search.toLowerCase()
  const byId = seesMasked(actor) ? sql`` : sql`or ${begins("m.id_number", lower)}`
  return sql`(${begins("m.name_key", lower)} or ${begins("m.last_name_key", lower)}
    or ${begins("m.number", search.toUpperCase())} ${byId} ${ofGroup})`
}

/** Groups whose name has the text: their members match too. */
async function groupsNamed(tx: Tx, search: string): Promise<string[]> {
  if (!search) return []
  const groups = await tx.rows<{ id: string }>(
    sql`select id from employer_groups where lower(name) like ${containing(search)} limit 100`,
  )
  return groups.map(({ id }) => id)
}

function condition(actor: Actor, filters: Filters, groupIds: string[]): SQL {
  const { search, status, policyId, groupId, tierId, toComplete } = filters
  const conditions = [
    search ? matching(actor, search, groupIds) : undefined,
    actor.kind === "user" && !seesAllGroups(actor)
      ? sql`m.group_id = any (${sql.param(actor.groupIds)}::uuid[])`
      : undefined,
    status ? sql`m.status = ${status}` : undefined,
    policyId ? sql`m.policy_id = ${policyId}` : undefined,
    groupId ? sql`m.group_id = ${groupId}` : undefined,
    tierId ? sql`m.tier_id = ${tierId}` : undefined,
    toComplete ? sql`m.to_complete <> '{}' and m.status <> 'Terminated'` : undefined,
  ].filter((part) => part !== undefined)
  return conditions.length ? sql.join(conditions, sql` and `) : sql`true`
}

/**
 * Searches with the groups of that name. Few searches are for a group, so staff, whose statements stand alone, do not
 * wait for the look-up: only when it finds a group is the search made again with it.
 */
async function withGroups<T>(
  tx: Tx,
  actor: Actor,
  search: string,
  searched: (groupIds: string[]) => Promise<T>,
): Promise<T> {
  if (!seesAllGroups(actor)) return searched(await groupsNamed(tx, search))
  const [groupIds, found] = await Promise.all([groupsNamed(tx, search), searched([])])
  return groupIds.length > 0 ? searched(groupIds) : found
}

type StoredRow = Omit<MemberRow, "allowedActions"> & { policyStatus: PolicyStatus }
type Found = StoredRow & { total: number }

/** The row as this reader may see it. */
function present({ policyStatus, ...row }: StoredRow, actor: Actor): MemberRow {
  return {
    ...row,
    idNumber: seesMasked(actor) ? maskIdentity(row.idNumber) : row.idNumber,
    allowedActions: allowedMemberActions({ status: row.status, policyStatus }, ruleActor(actor)),
  }
}

/**
 * A page of members, and how many there are, up to the limit of counting. A search collects its matches first and
 * sorts those; one that matches more than the limit walks the index of the order instead, where the page is near.
 */
export const listMembers = query(membersContract.list, async ({ tx, actor, input }) => {
  const by = order(input.sort, input.dir)
  const page = sql`limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}`

  const collected = (where: SQL): Promise<Found[]> =>
    tx.rows<Found>(sql`
      with hits as materialized (
        select m.id, m.last_name_key, m.name_key, m.number, m.start_on, m.status from members m
        where ${where} limit ${sortLimit + 1}
      ),
      page as materialized (
        select m.* from (select m.id from hits m order by ${by} ${page}) place join members m on m.id = place.id
      ),
      counted as (select count(*) as total from hits)
      select counted.total, shown.* from counted
      left join (select row_number() over (order by ${by}) as place, ${shown}) shown on true
      order by shown.place`)
  const walked = (where: SQL): Promise<Found[]> =>
    tx.rows<Found>(sql`
      with page as materialized (select m.* from members m where ${where} order by ${by} ${page}),
      counted as (select count(*) as total from (select from members m where ${where} limit ${countLimit + 1}) hits)
      select counted.total, shown.* from counted
      left join (select row_number() over (order by ${by}) as place, ${shown}) shown on true
      order by shown.place`)
  const searched = async (groupIds: string[]): Promise<Found[]> => {
    const where = condition(actor, input, groupIds)
    // One or two letters have no trigram, and nearly every page of the order holds a match.
    if (input.search.length < 3 && seesAllGroups(actor)) return walked(where)
    const found = await collected(where)
    return (found[0]?.total ?? 0) > sortLimit ? walked(where) : found
  }

  const found = input.search
    ? await withGroups(tx, actor, input.search, searched)
    : await walked(condition(actor, input, []))
  const total = found[0]?.total ?? 0
  return {
    rows: found.filter((row) => row.id !== null).map(({ total: _, ...row }) => present(row, actor)),
    total: Math.min(total, countLimit),
    totalIsCapped: total > countLimit,
  }
})

/** The statement of every member that the list matches, in its order. */
export async function matchingMembers(
  { tx, actor }: Cx,
  input: Filters & { sort: Sort; dir: "asc" | "desc" },
  only: (column: SQL) => SQL,
): Promise<SQL> {
  const where = condition(actor, input, await groupsNamed(tx, input.search))
  return sql`select m.id from members m where ${where} and ${only(sql`m.id`)} order by ${order(input.sort, input.dir)}`
}

/** The rows of these members, in their order. */
export async function memberRowsOf({ tx, actor }: Cx, ids: string[]): Promise<MemberRow[]> {
  const rows = await tx.rows<StoredRow>(sql`
    with page as (
      select m.*, asked.place from ${inPlace(ids)} join members m using (id)
    )
    select ${shown} order by m.place`)
  return rows.map((row) => present(row, actor))
}

/** Members to choose from, by the same search. */
export const pickMembers = query(membersContract.pick, async ({ tx, actor, input }) => {
  const groupIds = await groupsNamed(tx, input.search)
  const where = condition(actor, { search: input.search, policyId: input.policyId }, groupIds)
  const statuses = sql.param(input.statuses ?? null)
  const rows = await tx.rows<{
    id: string
    number: string
    firstName: string
    lastName: string
    idNumber: string | null
    status: MemberRow["status"]
    policyId: string
    policyNumber: string
    groupId: string
    groupName: string
    tierId: string
    tierName: string
  }>(sql`
    with hits as materialized (
      select m.* from members m
      where ${where} and (${statuses}::text[] is null or m.status = any (${statuses}::text[]))
        and (${input.id ?? null}::uuid is null or m.id = ${input.id ?? null}::uuid)
      limit 500
    )
    select m.id, m.number, m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.status,
      m.policy_id as "policyId", p.number as "policyNumber", m.group_id as "groupId", g.name as "groupName",
      m.tier_id as "tierId", t.name as "tierName"
    from hits m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
    join benefit_tiers t on t.id = m.tier_id
    order by m.last_name_key, m.name_key, m.id limit 20`)
  const mask = seesMasked(actor)
  return rows.map((row) => ({ ...row, idNumber: mask ? maskIdentity(row.idNumber) : row.idNumber }))
})
