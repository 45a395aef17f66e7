import { claimTabs, stages } from "@milkwood/domain/claims/claim"
import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import type { ReserveCause } from "@milkwood/domain/claims/reserve"
import {
  claimReserves as claimReservesReport,
  claimsRegister as claimsRegisterReport,
  decisions as decisionsReport,
  outstandingClaims as outstandingClaimsReport,
  turnaround as turnaroundReport,
  turnaroundStages,
} from "@milkwood/domain/reports/catalogue/claims"
import { type SQL, sql } from "drizzle-orm"
import { idOf } from "../../platform/lists/list-rows.ts"
import type { SourceCx } from "../../platform/lists/source.ts"
import { idArray } from "../../platform/lists/statements.ts"
import { recordLinkSql, register, reportList } from "./report-list.ts"

export const paidCents = sql`coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint`

export const dayOf = (moment: SQL, timezone: string): SQL => sql`(${moment} at time zone ${timezone})::date`

/** Must equal the expression in the indexes of claims by decision. */
export const decidedAt = sql`(case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end)`

/** Both days are inclusive. Compares the bare column, so that PostgreSQL uses an index. */
const isWithinPeriod = (moment: SQL, { from, to }: { from: string; to: string }, timezone: string): SQL => sql`
  ${moment} >= (${from}::date::timestamp at time zone ${timezone}) and ${moment} < ((${to}::date + 1)::timestamp at time zone ${timezone})`

const claimNameColumns = sql`c.number, m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber",
  c.claim_type as "claimType", ${recordLinkSql("claim", "c.id")} as opens, c.group_id as "_groupId", c.member_last_name_key as "_lastName",
  c.member_name_key as _name, lower(g.name) as _group, c.submitted_at as "_submittedAt"`

const fromClaims = sql`
  from claims c left join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id`

export const claimsRegister = register(
  claimsRegisterReport.list,
  (period, { timezone }) => sql`
    select c.id, ${claimNameColumns}, b.name as benefit, c.incident_on as "incidentOn", ${dayOf(sql`c.submitted_at`, timezone)} as "submittedOn",
      ${dayOf(decidedAt, timezone)} as "decidedOn", c.requested_amount_cents as "requestedCents",
      c.approved_amount_cents as "approvedCents", ${paidCents} as "paidCents", c.status
    ${fromClaims} left join benefits b on b.id = c.benefit_id
    where c.status <> 'draft' and ${isWithinPeriod(sql`c.submitted_at`, period, timezone)}`,
  {
    sortColumns: {
      submittedOn: ["_submittedAt"],
      memberName: ["_lastName", "_name"],
      groupName: ["_group", "number"],
      requestedCents: ["requestedCents"],
    },
  },
)

/** No sort or total needs these columns, so they are read per page. */
const outstandingColumns = {
  memberName: sql`(select m.first_name || ' ' || m.last_name from members m where m.id = s."_memberId")`,
  policyNumber: sql`(select p.number from policies p where p.id = s."_policyId")`,
  age: sql`case when "waitingDays" <= ${highlightOverDays} then 'Up to 7 days' when "waitingDays" <= 30 then '8 to 30 days'
    when "waitingDays" <= 90 then '31 to 90 days' else 'Over 90 days' end`,
  opens: sql`jsonb_build_object('kind', 'claim', 'id', s.id)`,
}

const outstandingClaimsSql = ({ today, timezone }: SourceCx): SQL => sql`
    select c.*, (c.status <> 'approved' and "waitingDays" > ${highlightOverDays}) as _overdue
    from (
      select c.id, c.number, g.name as "groupName", c.claim_type as "claimType", c.group_id as "_groupId", c.policy_id as "_policyId",
        c.member_id as "_memberId", c.member_last_name_key as "_lastName", c.member_name_key as _name, g.key as _group,
        c.status, c.submitted_on as "submittedOn", ${today}::date - c.submitted_on as "waitingDays",
        c.requested_amount_cents as "requestedCents", c.approved_amount_cents as "approvedCents",
        case c.status when 'approved' then c.approved_amount_cents - ${paidCents}
          else coalesce((select v.reserve_cents from claim_reserve_movements v
            where v.claim_id = c.id order by v.seq desc limit 1), 0) end as "reserveCents"
      from (
        select id, number, claim_type, group_id, policy_id, member_id, member_last_name_key, member_name_key, status,
          requested_amount_cents, approved_amount_cents, ${dayOf(sql`submitted_at`, timezone)} as submitted_on
        from claims where status = any (${sql.param([...claimTabs.pending, "approved"])}::text[])
        offset 0
      ) c
      left join (select id, name, lower(name) as key from employer_groups offset 0) g on g.id = c.group_id
      offset 0
    ) c`

export const outstandingClaims = reportList(outstandingClaimsReport.list, (_, cx) => outstandingClaimsSql(cx), {
  pageColumns: () => outstandingColumns,
  sortColumns: {
    memberName: ["_lastName", "_name", "number"],
    groupName: ["_group", "number"],
    waitingDays: ["waitingDays", "number"],
  },
})

