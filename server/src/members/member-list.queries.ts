import { join } from "node:path"
import { columnOf } from "@milkwood/domain/kernel/declared-field"
import { memberListColumns } from "@milkwood/domain/members/member-fields"
import { allowedMemberActions } from "@milkwood/domain/members/member-lifecycle"
import { type MemberRow, membersContract } from "@milkwood/domain/members/members.contract"
import { membersList } from "@milkwood/domain/members/members.list"
import type { PolicyStatus } from "@milkwood/domain/policies/policy"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { normalizeSearchText } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { ListRequest } from "../platform/lists/place.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import type { Values } from "../platform/lists/sql-file.ts"
import { manyGroupsThreshold, type SortBound, SqlFileStatements } from "../platform/lists/sql-file-statements.ts"
import { shownRatedPremium } from "./members.ports.ts"
import { isMaskedFor, isPossibleDependentName, memberSearchValues } from "./members.queries.ts"

type StoredRow = Omit<MemberRow, "allowedActions"> & {
  _policyStatus: PolicyStatus
  _forgottenOn: string | null
  _tierId: string
}

/** No stored counts exist by tier or missing details, so counting stops here. */
const maxExactCount = 100_000

const isNarrowed = ({ tierId, toComplete }: ListRequest): boolean => tierId !== undefined || toComplete === true

/** True if a page sorted by tier has no filter other than the tab. */
const isUnfilteredByTier = (asked: ListRequest, { actor }: SourceCx): boolean =>
  seesAllGroups(actor) &&
  asked.sort === "tier" &&
  !isNarrowed(asked) &&
  [asked.groupId, asked.policyId, asked.after, asked.before, asked.id].every((value) => value === undefined)

function searchValues(search: string, { actor }: SourceCx, bound: SortBound | null): Values {
  const text = normalizeSearchText(search)
  const isByName = bound?.column === "last_name_key"
  return {
    ...memberSearchValues(text, actor),
    dependent: isPossibleDependentName(text) ? true : undefined,
    every_name: isByName ? undefined : true,
    from_name: isByName && !bound.isLast ? true : undefined,
    to_name: isByName && bound.isLast ? true : undefined,
  }
}

const fieldNames = Object.keys(memberListColumns)

const fieldColumns = (alias: string): SQL =>
  sql.raw(fieldNames.map((name) => `${alias}.${columnOf(name)} as "${name}",`).join(" "))

const statements = new SqlFileStatements(membersList, {
  file: join(import.meta.dirname, "members.list.sql"),
  sortColumns: {
    name: ["last_name_key", "name_key"],
    number: ["number"],
    ...Object.fromEntries(fieldNames.map((name) => [name, [columnOf(name)]])),
    group: ["group_key"],
    policy: ["policy_number"],
    tier: ["tier_position"],
    status: ["status", "last_name_key", "name_key"],
    startOn: ["start_on"],
  },
  joinedColumns: ["group_key", "policy_number", "tier_position"],
  sharedColumns: {
    group_key: ["groupId", "policyId"],
    policy_number: ["policyId"],
    tier_position: ["tierId"],
  },
  values: (asked, cx, bound) => ({
    id: asked.id as string | undefined,
    ...(asked.statuses ? { statuses: asked.statuses as string[] } : {}),
    today: cx.today,
    row_columns: fieldColumns("m"),
    file_columns: fieldColumns("s"),
    rated_premium: sql`left join lateral (${shownRatedPremium(cx.today)}) r on true`,
    ...(isMaskedFor(cx.actor) ? { masked: true } : { unmasked: true }),
    ...(asked.search ? searchValues(asked.search, cx, bound) : {}),
    count_limit: maxExactCount,
  }),
  // With few groups, one pass finds all matches. With many groups, or one letter, a second pass finds a page sooner.
  searchLimit: ({ search }, { actor }) =>
    actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length <= manyGroupsThreshold && search.length > 1
      ? 10_000
      : 2_500,
  countLimit: (asked) => (isNarrowed(asked) ? maxExactCount : undefined),
  page: (asked, cx) => (isUnfilteredByTier(asked, cx) ? "page_by_tier" : "page"),
  figures: (asked) => (isNarrowed(asked) ? "counted_figures" : "figures"),
})

export const members = new List<typeof membersList, MemberRow>(
  membersList,
  {
    present: ({ _tierId: _, ...row }: StoredRow, { actor }: SourceCx) => ({
      ...row,
      allowedActions: allowedMemberActions(
        { status: row.status, policyStatus: row._policyStatus, isForgotten: row._forgottenOn !== null },
        ruleActor(actor),
      ),
    }),
  },
  statements,
)

export const listMembers = query(membersContract.list, (cx) => members.page(cx, cx.input))

export const pickMembers = query(membersContract.pick, async (cx) => {
  const rows = (await members.first(cx, { ...members.start, ...cx.input }, 20)) as StoredRow[]
  return rows.map(
    ({ id, number, firstName, lastName, idNumber, status, policyId, policyNumber, groupId, groupName, ...row }) => ({
      ...{ id, number, firstName, lastName, idNumber, status, policyId, policyNumber, groupId, groupName },
      tierId: row._tierId,
      tierName: row.tierName,
    }),
  )
})
