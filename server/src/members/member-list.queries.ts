import { maskIdentity } from "@milkwood/domain/members/member"
import { memberListColumns } from "@milkwood/domain/members/member-fields"
import { allowedMemberActions } from "@milkwood/domain/members/member-lifecycle"
import { type MemberRow, memberRow, membersContract } from "@milkwood/domain/members/members.contract"
import { membersList } from "@milkwood/domain/members/members.list"
import type { PolicyStatus } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import { groupsNamed } from "../employers/employers.queries.ts"
import { ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { columnByName } from "../platform/database/declared-fields.ts"
import { has, hasWords, searchPattern, wordPatterns } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { type Compared, manyGroups, type Own, ownColumns, type SourceCx } from "../platform/lists/source.ts"
import { countedMembers } from "./member-counts.ts"
import { shownRatedPremium } from "./members.ports.ts"
import { anyPartHas, mayBeDependent, membersFound, membersOfDependents, seesMasked } from "./members.queries.ts"

type StoredRow = Omit<MemberRow, "allowedActions"> & { _policyStatus: PolicyStatus; _forgottenOn: string | null }

const { allowedActions: _judged, dependents: _counted, ...stored } = memberRow.shape

const own: Own = {
  table: "members m",
  columns: {
    id: "m.id",
    number: "m.number",
    ...columnByName(["firstName", "lastName", "idNumber", ...Object.keys(memberListColumns)], "m"),
    groupId: "m.group_id",
    policyId: "m.policy_id",
    status: "m.status",
    startOn: "m.start_on",
    endOn: "m.end_on",
    toComplete: "m.to_complete",
    version: "m.version",
    _groupId: "m.group_id",
    _policyId: "m.policy_id",
    _tierId: "m.tier_id",
    _forgottenOn: "m.forgotten_on",
    _toComplete: "(m.to_complete <> '{}' and m.status <> 'Terminated')",
    _lastName: "m.last_name_key",
    _name: "m.name_key",
    _search: "m.search_key",
  },
}

export const members = new List<typeof membersList, MemberRow>(membersList, {
  own,
  select: ({ today }) => sql`
    select ${ownColumns(own)}, g.name as "groupName", p.number as "policyNumber",
      case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated, t.name as "tierName",
      p.status as "_policyStatus", lower(g.name) as _group, p.number as _policy, t.position as _tier
    from members m
    left join policies p on p.id = m.policy_id
    left join employer_groups g on g.id = m.group_id
    left join benefit_tiers t on t.id = m.tier_id
    left join lateral (${shownRatedPremium(today)}) r on true`,
  read: [...Object.keys(stored), "_policyStatus", "_forgottenOn"],
  page: () => sql`(select count(*) from dependents d where d.member_id = s.id) as dependents`,
  ofGroups: true,
  // A policy holder is not matched on numbers that are masked for them.
  search: (pattern, { actor }, text) => [
    {
      like: seesMasked(actor)
        ? hasWords(
            sql`(s._name || E'\n' || lower(s.number) || E'\n' || lower(s."employeeNumber") || E'\n' || lower(s.email))`,
            wordPatterns(text),
          )
        : anyPartHas(text, sql`s._search`),
      by: seesAllGroups(actor)
        ? undefined
        : { column: "id", ids: membersFound(seesMasked(actor) ? "shown" : "any", text) },
    },
    ...(mayBeDependent(text)
      ? [
          {
            like: sql`s.id in (${membersOfDependents(text, actor)()})`,
            by: { column: "id", ids: membersOfDependents(text, actor) },
          },
        ]
      : []),
    { like: has(sql`s._group`, pattern), by: { column: "_groupId", ids: groupsNamed(pattern) } },
  ],
  order: {
    group: ["_group"],
    policy: ["_policy"],
    // In the order of the tiers, not of their names.
    tier: ["_tier"],
    name: ["_lastName", "_name"],
    status: ["status", "_lastName", "_name"],
  },
  ranked: { _tier: { by: "_tierId", records: sql`select id as "_tierId", position as _tier from benefit_tiers` } },
  same: { _group: ["groupId", "policyId"], _policy: ["policyId"], _tier: ["tierId"] },
  // Of a few groups all matches are found in one pass; of very many members, or of all with a letter, a second one finds a
  // page sooner.
  collected: ({ actor }, search) =>
    actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length <= manyGroups && search.length > 1
      ? undefined
      : 2_500,
  countTo: 100_000,
  kept: { filters: ["groupId", "policyId"], select: (_cx, _asked, matching) => countedMembers(matching) },
  hide: (row: StoredRow, { actor }) =>
    seesMasked(actor) && row.idNumber ? { ...row, idNumber: maskIdentity(row.idNumber) } : row,
  present: (row: StoredRow, { actor }: SourceCx) => ({
    ...row,
    allowedActions: allowedMemberActions(
      { status: row.status, policyStatus: row._policyStatus, isForgotten: row._forgottenOn !== null },
      ruleActor(actor),
    ),
  }),
})

export const listMembers = query(membersContract.list, (cx) => members.page(cx, cx.input))

/** Members to choose from, by the same search. */
export const pickMembers = query(membersContract.pick, async ({ tx, actor, input, today, currency }) => {
  const { search, policyId, id, statuses } = input
  const scope = { actor, today, timezone: "UTC", currency }
  const compared: Compared[] = search
    ? members.source.search!(searchPattern(search), scope, search)
    : [{ like: sql`true` }]
  const narrowed = sql`
    ${statuses ? sql`s.status = any (${sql.param(statuses)}::text[])` : sql`true`}
    and ${policyId ? sql`s."policyId" = ${policyId}` : sql`true`} and ${id ? sql`s.id = ${id}` : sql`true`}
    and ${seesAllGroups(actor) || actor.kind !== "user" ? sql`true` : sql`s."groupId" = any (${sql.param(actor.groupIds)}::uuid[])`}`
  const rows = await tx.rows<Omit<MemberRow, "allowedActions"> & { tierId: string }>(sql`
    with source as not materialized (${members.source.select(scope, members.start)}),
    hits as materialized (${sql.join(
      compared.map(({ like, by }) => {
        const is = by ? sql`s.${sql.identifier(by.column)} = any (array(${by.ids()}))` : like
        return sql`(select s.* from source s where ${is} and ${narrowed} limit 500)`
      }),
      sql` union `,
    )})
    select s.id, s.number, s."firstName", s."lastName", s."idNumber", s.status, s."policyId", s."policyNumber",
      s."groupId", s."groupName", s."_tierId" as "tierId", s."tierName"
    from hits s order by s."_lastName", s._name, s.id limit 20`)
  const mask = seesMasked(actor)
  return rows.map((row) => ({ ...row, idNumber: mask ? maskIdentity(row.idNumber) : row.idNumber }))
})
