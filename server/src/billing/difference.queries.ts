import type { VatClass } from "@milkwood/domain/benefits/vat"
import type { Cause } from "@milkwood/domain/billing/difference"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import { vatOn } from "../benefits/vat.queries.ts"
import type { Tx } from "../platform/database/database.ts"
import { isKnownAt } from "../platform/database/known.ts"
import { fillStatement, type Prepared, prepareStatement } from "../platform/database/tx.ts"
import { readMemberFacts, readPolicyFacts } from "../premiums/facts.queries.ts"
import { type OwedRequest, owedByMonth } from "../premiums/owed.queries.ts"
import { billedByMonth, firstBilledAt } from "./billed.queries.ts"
import { loadMemberCauses } from "./causes.ts"

/**
 * Owed compared with billed, one row per member and month that differ (from `alsoFrom` on, every month): `policy_id,
 * member_id, month, owed_cents, billed_cents, is_owed, tier_id, billed_at` (first valid invoice). `owed_cents` is null
 * without a premium, `tier_id` if not owed.
 *
 * Policy by policy, because the months of one fit into the CPU cache. Without `greatest()` the planner reads the covers
 * of all policies, to sort them by member.
 */
export function comparedMonthsSql({ alsoFrom, ...asked }: OwedRequest & { alsoFrom?: Day }): SQL {
  const one = { ...asked, policies: sql`select each.id` }
  return sql`
    select each.id as policy_id, laid.*
    from policies each
    left join policy_billed_from f on f.policy_id = each.id and ${isKnownAt("f", asked.knownAt)}
    cross join lateral (
      select coalesce(o.member_id, b.member_id) as member_id, coalesce(o.month, b.month) as month,
        case when o.member_id is null then 0 else o.cents end as owed_cents, coalesce(b.cents, 0) as billed_cents,
        o.member_id is not null as is_owed, o.tier_id, b.billed_at
      from (${owedByMonth(one)}) o
      full join (
        select member_id, month, sum(cents)::bigint as cents, min(billed_at) as billed_at
        from (${billedByMonth(one)}) bill where f.month is null or month >= f.month group by member_id, month
      ) b on b.member_id = greatest(o.member_id) and b.month = o.month
    ) laid
    where each.id in (${asked.policies})
      and (laid.owed_cents is distinct from laid.billed_cents${alsoFrom ? sql` or laid.month >= ${alsoFrom}::date` : sql``})`
}

/**
 * Rows `policy_id, member_id, month, owed_cents, billed_cents`, without months that cannot be billed for lack of a
 * premium.
 */
export const differenceSql = (asked: OwedRequest): SQL => sql`
  select policy_id, member_id, month, owed_cents, billed_cents from (${comparedMonthsSql(asked)}) d where owed_cents is not null`

/** Cents without VAT and before discount. */
export interface MonthDifference {
  month: Day
  owedCents: Cents
  billedCents: Cents
  cents: Cents
  vat: { class: VatClass; percent: number }
  /** Tier on the 1st; null without cover. */
  tierId: string | null
  tierName: string | null
}

export interface MemberDifference {
  memberId: string
  number: string
  firstName: string
  lastName: string
  months: MonthDifference[]
  /** The causes' cents sum to those of each month. */
  causes: Cause[]
}

type Row = Omit<MemberDifference, "months" | "causes"> &
  Omit<MonthDifference, "vat"> & {
    vatClass: VatClass
    vatPercent: number
    policyBilledAt: string | null
    isBilled: boolean
  }
type UnratedRow = Omit<Row, "owedCents"> & { owedCents: null }

/**
 * Differences as known at an instant, ordered by name and month. Hold the policy's lock (`lockPolicy`) to bill them.
 */
export const differenceOf = async (
  ...asked: [tx: Tx, policyId: string, month: Day, knownAt: Temporal.Instant]
): Promise<MemberDifference[]> => (await comparePolicyMonth(...asked)).found

/** `isUnrated`: the policy owes a month that has no premium. */
export async function comparePolicyMonth(
  tx: Tx,
  policyId: string,
  month: Day,
  knownAt: Temporal.Instant,
): Promise<{ found: MemberDifference[]; isUnrated: boolean }> {
  // Prepared: one generic plan suits every policy, and planning is slow.
  const all = await tx.preparedRows<Row | UnratedRow>(fillStatement(factsUpToStatement(month), { policyId, knownAt }))
  const rows = all.filter(isRated)
  return { found: await explainDifferences(tx, policyId, rows, knownAt), isUnrated: rows.length < all.length }
}

