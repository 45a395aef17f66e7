import { memberLabels } from "@milkwood/domain/members/member"
import {
  ageBands,
  agesAndLives as agesAndLivesReport,
  dependentsReport,
  doubtfulData as doubtfulDataReport,
  memberRegister as memberRegisterReport,
} from "@milkwood/domain/reports/catalogue/member"
import { type SQL, sql } from "drizzle-orm"
import { shownIdentity } from "../../members/members.queries.ts"
import { idOf } from "../../platform/lists/list-rows.ts"
import { idArray } from "../../platform/lists/statements.ts"
import { memberPremium } from "../../premiums/member-premium.queries.ts"
import { coversOn, recordLinkSql, register, reportList } from "./report-list.ts"

const coverColumns = { memberId: sql`c.member_id`, tierId: sql`c.tier_id` }

export const memberRegister = register(
  memberRegisterReport.list,
  ({ asOf }, { actor }) => {
    const day = sql`${asOf}::date`
    return sql`
    select m.id, m.number, m.first_name || ' ' || m.last_name as name, ${shownIdentity(actor, sql`coalesce(m.id_number, m.passport_number)`)} as "idNumber",
      m.date_of_birth as "dateOfBirth", m.gender, g.name as "groupName", p.number as "policyNumber", t.name as tier, c.kind as cover,
      m.start_on as "startOn", (select count(*)::int from dependents d where d.member_id = m.id and d.from_on <= ${day}
        and coalesce(d.until_on >= ${day}, true)) as dependents,
      case c.kind when 'covered' then r.cents else 0 end as "premiumCents", case c.kind when 'covered' then r.unrated end as unrated,
      (c.kind = 'covered' and r.unrated is not null)::int as "withoutRate",
      ${recordLinkSql("member", "m.id")} as opens, m.group_id as "_groupId", c.policy_id as "_policyId", m.last_name_key as "_lastName",
      m.name_key as _name, lower(g.name) as _group
    from (${coversOn(day)}) c join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = m.group_id left join benefit_tiers t on t.id = c.tier_id
    left join lateral (${memberPremium(coverColumns, sql`c.policy_id`, day)}) r on true`
  },
  { sortColumns: { name: ["_lastName", "_name"], groupName: ["_group", "_lastName", "_name"] } },
)

export const dependents = register(
  dependentsReport.list,
  ({ asOf }, { actor }) => {
    const day = sql`${asOf}::date`
    return sql`
    select d.id, m.number as "memberNumber", m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName",
      d.first_name || ' ' || d.last_name as name, d.relationship, ${shownIdentity(actor, sql`d.id_number`)} as "idNumber", d.date_of_birth as "dateOfBirth",
      extract(year from age(${day}, d.date_of_birth))::int as age, d.gender, d.from_on as "fromOn", d.until_on as "untilOn", 1 as lives,
      ${recordLinkSql("member", "m.id")} as opens, d.group_id as "_groupId", m.last_name_key as "_lastName", m.name_key as _member,
      m.number as _number, lower(g.name) as _group, lower(d.first_name || ' ' || d.last_name) as _name
    from dependents d left join members m on m.id = d.member_id left join employer_groups g on g.id = d.group_id
    where d.from_on <= ${day} and coalesce(d.until_on >= ${day}, true)
      and exists (select from (${coversOn(day)}) c where c.member_id = d.member_id and c.kind = 'covered')`
  },
  {
    sortColumns: {
      memberNumber: ["_number", "_name"],
      memberName: ["_lastName", "_member", "_name"],
      name: ["_name"],
      groupName: ["_group", "_lastName", "_member", "_name"],
    },
  },
)

const maxAgeYears = 130

/** Dates of birth at which the age on `day` drops by a year, oldest first. */
const birthdaysSql = (day: SQL): SQL => sql`array(
  select (${day} - make_interval(years => n))::date + 1 from generate_series(${maxAgeYears}::int, 1, -1) n)`

const livesOn = (day: SQL, employers: SQL): SQL => sql`
        select m.gender, c.tier_id, m.date_of_birth as born_on,
          case when s.id is null then p.sum_assured_cents else s.sum_assured_cents end as insured
        from (${coversOn(day)}) c join members m on m.id = c.member_id join policies p on p.id = c.policy_id
        left join policy_cover_terms s on s.policy_id = p.id and s.term = 'sum assured' and s.superseded_at is null
          and s.valid @> ${day}
        where c.kind = 'covered'${employers}`

