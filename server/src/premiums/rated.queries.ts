import { type SQL, sql } from "drizzle-orm"
import { isKnownAt, type KnownAt } from "../platform/database/known.ts"

/**
 * Rates a person by the table of `mo`; join it to `who`, which has `person`. `one` is the tier's row, `every` the row
 * of every tier, `rate.cents` the amount (null without a rate). A table has at most one of each per person.
 */
export function matchingRateSql(asked: { age: SQL; tierId: SQL; salaryCents: SQL }): SQL {
  const { age, tierId, salaryCents } = asked
  const fits = (row: string) =>
    sql`${sql.raw(`${row}.rate_table_id = mo.rate_table_id and ${row}.person = who.person`)}
      and (${sql.raw(`${row}.ages is null or ${row}.ages`)} @> ${age})`
  return sql`
  left join rate_rows one on ${fits("one")} and one.tier_id = ${tierId}
  left join rate_rows every on one.position is null and ${fits("every")} and every.tier_id is null
  cross join lateral (
    select coalesce(one.cents, every.cents, round(case mo.sum_kind
        when 'fixed' then mo.sum_cents
        when 'tier' then (select s.cents from rate_sums s where s.rate_table_id = mo.rate_table_id and s.tier_id = ${tierId})
        when 'salary' then mo.salary_multiple * ${salaryCents}
      end * coalesce(one.per_mille, every.per_mille) / 1000)) as cents
  ) rate`
}

export const ageOn = (day: SQL, bornOn: SQL): SQL =>
  sql`date_part('year', age(greatest(${day}, ${bornOn})::timestamp, ${bornOn}::timestamp))::int`

export const ratedHousehold = (knownAt?: KnownAt): SQL => sql`members m
  left join lateral (select true as found, b.born_on from former_birth_dates b
    where ${knownAt ? sql`b.member_id = m.id and b.superseded_at > ${knownAt}::timestamptz` : sql`false`}
    order by b.superseded_at, b.id limit 1) before on true
  cross join lateral (select case when before.found then before.born_on else m.date_of_birth end as born_on) own
  cross join lateral (
    select 'member' as person, own.born_on
    union all
    select d.relationship, d.born_on from dependent_covers d
    where mo.rates_dependents and d.member_id = c.member_id and d.valid @> mo.month and ${isKnownAt("d", knownAt)}
    union all
    select 'family', own.born_on
    where mo.rates_families and exists (select from dependent_covers d
      where d.member_id = c.member_id and d.valid @> mo.month and ${isKnownAt("d", knownAt)})
  ) who
  ${matchingRateSql({
    age: ageOn(sql`mo.ages_on`, sql`who.born_on`),
    tierId: sql`c.tier_id`,
    salaryCents: sql`(select e.monthly_cents from member_salaries e
          where e.member_id = c.member_id and e.valid @> mo.month and ${isKnownAt("e", knownAt)})`,
  })}`