export async function loadMemberDifferences(
  tx: Tx,
  policyId: string,
  { memberIds, month, knownAt }: { memberIds: readonly string[]; month: Day; knownAt: Temporal.Instant },
): Promise<MemberDifference[]> {
  const members = sql`select unnest(${sql.param([...memberIds])}::uuid[])`
  const all = await tx.rows<Row | UnratedRow>(
    describedDifferences({ policies: sql`select ${policyId}::uuid`, month, knownAt, members }),
  )
  return explainDifferences(tx, policyId, all.filter(isRated), knownAt)
}

const isRated = (row: Row | UnratedRow): row is Row => row.owedCents !== null

async function explainDifferences(
  tx: Tx,
  policyId: string,
  rows: readonly Row[],
  knownAt: Temporal.Instant,
): Promise<MemberDifference[]> {
  // Most rows are months billed for the first time, which need no facts.
  const changed = rows.filter(({ policyBilledAt, billedCents }) => policyBilledAt !== null || billedCents !== 0)
  const policy = changed.length > 0 ? (await readPolicyFacts(tx, [policyId])).get(policyId) : undefined
  const goesByRates = policy?.premiums.some(({ rates }) => rates) ?? false
  const ofMembers = policy
    ? await readMemberFacts(tx, [...new Set(changed.map(({ memberId }) => memberId))], goesByRates)
    : null
  const members = groupByMember(rows)
  const known = members.flatMap((months) => {
    const facts = ofMembers?.get(months[0]!.memberId)
    return facts ? [{ memberId: months[0]!.memberId, facts, months }] : []
  })
  const causes = policy && (await loadMemberCauses(tx, { policyId, policy, knownAt }, known))
  return members.map((all): MemberDifference => {
    const { memberId, number, firstName, lastName } = all[0]!
    return {
      ...{ memberId, number, firstName, lastName },
      months: all.map(toMonthDifference),
      causes: causes?.get(memberId) ?? [
        {
          kind: "month",
          on: null,
          recordedAt: null,
          premium: null,
          months: all.map(({ month: of, cents }) => ({ month: of, cents })),
        },
      ],
    }
  })
}

const toMonthDifference = ({
  month,
  owedCents,
  billedCents,
  cents,
  vatClass,
  vatPercent,
  tierId,
  tierName,
}: Row): MonthDifference => ({
  ...{ month, owedCents, billedCents, cents, tierId, tierName },
  vat: { class: vatClass, percent: vatPercent },
})

/** Groups consecutive rows. */
function groupByMember(rows: readonly Row[]): Row[][] {
  const members: Row[][] = []
  for (const row of rows) {
    const last = members.at(-1)
    if (last?.at(-1)?.memberId === row.memberId) last.push(row)
    else members.push([row])
  }
  return members
}

let cachedStatement: { month: Day; statement: Prepared } | undefined

/** Cached: a run uses one statement for a thousand policies. */
function factsUpToStatement(month: Day): Prepared {
  if (cachedStatement?.month !== month) {
    const policies = sql`select ${sql.placeholder("policyId")}::uuid`
    cachedStatement = {
      month,
      statement: prepareStatement(describedDifferences({ policies, month, knownAt: sql.placeholder("knownAt") })),
    }
  }
  return cachedStatement.statement
}

function describedDifferences(asked: OwedRequest): SQL {
  return sql`
    with different as materialized (${comparedMonthsSql(asked)}),
    -- By itself, or the planner would look the VAT up for every member.
    months as materialized (
      select d.month, v.class, v.percent, ${firstBilledAt(sql`p.id`, sql`d.month`)} as billed_at
      from (select distinct month from different) d
      join policies p on p.id in (${asked.policies})
      cross join lateral (${vatOn(sql`p.product_type_id`, sql`d.month`, asked.knownAt)}) v
    )
    select d.member_id as "memberId", m.number, m.first_name as "firstName", m.last_name as "lastName",
      d.month, d.owed_cents as "owedCents", d.billed_cents as "billedCents", d.owed_cents - d.billed_cents as cents,
      mo.class as "vatClass", mo.percent::float8 as "vatPercent", mo.billed_at as "policyBilledAt", d.billed_at is not null as "isBilled", t.id as "tierId", t.name as "tierName"
    from different d
    join months mo on mo.month = d.month
    join members m on m.id = d.member_id
    left join lateral (select c.tier_id from member_covers c
      where d.tier_id is null and c.member_id = d.member_id and c.valid @> d.month and ${isKnownAt("c", asked.knownAt)}) c on true
    left join benefit_tiers t on t.id = coalesce(d.tier_id, c.tier_id)
    order by m.last_name_key, m.name_key, m.id, d.month`
}
