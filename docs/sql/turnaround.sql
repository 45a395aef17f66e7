-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(stage) placing '4' from 13) placing '8' from 17)::uuid as id, stage, array_position('{Review,Group administrator,Underwriter,Policy holder,Submission to decision}'::text[], stage) as place, count(*)::int as claims,
      round(avg(days), 1)::float8 as "averageDays", round(percentile_cont(0.5) within group (order by days)::numeric, 1)::float8 as "medianDays",
      max(days)::int as "longestDays", count(*) filter (where days <= 7)::int as "inTime",
      count(*) filter (where days > 7)::int as late,
      round(count(*) filter (where days <= 7) * 100.0 / count(*), 1)::float8 as "inTimePercent",
      case when count(kept) > 0 then (count(*) filter (where kept))::int end as kept,
      case when count(kept) > 0 then (count(*) filter (where not kept))::int end as missed,
      round(count(*) filter (where kept) * 100.0 / nullif(count(kept), 0), 1)::float8 as "keptPercent"
    from (
      select stage, ended - began as days, kept
      from (
  with decided as materialized (
    select c.id, c.round, c.working_days_used <= c.promised_days as kept, (coalesce((select max(r.reopened_at) from claim_reopenings r where r.claim_id = c.id), c.submitted_at) at time zone 'Africa/Johannesburg')::date as submitted_on, (c.routed_at at time zone 'Africa/Johannesburg')::date as routed_on,
      ((case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) at time zone 'Africa/Johannesburg')::date as decided_on
    from claims c where
  (case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) >= ('2026-11-02'::date::timestamp at time zone 'Africa/Johannesburg') and (case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) < (('2026-11-02'::date + 1)::timestamp at time zone 'Africa/Johannesburg')
  ), approved as (
    select stage, routed_on, lag(decided_on) over (partition by claim_id order by decided_at) as earlier_on, decided_on
    from (
      select a.claim_id, a.stage, a.decided_at, (a.decided_at at time zone 'Africa/Johannesburg')::date as decided_on, c.routed_on
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
  select 'Submission to decision', submitted_on, decided_on, kept from decided) steps where began is not null and ended is not null
      offset 0
    ) lasted group by stage
),
found as materialized (
  select s.id from source s where true
  order by s."place" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."place" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;
