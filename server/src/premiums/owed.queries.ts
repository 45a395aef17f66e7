import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { vatOn } from "../benefits/vat.queries.ts"
import { isKnownAt, type KnownAt } from "../platform/database/known.ts"
import { ratedHousehold } from "./rated.queries.ts"

export interface OwedRequest {
  policies: SQL
  /** Any day of the last month, inclusive. */
  month: Day
  /** Any day of the first month; default: the first month that Milkwood bills. */
  from?: Day | undefined
  /** Selects member ids; default: all. */
  members?: SQL | undefined
  knownAt?: KnownAt
}

/**
 * The months that policies may owe: `policy_id, group_id, product_type_id, start_on, month, next_month`. They begin
 * with the first month that Milkwood bills, or the policy's first.
 */
export function billableMonths({ policies, month, from, knownAt }: OwedRequest): SQL {
  return sql`
    select p.id as policy_id, p.group_id, p.product_type_id, p.start_on, first::date as month,
      (first + interval '1 month')::date as next_month
    from policies p
    left join policy_billed_from b on b.policy_id = p.id and ${isKnownAt("b", knownAt)}
    cross join lateral generate_series(
      ${from ? sql`greatest(${firstOfMonth(from)}::date, ` : sql`(`}coalesce(b.month, date_trunc('month', p.start_on)::date))::timestamp,
      ${firstOfMonth(month)}::timestamp, interval '1 month') first
    where p.id in (${policies})`
}

/** Avoids `valid @> day`, because the planner would search that day among the facts of all policies. */
const isValidOn = (table: string, day: string): SQL =>
  sql.raw(`lower(${table}.valid) <= ${day} and (upper_inf(${table}.valid) or ${day} < upper(${table}.valid))`)

/**
 * One row per member and owed month: `policy_id, group_id, member_id, tier_id, month, cents`. SQL version of the domain
 * rule `owed`; a test compares them. `cents` is null for a covered member without a premium.
 */
export function owedByMonth(asked: OwedRequest): SQL {
  const { knownAt, members } = asked
  return sql`
    select mo.policy_id, mo.group_id, c.member_id, c.tier_id, mo.month,
      case when not mo.by_days or (mo.lasts and (upper_inf(c.valid) or upper(c.valid) >= mo.next_month)) then cost.cents
        else round(cost.cents::numeric * (
          select sum(upper(common.days) - lower(common.days)) from member_covers d
          join policy_periods q on q.policy_id = d.policy_id and q.kind = 'active' and ${isKnownAt("q", knownAt)}
          cross join lateral (select d.valid * q.valid * daterange(mo.month, mo.next_month) as days) common
          where d.member_id = c.member_id and d.kind = 'covered' and ${isKnownAt("d", knownAt)} and not isempty(common.days)
        ) / (mo.next_month - mo.month))::bigint end as cents
    from (
      select m.*, pr.premium_cents, coalesce(r.rule = 'by days', false) as by_days,
        upper_inf(pp.valid) or upper(pp.valid) >= m.next_month as lasts,
        t.id as rate_table_id, t.sum_kind, t.sum_cents, t.salary_multiple,
        case t.age_on when 'month' then m.month when 'anniversary' then (m.start_on
          + make_interval(years => greatest(0, extract(year from age(m.month, m.start_on))::int)))::date end as ages_on,
        t.id is not null and exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
        t.id is not null and exists (select from rate_rows r
          where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents
      from (${billableMonths(asked)}) m
      join policy_periods pp on pp.policy_id = m.policy_id and pp.kind = 'active' and ${isValidOn("pp", "m.month")}
        and ${isKnownAt("pp", knownAt)}
      left join policy_premiums pr on pr.policy_id = m.policy_id and ${isValidOn("pr", "m.month")} and ${isKnownAt("pr", knownAt)}
      left join rate_tables t on t.id = pr.rate_table_id
      left join policy_end_rules r on r.policy_id = m.policy_id and ${isValidOn("r", "m.month")} and ${isKnownAt("r", knownAt)}
      -- Once for a month, and not for each of its members.
      offset 0
    ) mo
    join member_covers c on c.policy_id = mo.policy_id and c.kind = 'covered' and ${isValidOn("c", "mo.month")} and ${isKnownAt("c", knownAt)}
      ${members ? sql`and c.member_id in (${members})` : sql``}
    cross join lateral (
      select case when mo.rate_table_id is null then mo.premium_cents else (${ratedCost(knownAt)}) end as cents
    ) cost`
}

/**
 * The household's cost by the rate table of month `mo` and cover `c`, as in the domain rule `rated`. Null if a person
 * has no rate. Used only for months with a rate table.
 */
const ratedCost = (knownAt: KnownAt): SQL => sql`
  select case when bool_and(rate.cents is not null) then sum(rate.cents)::bigint end
  from ${ratedHousehold(knownAt)}
  where m.id = c.member_id`

/** VAT per policy and month: `policy_id, month, class, percent`, as on the month's 1st. */
export function vatByMonth(asked: OwedRequest): SQL {
  return sql`
    select m.policy_id, m.month, v.class, v.percent
    from (${billableMonths(asked)}) m
    cross join lateral (${vatOn(sql`m.product_type_id`, sql`m.month`, asked.knownAt)}) v`
}
