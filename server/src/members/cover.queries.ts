import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { known } from "../platform/database/known.ts"

/** A member on a day, as billing and claims read it; the tier is that day's. */
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

/** Of `members m` and their tier `t`, as a `CoveredMember`. */
export const coveredColumns = sql.raw(`
  m.id as "memberId", m.policy_id as "policyId", m.group_id as "groupId", m.number,
  m.first_name as "firstName", m.last_name as "lastName", t.id as "tierId", t.name as "tierName"`)

/**
 * Who of the policy is covered on a day: a dated row of cover, not of suspension, and the policy in force. With
 * `knownAt`, what was known of that day at that moment. In order of names.
 */
export async function coveredOn(
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
    where c.policy_id = ${policyId} and c.kind = 'covered' and c.valid @> ${on}::date and ${known("c", options.knownAt)}
      and exists (select from policy_periods pp where pp.policy_id = c.policy_id and pp.kind = 'active'
        and pp.valid @> ${on}::date and ${known("pp", options.knownAt)})
    order by m.last_name_key, m.name_key, m.id`)
}

/**
 * Who pays for the month whose first day an expression of type date gives (money: The premium run): whoever is covered on
 * it and not suspended; nor is the policy. `policy_id, member_id, group_id, tier_id`. Whoever asks of one policy names it:
 * left to itself, the planner would look for the day among the covers of all policies.
 */
export function payingFrom(first: SQL, policyId?: string): SQL {
  // The offset keeps the planner at the index of a policy's covers by their beginnings.
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

/** A stretch of a member's days; `until` is the last day, inclusive. */
export interface CoverStretch {
  tierId: string
  tierName: string
  kind: "covered" | "suspended"
  from: Day
  until: Day | null
  reason: string | null
  /** Whether the kind, and the tier, were recorded for the first day; false where they continue from the cover before. */
  setsKind: boolean
  setsTier: boolean
}

/** The member's stretch that holds the day, or null where there is none; with `knownAt`, as it was known then. */
export async function memberCoverAt(
  tx: Tx,
  memberId: string,
  on: Day,
  knownAt?: string | Temporal.Instant,
): Promise<CoverStretch | null> {
  const row = await tx.row<Stretch>(sql`
    select ${stretch} from member_covers c join benefit_tiers t on t.id = c.tier_id
    where c.member_id = ${memberId} and c.valid @> ${on}::date and ${known("c", knownAt)}`)
  return row ? inclusive(row) : null
}

/** All stretches of the member that hold now, in order of days. */
export async function memberCovers(tx: Tx, memberId: string): Promise<CoverStretch[]> {
  return (await coversOfMembers(tx, [memberId])).get(memberId) ?? []
}

/** All stretches of members that hold now, in order of days, by member. */
export async function coversOfMembers(tx: Tx, memberIds: readonly string[]): Promise<Map<string, CoverStretch[]>> {
  const rows = await tx.rows<Stretch & { of: string }>(sql`
    select c.member_id as of, ${stretch} from member_covers c join benefit_tiers t on t.id = c.tier_id
    where c.member_id = any (${sql.param([...memberIds])}::uuid[]) and c.superseded_at is null order by c.valid`)
  const found = new Map<string, CoverStretch[]>()
  for (const { of, ...row } of rows) {
    const stretches = found.get(of)
    if (stretches) stretches.push(inclusive(row))
    else found.set(of, [inclusive(row)])
  }
  return found
}

type Stretch = CoverStretch & { upper: Day | null }
const stretch = sql.raw(`
  c.tier_id as "tierId", t.name as "tierName", c.kind, lower(c.valid) as "from", upper(c.valid) as upper, c.reason,
  c.sets_kind as "setsKind", c.sets_tier as "setsTier"`)

function inclusive({ upper, ...row }: Stretch): CoverStretch {
  return { ...row, until: upper === null ? null : addDays(upper, -1) }
}

/** The tier of the member `m` on a day: that of the cover then, or today's where there was none. */
export const tierOn = (on: SQL): SQL => sql`coalesce(
  (select mc.tier_id from member_covers mc where mc.member_id = m.id and mc.superseded_at is null and mc.valid @> ${on}),
  m.tier_id)`

/** Members who have a tier or once had it, for what stands in the way of deleting it. */
export const membersWithTier = (tierId: string): SQL => sql`
  select number as label from members m where tier_id = ${tierId}
  or exists (select from member_covers c where c.member_id = m.id and c.tier_id = ${tierId})`

/** How many members a policy `p` has, by status, as an object; `total` leaves out those who left. */
export const memberCounts = (): SQL => sql`(
  select jsonb_build_object('total', coalesce(sum(pending + active + suspended), 0), 'pending', coalesce(sum(pending), 0),
    'active', coalesce(sum(active), 0), 'suspended', coalesce(sum(suspended), 0), 'terminated', coalesce(sum(terminated), 0))
  from member_counts c where c.policy_id = p.id)`

/** Whether a policy has a member, also one who left. */
export const hasMembers = (policyId: string): SQL => sql`exists (select from members where policy_id = ${policyId})`

/** How many members a policy has who did not leave. */
export const memberCount = (policyId: SQL): SQL => sql`(
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = ${policyId})`