/** The first and the last month are cut off at the period's days. */
export const claimReserves = reportList(
  claimReservesReport.list,
  ({ from, to, groupId }, { today }) => {
    const movements = sql`claim_reserve_movements v ${groupId ? sql`where v.group_id = any (${idArray(groupId)})` : sql`where true`}`
    const change = (...causes: ReserveCause[]) =>
      sql`coalesce(sum(v.change_cents) filter (where v.cause = any (${sql.param(causes)}::text[])), 0)::bigint`
    return sql`
    select ${idOf(sql`month::text`)} as id, month, (closing - change)::bigint as "openingCents", "submittedCents", "changedCents", "setCents",
      "reopenedCents", "approvedCents", "otherwiseCents", closing::bigint as "closingCents"
    from (
      select m.month::date as month, coalesce(change, 0) as change, coalesce(moves, 0) as moves, coalesce("submittedCents", 0) as "submittedCents",
        coalesce("changedCents", 0) as "changedCents", coalesce("setCents", 0) as "setCents", coalesce("reopenedCents", 0) as "reopenedCents",
        coalesce("approvedCents", 0) as "approvedCents", coalesce("otherwiseCents", 0) as "otherwiseCents",
        (select coalesce(sum(v.change_cents), 0) from ${movements} and v.moved_on < ${from}::date)
          + coalesce(sum(change) over (order by m.month), 0) as closing
      from generate_series(date_trunc('month', ${from}::timestamp), least(${to}::timestamp, ${today}::timestamp), interval '1 month') m (month)
      left join (
        select date_trunc('month', v.moved_on::timestamp) as month, count(*) as moves, sum(v.change_cents) as change,
          ${change("submitted", "taken_on")} as "submittedCents", ${change("changed")} as "changedCents",
          ${change("set", "cleared")} as "setCents", ${change("reopened", "approval_withdrawn")} as "reopenedCents",
          ${change("approved")} as "approvedCents", ${change("rejected", "withdrawn")} as "otherwiseCents"
        from ${movements} and v.moved_on between ${from}::date and ${to}::date
        group by 1
      ) v on v.month = m.month
    ) months where moves > 0 or closing <> 0`
  },
  // The select filters by employer before months are summed.
  { filters: { groupId: () => sql`true` } },
)

const claimStepsSql = (period: { from: string; to: string }, timezone: string): SQL => sql`
  with decided as materialized (
    select c.id, c.round, c.working_days_used <= c.promised_days as kept, ${dayOf(sql`coalesce((select max(r.reopened_at) from claim_reopenings r where r.claim_id = c.id), c.submitted_at)`, timezone)} as submitted_on, ${dayOf(sql`c.routed_at`, timezone)} as routed_on,
      ${dayOf(decidedAt, timezone)} as decided_on
    from claims c where ${isWithinPeriod(decidedAt, period, timezone)}
  ), approved as (
    select stage, routed_on, lag(decided_on) over (partition by claim_id order by decided_at) as earlier_on, decided_on
    from (
      select a.claim_id, a.stage, a.decided_at, ${dayOf(sql`a.decided_at`, timezone)} as decided_on, c.routed_on
      from decided c join claim_approvals a on a.claim_id = c.id and a.round = c.round and a.decided_at is not null
      offset 0
    ) decisions
  )
  select 'Review' as stage, submitted_on as began, routed_on as ended, null::boolean as kept from decided
  union all
  select case stage when 'group_admin' then 'Group administrator' when 'underwriter' then 'Underwriter' else 'Policy holder' end,
    coalesce(earlier_on, routed_on), decided_on, null
  from approved
  union all
  select 'Submission to decision', submitted_on, decided_on, kept from decided`

export const turnaround = reportList(
  turnaroundReport.list,
  (period, { timezone }) => sql`
    select ${idOf(sql`stage`)} as id, stage, array_position(${sql.param([...turnaroundStages])}::text[], stage) as place, count(*)::int as claims,
      round(avg(days), 1)::float8 as "averageDays", round(percentile_cont(0.5) within group (order by days)::numeric, 1)::float8 as "medianDays",
      max(days)::int as "longestDays", count(*) filter (where days <= ${highlightOverDays})::int as "inTime",
      count(*) filter (where days > ${highlightOverDays})::int as late,
      round(count(*) filter (where days <= ${highlightOverDays}) * 100.0 / count(*), 1)::float8 as "inTimePercent",
      case when count(kept) > 0 then (count(*) filter (where kept))::int end as kept,
      case when count(kept) > 0 then (count(*) filter (where not kept))::int end as missed,
      round(count(*) filter (where kept) * 100.0 / nullif(count(kept), 0), 1)::float8 as "keptPercent"
    from (
      select stage, ended - began as days, kept
      from (${claimStepsSql(period, timezone)}) steps where began is not null and ended is not null
      offset 0
    ) lasted group by stage`,
)

export const decisions = reportList(
  decisionsReport.list,
  (period, { timezone }) => sql`
    select ${idOf(sql`outcome || benefit || approver || coalesce(reason, '')`)} as id, outcome, benefit, approver, reason, count(*)::int as claims,
      coalesce(sum(requested), 0)::bigint as "requestedCents", coalesce(sum(approved), 0)::bigint as "approvedCents"
    from (
      select case when c.rejected_at is not null then 'Rejected'
          when c.approved_amount_cents < c.requested_amount_cents then 'Reduced' else 'Approved' end as outcome,
        coalesce(b.name, 'No benefit') as benefit, coalesce(u.name, 'A former user') as approver,
        coalesce(c.rejection_reason, a.reduction_reason) as reason,
        c.requested_amount_cents as requested, case when c.rejected_at is null then c.approved_amount_cents end as approved
      from claims c
      left join benefits b on b.id = c.benefit_id
      left join lateral (
        select decided_by, (select reduction_reason from claim_approvals r
            where r.claim_id = c.id and r.round = c.round and r.reduction_reason is not null order by r.decided_at desc limit 1) as reduction_reason
        from claim_approvals where claim_id = c.id and round = c.round and decided_by is not null
        order by decided_at desc, array_position(${sql.param([...stages])}::text[], stage) desc limit 1
      ) a on true
      left join users u on u.id = coalesce(a.decided_by, c.reviewed_by)
      where ${isWithinPeriod(decidedAt, period, timezone)}
    ) decided group by outcome, benefit, approver, reason`,
  { sortColumns: { outcome: ["outcome", "benefit", "approver"] } },
)
