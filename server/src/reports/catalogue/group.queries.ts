import {
  claimsExperience as claimsExperienceReport,
  movements as movementsReport,
  renewals as renewalsReport,
  schemePortfolio as schemePortfolioReport,
} from "@milkwood/domain/reports/catalogue/group"
import { type SQL, sql } from "drizzle-orm"
import { idOf } from "../../platform/lists/list-rows.ts"
import { flatPremium, ratedPolicies, ratedPremium } from "../../premiums/member-premium.queries.ts"
import { coversOn, experienceByMonth, experienceSql, lossRatio, recordLinkSql, reportList } from "./report-list.ts"

/** A timestamp without timezone: the planner evaluates it once, but a date once per row. */
const firstOf = (day: SQL): SQL => sql`date_trunc('month', ${day}::timestamp)`

const yearEndingOn = (day: SQL): [SQL, SQL] => [
  sql`(${firstOf(day)} - interval '11 months')::date`,
  sql`${firstOf(day)}::date`,
]

const policyNameColumns = sql`g.name as "groupName", p.number as "policyNumber", ${recordLinkSql("policy", "p.id")} as opens, p.group_id as "_groupId", lower(g.name) as _group`

const premiumSql = (rated: "r" | "early", members: SQL, day: SQL): SQL => sql`
      case when ${sql.raw(rated)}.policy_id is null then ${flatPremium(sql`p.id`, members, day)} else ${sql.raw(rated)}.cents end`

export const schemePortfolio = reportList(
  schemePortfolioReport.list,
  ({ asOf }, { timezone }) => {
    const day = sql`${asOf}::date`
    return sql`
    select p.id, ${policyNameColumns}, p.status, coalesce(m.members, 0) as members,
      ${premiumSql("r", sql`coalesce(m.members, 0)`, day)} as "premiumCents", r.unrated,
      coalesce(r.without_rate, 0) as "withoutRate", coalesce(x.earned, 0) as "earnedCents", coalesce(c.claims, 0) as claims, coalesce(x.incurred, 0) as "incurredCents",
      ${lossRatio(sql`x.incurred`, sql`x.earned`)} as "lossRatio", p.start_on as "startOn", p.end_on as "endOn",
      coalesce(x.ledger - x.earned, 0) as "timingCents", coalesce(x.ledger, 0) as "ledgerCents"
    from policies p join employer_groups g on g.id = p.group_id
    left join (
      select policy_id, count(*)::int as members from (${coversOn(day)}) c where kind = 'covered' group by policy_id
    ) m on m.policy_id = p.id
    left join (${ratedPolicies(sql`select id, start_on, ${day} as on_day from policies where status <> 'Draft'`)}) r
      on r.policy_id = p.id
    left join (${experienceSql(...yearEndingOn(day))}) x on x.policy_id = p.id
    left join (
      select policy_id, count(*)::int as claims from claims
      where final_approval_at >= (${yearEndingOn(day)[0]}::timestamp at time zone ${timezone})
        and final_approval_at < ((${day} + 1)::timestamp at time zone ${timezone})
      group by policy_id
    ) c on c.policy_id = p.id
    where p.status <> 'Draft'`
  },
  { sortColumns: { groupName: ["_group", "policyNumber"] } },
)

/** A leaver has an id of its own, because the id of its cover belongs to the joiner. */
const leaverId = sql`overlay(b.id::text placing '8' from 15)::uuid`

/** Current covers with `on` in the period; `on` is the cover's first day or the day after its last. */
const coverStepsSql = (on: SQL, { from, to }: { from: string; to: string }): SQL => sql`
          select id, member_id, group_id, policy_id, tier_id, kind, ${on} as on_day from member_covers
          where superseded_at is null and ${on} between ${from}::date and ${to}::date`

/**
 * The changes from each current cover of a member to the next. A cover without a cover directly before it is a joiner.
 * A cover without a following cover is a leaver, on the day after its end. Covers of a member never overlap, so the
 * previous cover ends on the day on which the next begins. `joined`: change in covered lives from that day.
 */
const movementStepsSql = (period: { from: string; to: string }): SQL => sql`
      select *, case when movement in ('joiner', 'resumed') then 1 when movement = 'leaver' and kind = 'covered' then -1
        when movement = 'suspended' and kind_before = 'covered' then -1 else 0 end as joined
      from (
        select coalesce(c.id, ${leaverId}) as id, coalesce(c.member_id, b.member_id) as member_id,
          coalesce(c.group_id, b.group_id) as group_id, coalesce(c.policy_id, b.policy_id) as policy_id,
          coalesce(c.tier_id, b.tier_id) as tier_id, coalesce(c.on_day, b.on_day) as on_day, coalesce(c.kind, b.kind) as kind,
          b.kind as kind_before, case when c.policy_id = b.policy_id and c.kind = b.kind then b.tier_id end as tier_before, case
            when c.id is null then 'leaver'
            when b.id is null then case c.kind when 'covered' then 'joiner' else 'suspended' end
            when b.policy_id <> c.policy_id then 'transfer'
            when b.kind <> c.kind then case c.kind when 'covered' then 'resumed' else 'suspended' end
            when b.tier_id <> c.tier_id then 'tier_change' end as movement
        from (${coverStepsSql(sql`lower(valid)`, period)}) c
        full join (${coverStepsSql(sql`upper(valid)`, period)}) b on b.member_id = c.member_id and b.on_day = c.on_day
      ) changes where movement is not null`

/** A leaver's day is the last day of cover. */
const movementDaySql = sql`(case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)`