export const agesAndLives = reportList(
  agesAndLivesReport.list,
  ({ asOf, groupId }) => {
    const day = sql`${asOf}::date`
    const bands = sql.param([...ageBands])
    const lives = livesOn(day, groupId ? sql` and p.group_id = any (${idArray(groupId)})` : sql``)
    return sql`
    select ${idOf(sql`l.band || coalesce(l.gender, '') || l.tier_id`)} as id, l.band, l.gender, t.name as tier,
      sum(l.lives)::int as lives, round(sum(l.lives * l.age) / sum(l.lives), 1)::float8 as "averageAge",
      coalesce(sum(l.insured), 0)::bigint as "insuredCents",
      (array_position(${bands}::text[], l.band) * 1000 + coalesce(array_position('{female,male,other}'::text[], l.gender), 9) * 100
        + max(t.position))::int as place
    from (
      select a.*, case when age is null then 'Not known' when age < 25 then 'Under 25' when age < 35 then '25 to 34'
        when age < 45 then '35 to 44' when age < 55 then '45 to 54' when age < 65 then '55 to 64' else '65 and over' end as band
      from (
        select gender, tier_id, ${maxAgeYears}::int - width_bucket(born_on, ${birthdaysSql(day)}) as age,
          count(*) as lives, sum(insured) as insured
        from (${lives}
        ) b
        group by 1, 2, 3
      ) a
    ) l join benefit_tiers t on t.id = l.tier_id
    group by l.band, l.gender, l.tier_id, t.name`
  },
  // The select filters by employer before members are counted.
  { filters: { groupId: () => sql`true` } },
)

const memberLabelsJson = sql.param(JSON.stringify(memberLabels))

/** No sort or total needs these columns, so they are read per page. */
const doubtfulDataColumns = {
  memberName: sql`(select m.first_name || ' ' || m.last_name from members m where m.id = s."_memberId")`,
  policyNumber: sql`(select p.number from policies p where p.id = s."_policyId")`,
  opens: sql`jsonb_build_object('kind', 'member', 'id', s."_memberId")`,
}

/**
 * Most rows report missing data. Their first row per member reuses the member's id, because hashing ids takes a third
 * of the report's time.
 */
const doubtfulDataSql = sql`
    select case when d.is_first then d.id else ${idOf(sql`d.id || d.problem || d.what`)} end as id, d.number as "memberNumber", g.name as "groupName", d.problem, d.what,
      1 as problems, d.id as "_memberId", d.policy_id as "_policyId", d.group_id as "_groupId", d.name_key as _name, g.key as _group
    from (
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'missing' as problem, coalesce(${memberLabelsJson}::jsonb ->> field, field) as what,
        nth = 1 as is_first
      from members m cross join unnest(m.to_complete) with ordinality f (field, nth) where m.status <> 'Terminated' and m.to_complete <> '{}'
      union all
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'id_conflict', 'The ID number says another date of birth', false
      from members m
      where m.status <> 'Terminated' and left(m.id_number, 6)::int <> (extract(year from m.date_of_birth)::int % 100) * 10000
        + extract(month from m.date_of_birth)::int * 100 + extract(day from m.date_of_birth)::int
      union all
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'several_groups', 'Also in ' || string_agg(distinct og.name, ', '), false
      from (
        select id_number from (
          select distinct id_number, group_id from members where id_number is not null and status <> 'Terminated'
        ) each group by id_number having count(*) > 1
      ) n join members m on m.id_number = n.id_number
      join members o on o.id_number = m.id_number and o.group_id <> m.group_id
      join employer_groups og on og.id = o.group_id
      where m.status <> 'Terminated' and o.status <> 'Terminated' group by m.id
    ) d
    left join (select id, name, lower(name) as key from employer_groups offset 0) g on g.id = d.group_id`

export const doubtfulData = reportList(doubtfulDataReport.list, () => doubtfulDataSql, {
  pageColumns: () => doubtfulDataColumns,
  sortColumns: {
    memberNumber: ["memberNumber", "problem", "what"],
    memberName: ["_name", "problem", "what"],
    groupName: ["_group", "_name", "problem"],
    problem: ["problem", "_group", "_name"],
  },
})
