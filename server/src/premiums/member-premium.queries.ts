import type { Day } from "@milkwood/domain/kernel/calendar"
import { ratedPersons } from "@milkwood/domain/policies/rates"
import { unratedReasons } from "@milkwood/domain/premiums/rated"
import { noPremiumText, noRateForText } from "@milkwood/domain/premiums/rated-words"
import { type SQL, sql } from "drizzle-orm"
import { isKnownAt } from "../platform/database/known.ts"
import { ageOn, matchingRateSql, ratedHousehold } from "./rated.queries.ts"

interface RateTableRef {
  rateTableId: SQL
  startOn: SQL
}

const rateTableColumns = sql.raw(`
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents`)

const firstOfMonth = (day: SQL): SQL => sql`date_trunc('month', ${day}::timestamp)::date`

/** The day on which ages are taken: the 1st of the month, or the last policy anniversary. */
const agesOn = (ageOn: string, day: SQL, startOn: SQL): SQL => sql`
  case ${sql.raw(ageOn)} when 'month' then ${firstOfMonth(day)} else (coalesce(${startOn}, ${firstOfMonth(day)}) + make_interval(
    years => greatest(0, extract(year from age(${firstOfMonth(day)}::timestamp, ${startOn}::timestamp))::int)))::date end`

const reasons = ratedPersons.flatMap((person) =>
  unratedReasons.map((why) => ({ key: `${person} ${why}`, words: noPremiumText({ person, why }) })),
)
const reasonKeys = sql`${sql.param(reasons.map(({ key }) => key))}::text[]`
const reasonTexts = sql`${sql.param(reasons.map(({ words }) => words))}::text[]`

const reasonIndex = sql`array_position(${reasonKeys}, who.person || case
      when coalesce(one.position, every.position) is not null
        then case mo.sum_kind when 'salary' then ' no salary' else ' no sum assured' end
      when who.born_on is null and exists (select from rate_rows r
        where r.rate_table_id = mo.rate_table_id and r.person = who.person and r.ages is not null) then ' no date of birth'
      else ' no row' end)`

/**
 * A member's monthly premium by a rate table on a day, as one row: `cents`, or null with `unrated`, the reason in
 * words. Uses the salary and dependents of that day.
 */
export const ratedPremium = (member: { memberId: SQL; tierId: SQL }, by: RateTableRef, day: SQL): SQL => sql`
  select case when bool_and(rate.cents is not null) then sum(rate.cents)::bigint end as cents,
    (${reasonTexts})[min(${reasonIndex}) filter (where rate.cents is null)] as unrated
  from (
    select t.id as rate_table_id, ${rateTableColumns}, ${day} as month, ${agesOn("t.age_on", day, by.startOn)} as ages_on
    from rate_tables t where t.id = ${by.rateTableId}
  ) mo
  cross join (select ${member.memberId} as member_id, ${member.tierId} as tier_id) c
  cross join ${ratedHousehold()}
  where m.id = c.member_id and ${by.rateTableId} is not null`

/** A member's monthly premium on a day, as one row: `cents` (flat or by rates), and `unrated` as in `ratedPremium`. */
export const memberPremium = (member: { memberId: SQL; tierId: SQL }, policyId: SQL, day: SQL): SQL => sql`
  select min(case when f.rate_table_id is null then f.premium_cents else r.cents end) as cents, min(r.unrated) as unrated
  from policy_premiums f join policies fp on fp.id = f.policy_id
  left join lateral (${ratedPremium(member, { rateTableId: sql`f.rate_table_id`, startOn: sql`fp.start_on` }, day)}
  ) r on true
  where f.policy_id = ${policyId} and f.superseded_at is null and f.valid @> ${day}`

/** Policies rated together: a select of `policy_id, rate_table_id, start_on` and the columns that `members` uses. */
interface RatedPolicies {
  policies: SQL
  members: SQL
}

/**
 * Monthly premiums by rates, one row a policy: `policy_id`, `cents` (null if a person has no rate), `unrated` in words,
 * and `without_rate` (people). Identical people are rated once.
 */