/** A suspended member has no premium, so only tier changes with cover count. */
const isCoveredTierChange = sql`(s.movement = 'tier_change' and s.kind = 'covered')`

const unratedMovement = sql`(case when s.joined <> 0 then r.unrated
        when ${isCoveredTierChange} then coalesce(r.unrated, earlier.unrated) end)`

export const membershipMovements = reportList(
  movementsReport.list,
  ({ from, to }) => sql`
    select s.id, s.on_day as "on", s.movement, s.joined, m.number as "memberNumber",
      m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber", t.name as tier,
      b.name as "tierBefore", case when f.rate_table_id is null then s.joined * f.premium_cents
        when s.joined <> 0 then s.joined * r.cents when ${isCoveredTierChange} then r.cents - earlier.cents else 0 end as "premiumCents",
      ${unratedMovement} as unrated, (${unratedMovement} is not null)::int as "withoutRate",
      ${recordLinkSql("member", "s.member_id")} as opens, s.group_id as "_groupId", lower(g.name) as _group, m.name_key as _name
    from (${movementStepsSql({ from, to })}
    ) s
    left join members m on m.id = s.member_id left join policies p on p.id = s.policy_id
    left join employer_groups g on g.id = s.group_id
    left join benefit_tiers t on t.id = s.tier_id left join benefit_tiers b on b.id = s.tier_before
    left join policy_premiums f on f.policy_id = s.policy_id and f.superseded_at is null
      and f.valid @> ${movementDaySql}
    left join lateral (${ratedPremium(
      { memberId: sql`s.member_id`, tierId: sql`s.tier_id` },
      { rateTableId: sql`f.rate_table_id`, startOn: sql`p.start_on` },
      movementDaySql,
    )}) r on true
    left join lateral (${ratedPremium(
      { memberId: sql`s.member_id`, tierId: sql`s.tier_before` },
      { rateTableId: sql`case when s.tier_before is not null then f.rate_table_id end`, startOn: sql`p.start_on` },
      movementDaySql,
    )}) earlier on true`,
  {
    sortColumns: {
      on: ["on", "_group", "_name"],
      movement: ["movement", "on", "_group", "_name"],
      memberName: ["_name", "on"],
      groupName: ["_group", "on", "_name"],
    },
  },
)

export const claimsExperience = reportList(
  claimsExperienceReport.list,
  ({ from, to }) => {
    const first = sql`${firstOf(sql`${from}::date`)}::date`
    return sql`
    select ${idOf(sql`x.policy_id::text || x.month`)} as id, x.month, ${policyNameColumns}, x.earned as "earnedCents", x.incurred as "incurredCents",
      ${lossRatio(sql`x.incurred`, sql`x.earned`)} as "lossRatio", x.rolling_earned as "rollingEarnedCents",
      x.rolling_incurred as "rollingIncurredCents", ${lossRatio(sql`x.rolling_incurred`, sql`x.rolling_earned`)} as "rollingLossRatio",
      x.ledger - x.earned as "timingCents", x.ledger as "ledgerCents"
    from (
      select policy_id, month, earned, incurred, ledger, (sum(earned) over year)::bigint as rolling_earned,
        (sum(incurred) over year)::bigint as rolling_incurred
      from (${experienceByMonth(sql`(${first} - interval '11 months')::date`, sql`${to}::date`)}) months
      window year as (partition by policy_id order by month range between interval '11 months' preceding and current row)
    ) x
    join policies p on p.id = x.policy_id join employer_groups g on g.id = p.group_id
    where x.month >= ${first}`
  },
  { sortColumns: { month: ["month", "_group", "policyNumber"], groupName: ["_group", "policyNumber", "month"] } },
)

export const renewals = reportList(
  renewalsReport.list,
  ({ from, to }, { today }) => {
    const day = sql`${today}::date`
    const ending = sql`from policies where status <> 'Draft' and end_on between ${from}::date and ${to}::date`
    return sql`
    select p.id, ${policyNameColumns}, p.end_on as "endOn", p.status, p.start_on as "startOn",
      coalesce(m.at_start, 0) as "membersAtStart", coalesce(m.members, 0) as members, early.unrated as "unratedAtStart", r.unrated,
      coalesce(early.without_rate, 0) as "withoutRateAtStart", coalesce(r.without_rate, 0) as "withoutRate",
      ${premiumSql("early", sql`coalesce(m.at_start, 0)`, sql`p.start_on`)} as "premiumAtStartCents",
      ${premiumSql("r", sql`coalesce(m.members, 0)`, day)} as "premiumCents", ${lossRatio(sql`x.incurred`, sql`x.earned`)} as "lossRatio"
    from policies p join employer_groups g on g.id = p.group_id
    left join (
      select e.id as policy_id, count(*) filter (where c.valid @> ${day})::int as members,
        count(*) filter (where c.valid @> e.start_on)::int as at_start
      from (select id, start_on ${ending}) e
      join member_covers c on c.policy_id = e.id and c.superseded_at is null and c.kind = 'covered'
      group by e.id
    ) m on m.policy_id = p.id
    left join (${ratedPolicies(sql`select id, start_on, ${day} as on_day ${ending}`)}) r on r.policy_id = p.id
    left join (${ratedPolicies(sql`select id, start_on, start_on as on_day ${ending}`)}) early on early.policy_id = p.id
    left join (${experienceSql(...yearEndingOn(day))}) x on x.policy_id = p.id
    where p.status <> 'Draft' and p.end_on between ${from}::date and ${to}::date`
  },
  { sortColumns: { endOn: ["endOn", "_group"], groupName: ["_group", "policyNumber"] } },
)
