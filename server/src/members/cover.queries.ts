import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { isKnownAt } from "../platform/database/known.ts"

export interface CoveredMember {
  memberId: string
  policyId: string
  groupId: string
  number: string
  firstName: string
  lastName: string
  tierId: string
  tierName: string
}

/** For `members m` and their tier `t`. */
export const coveredColumns = sql.raw(`
  m.id as "memberId", m.policy_id as "policyId", m.group_id as "groupId", m.number,
  m.first_name as "firstName", m.last_name as "lastName", t.id as "tierId", t.name as "tierName"`)

/** For `dependents d`. */
export const dependentName = sql.raw("(d.first_name || ' ' || d.last_name)")

/** For `dependents d`; `on` is an expression of type date. */
export const isDependentCovered = (on: SQL): SQL =>
  sql`exists (select from dependent_covers dc where dc.dependent_id = d.id and dc.superseded_at is null and dc.valid @> ${on})`

/**
 * Members covered on a day, without suspended ones, while the policy is in force. `knownAt`: the facts recorded at that
 * instant. Ordered by name.
 */
export async function loadCoveredOn(
  tx: Tx,
  policyId: string,
  on: Day,
  options: { knownAt?: string | Temporal.Instant } = {},
): Promise<CoveredMember[]> {
  return tx.rows<CoveredMember>(sql`
    select ${coveredColumns}
    from member_covers c
    join members m on m.id = c.member_id
    join benefit_tiers t on t.id = c.tier_id
    where c.policy_id = ${policyId} and c.kind = 'covered' and c.valid @> ${on}::date and ${isKnownAt("c", options.knownAt)}
      and exists (select from policy_periods pp where pp.policy_id = c.policy_id and pp.kind = 'active'
        and pp.valid @> ${on}::date and ${isKnownAt("pp", options.knownAt)})
    order by m.last_name_key, m.name_key, m.id`)
}

/**
 * Members who pay for a month: covered on its first day while neither they nor the policy are suspended. `first` is an
 * expression of type date. Columns: `policy_id, member_id, group_id, tier_id`.
 *
 * Pass `policyId` for a single policy; otherwise the planner searches the covers of all policies.
 */
export function payingMembers(first: SQL, policyId?: string): SQL {
  // `offset 0` makes the planner use the index on a policy's cover starts.
  const covers = policyId
    ? sql`(select * from member_covers
        where policy_id = ${policyId} and superseded_at is null and lower(valid) <= ${first} offset 0)`
    : sql`member_covers`
  return sql`
    select c.policy_id, c.member_id, c.group_id, c.tier_id
    from ${covers} c
    join policy_periods pp on pp.policy_id = c.policy_id and pp.superseded_at is null and pp.valid @> ${first}
    where c.superseded_at is null and c.valid @> ${first} and c.kind = 'covered' and pp.kind = 'active'
      ${policyId ? sql`and pp.policy_id = ${policyId}` : sql``}`
}

/** A period of a member's cover; `until` is the last day, inclusive. */
export interface CoverStretch {
  tierId: string
  tierName: string
  kind: "covered" | "suspended"
  from: Day
  until: Day | null
  reason: string | null
  /** Whether the kind and tier were recorded for the first day, rather than continued from the period before. */
  setsKind: boolean
  setsTier: boolean
}

/** The member's cover on a day, or null; `knownAt`: as recorded at that instant. */
export async function loadMemberCoverAt(
  tx: Tx,
  memberId: string,
  on: Day,
  knownAt?: string | Temporal.Instant,
): Promise<CoverStretch | null> {
  const row = await tx.row<StoredCoverStretch>(sql`
    select ${coverStretchColumns} from member_covers c join benefit_tiers t on t.id = c.tier_id
    where c.member_id = ${memberId} and c.valid @> ${on}::date and ${isKnownAt("c", knownAt)}`)
  return row ? withInclusiveEnd(row) : null
}

export async function loadMemberCovers(tx: Tx, memberId: string): Promise<CoverStretch[]> {
  return (await loadCoversOfMembers(tx, [memberId])).get(memberId) ?? []
}

/** Current covers, ordered by day. */
export async function loadCoversOfMembers(tx: Tx, memberIds: readonly string[]): Promise<Map<string, CoverStretch[]>> {
  const rows = await tx.rows<StoredCoverStretch & { of: string }>(sql`
    select c.member_id as of, ${coverStretchColumns} from member_covers c join benefit_tiers t on t.id = c.tier_id
    where c.member_id = any (${sql.param([...memberIds])}::uuid[]) and c.superseded_at is null order by c.valid`)
  const found = new Map<string, CoverStretch[]>()
  for (const { of, ...row } of rows) {
    const stretches = found.get(of)
    if (stretches) stretches.push(withInclusiveEnd(row))
    else found.set(of, [withInclusiveEnd(row)])
  }
  return found
}

type StoredCoverStretch = CoverStretch & { upper: Day | null }
const coverStretchColumns = sql.raw(`
  c.tier_id as "tierId", t.name as "tierName", c.kind, lower(c.valid) as "from", upper(c.valid) as upper, c.reason,
  c.sets_kind as "setsKind", c.sets_tier as "setsTier"`)

function withInclusiveEnd({ upper, ...row }: StoredCoverStretch): CoverStretch {
  return { ...row, until: upper === null ? null : addDays(upper, -1) }
}

/** The tier of the member `m` on a day; without cover then, today's tier. */
export const tierOn = (on: SQL): SQL => sql`coalesce(
  (select mc.tier_id from member_covers mc where mc.member_id = m.id and mc.superseded_at is null and mc.valid @> ${on}),
  m.tier_id)`

/** Includes former members with the tier, who also prevent its deletion. */
export const membersWithTier = (tierId: string): SQL => sql`
  select number as label from members m where tier_id = ${tierId}
  or exists (select from member_covers c where c.member_id = m.id and c.tier_id = ${tierId})`

/** Members of the policy `p` by status; `total` excludes terminated ones. */
export const memberCounts = (): SQL => sql`(
  select jsonb_build_object('total', coalesce(sum(pending + active + suspended), 0), 'pending', coalesce(sum(pending), 0),
    'active', coalesce(sum(active), 0), 'suspended', coalesce(sum(suspended), 0), 'terminated', coalesce(sum(terminated), 0))
  from member_counts c where c.policy_id = p.id)`

/** Includes terminated members. */
export const hasMembers = (policyId: string): SQL => sql`exists (select from members where policy_id = ${policyId})`

/** Excludes terminated members. */
export const groupMemberCount = (groupId: SQL): SQL => sql`(
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.group_id = ${groupId})`

/** Excludes terminated members. */
export const memberCount = (policyId: SQL): SQL => sql`(
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = ${policyId})`