const ratedMembersSql = ({ policies, members }: RatedPolicies): SQL => sql`
  with mo as materialized (
    select o.*, ${rateTableColumns} from (${policies}) o join rate_tables t on t.id = o.rate_table_id
  ), c as materialized (
    select mo.policy_id, k.*, ${agesOn("mo.age_on", sql`k.on_day`, sql`mo.start_on`)} as ages_on, mo.sum_kind, mo.rates_families,
      mo.rates_dependents
    from mo cross join lateral (${members}) k
  )
  select mo.policy_id,
    case when coalesce(sum(who.people) filter (where rate.cents is null and who.people is not null), 0) = 0
      then coalesce(sum(who.people * rate.cents), 0)::bigint end as cents,
    case sum(who.people) filter (where rate.cents is null) when 1 then ${noRateForText(1)}
      else replace(${noRateForText(2)}, '2', (sum(who.people) filter (where rate.cents is null))::text) end as unrated,
    coalesce(sum(who.people) filter (where rate.cents is null), 0)::int as without_rate
  from mo left join (
    select policy_id, person, tier_id, ${ageOn(sql`ages_on`, sql`born_on`)} as age, salary_cents, count(*) as people
    from (
      select c.policy_id, 'member' as person, c.tier_id, c.ages_on, c.born_on, case c.sum_kind when 'salary' then (
        select e.monthly_cents from member_salaries e
        where e.member_id = c.member_id and e.valid @> c.on_day and ${isKnownAt("e")}) end as salary_cents
      from c
      union all
      select c.policy_id, d.relationship, c.tier_id, c.ages_on, d.born_on, null
      from c join dependent_covers d on d.member_id = c.member_id and d.valid @> c.on_day and ${isKnownAt("d")}
      where c.rates_dependents
      union all
      select c.policy_id, 'family', c.tier_id, c.ages_on, c.born_on, null
      from c
      where c.rates_families and exists (select from dependent_covers d
        where d.member_id = c.member_id and d.valid @> c.on_day and ${isKnownAt("d")})
    ) people
    group by policy_id, person, tier_id, age, salary_cents
  ) who on who.policy_id = mo.policy_id
  ${matchingRateSql({ age: sql`who.age`, tierId: sql`who.tier_id`, salaryCents: sql`who.salary_cents` })}
  group by mo.policy_id`

/**
 * Members of the policy `mo` with cover on its day. Compares range bounds, because with `valid @> day` the planner
 * reads the covers of all policies.
 */
const coveredMembers = sql`
      select k.member_id, k.tier_id, km.date_of_birth as born_on, mo.on_day
      from member_covers k join members km on km.id = k.member_id
      where k.policy_id = mo.policy_id and k.superseded_at is null and k.kind = 'covered'
        and lower(k.valid) <= mo.on_day and (upper_inf(k.valid) or mo.on_day < upper(k.valid))`

/**
 * Monthly premiums by rates of policies selected as `id, start_on, on_day`, for all members with cover that is not
 * suspended. Returns the columns of `ratedTogether`.
 */
export const ratedPolicies = (policies: SQL): SQL =>
  ratedMembersSql({
    policies: sql`
      select q.id as policy_id, q.start_on, q.on_day, f.rate_table_id from (${policies}) q
      join policy_premiums f on f.policy_id = q.id and f.superseded_at is null and f.valid @> q.on_day
      where f.rate_table_id is not null`,
    members: coveredMembers,
  })

export const flatPremium = (policyId: SQL, members: SQL, day: SQL): SQL => sql`(
  select f.premium_cents * ${members} from policy_premiums f
  where f.policy_id = ${policyId} and f.superseded_at is null and f.valid @> ${day} and f.rate_table_id is null)`

/** The day whose premium a list shows: today, limited to the member's first and last day. */
const premiumDisplayDay = (today: Day): SQL => sql`least(greatest(${today}::date, m.start_on, p.start_on), m.end_on)`

export const shownRatedPremium = (today: Day): SQL =>
  ratedPremium(
    { memberId: sql`m.id`, tierId: sql`m.tier_id` },
    { rateTableId: sql`p.rate_table_id`, startOn: sql`p.start_on` },
    premiumDisplayDay(today),
  )

export const shownPolicyPremium = (today: Day): SQL => sql`
  select case when p.rate_table_id is null then p.premium_cents * (
      select coalesce(sum(n.pending + n.active), 0) from member_counts n where n.policy_id = p.id)::bigint
    else min(r.cents) end as cents,
    min(r.unrated) as unrated
  from (${ratedMembersSql({
    policies: sql`select p.id as policy_id, p.rate_table_id, p.start_on where p.rate_table_id is not null`,
    members: sql`
      select m.id as member_id, m.tier_id, m.date_of_birth as born_on,
        least(greatest(${today}::date, m.start_on, mo.start_on), m.end_on) as on_day
      from members m where m.policy_id = mo.policy_id and m.status in ('Active', 'Pending')`,
  })}) r`
