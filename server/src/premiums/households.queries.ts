import { addMonths, type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { Relationship } from "@milkwood/domain/members/member"
import type { MemberFacts } from "@milkwood/domain/members/member-dated-facts"
import type { Policy } from "@milkwood/domain/policies/policy"
import { hasAges, type RateTable } from "@milkwood/domain/policies/rates"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

export interface HouseholdsRequest {
  policy: Pick<Policy, "id" | "status" | "startOn">
  month: Day
  /** The rate table decides which facts are read; null for a flat premium. */
  rates: RateTable | null
  agesOn: Day
  toTheEnd: boolean
}

export interface HouseholdCount {
  key: string
  count: number
}

/**
 * `kind, tier_id, age, salary_cents, dependents` of a household, dependents such as "spouse 41". A value is null if no
 * rate uses it.
 */
type HouseholdKey = ["covered" | "suspended", string, number | null, Cents | null, string[] | null]

function coversSql({ policy, month }: HouseholdsRequest): SQL {
  if (policy.status === "Draft")
    return sql`
      select id as member_id, 'covered' as kind, tier_id, end_on + 1 as next_on from members
      where policy_id = ${policy.id} and greatest(start_on, ${policy.startOn}::date) <= ${month}::date
        and (end_on is null or end_on >= ${month}::date)`
  return sql`
      select member_id, kind, tier_id, upper(valid) as next_on from member_covers
      where policy_id = ${policy.id} and superseded_at is null and lower(valid) <= ${month}::date
        and (upper_inf(valid) or upper(valid) > ${month}::date)`
}

function householdsSql(asked: HouseholdsRequest): SQL {
  const { month, rates, agesOn, toTheEnd } = asked
  const rated = new Set(rates?.rows.map(({ person }) => person))
  const aged = new Set(rates?.rows.filter(hasAges).map(({ person }) => person))
  const age = (born: SQL) => sql`extract(year from age(greatest(${agesOn}::date, ${born}), ${born}))::int`
  const readsAges = aged.has("member") || aged.has("family")
  const agesOfOthers = [...aged].some((person) => person !== "member" && person !== "family")
  const dependents = sql`
      array(select d.relationship || ${agesOfOthers ? sql`coalesce(' ' || ${age(sql`d.born_on`)}, '')` : sql`''`}
        from dependent_covers d
        where d.member_id = c.member_id and d.superseded_at is null and d.valid @> ${month}::date order by 1)`
  const salary = sql`(select s.monthly_cents from member_salaries s
        where s.member_id = c.member_id and s.superseded_at is null and s.valid @> ${month}::date)`
  return sql`
    select c.member_id, c.kind, c.tier_id, ${readsAges ? age(sql`m.date_of_birth`) : sql`null::int`} as age,
      ${rates?.sumAssured?.kind === "salary" ? salary : sql`null::bigint`} as salary_cents,
      ${[...rated].some((person) => person !== "member") ? dependents : sql`null::text[]`} as dependents
    from (${coversSql(asked)}) c${readsAges ? sql` join members m on m.id = c.member_id` : sql``}
    where ${toTheEnd ? sql`(c.next_on is null or c.next_on > ${lastOfMonth(month)}::date)` : sql`true`}`
}

const householdKeySql = sql.raw(
  "jsonb_build_array(h.kind, h.tier_id, h.age, h.salary_cents, to_jsonb(h.dependents))::text",
)

export const countByKey = (tx: Tx, asked: HouseholdsRequest): Promise<HouseholdCount[]> =>
  tx.rows<HouseholdCount>(sql`
    select ${householdKeySql} as key, count(*) as count from (${householdsSql(asked)}) h
    group by h.kind, h.tier_id, h.age, h.salary_cents, h.dependents`)

export async function findMembersEndingInMonth(tx: Tx, asked: HouseholdsRequest): Promise<string[]> {
  const rows = await tx.rows<{ memberId: string }>(sql`
    select c.member_id as "memberId" from (${coversSql(asked)}) c where c.next_on <= ${lastOfMonth(asked.month)}::date`)
  return rows.map(({ memberId }) => memberId)
}

export const readNamesOf = (tx: Tx, asked: HouseholdsRequest, { keys, atMost }: { keys: string[]; atMost: number }) =>
  tx.rows<{ memberId: string; name: string; key: string }>(sql`
    select m.id as "memberId", m.first_name || ' ' || m.last_name as name, h.key
    from (select h.member_id, ${householdKeySql} as key from (${householdsSql({ ...asked, toTheEnd: false })}) h) h
    join members m on m.id = h.member_id
    where h.key = any (${sql.param(keys)}::text[]) or h.member_id::text = any (${sql.param(keys)}::text[])
    order by m.last_name_key, m.name_key, m.id limit ${atMost}`)

/** Representative facts of all members with this key on the 1st. */
export function toRepresentativeFacts(
  of: string,
  { month, agesOn }: Pick<HouseholdsRequest, "month" | "agesOn">,
  recordedAt: string,
): MemberFacts {
  const [kind, tierId, age, monthlyCents, dependents] = JSON.parse(of) as HouseholdKey
  const recorded = { recordedAt, supersededAt: null }
  const holds = { ...recorded, from: month, until: null }
  const born = (years: number | null) => (years === null ? null : addMonths(agesOn, -12 * years))
  return {
    covers: [{ ...holds, kind, tierId }],
    births: [{ ...recorded, bornOn: born(age) }],
    salaries: monthlyCents === null ? [] : [{ ...holds, monthlyCents }],
    dependents: (dependents ?? []).map((dependent, place) => {
      const [relationship, years] = dependent.split(" ") as [Relationship, string?]
      return {
        ...holds,
        dependentId: String(place),
        relationship,
        bornOn: born(years === undefined ? null : Number(years)),
      }
    }),
  }
}
