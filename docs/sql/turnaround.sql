-- As it is opened

with source as materialized (
    select overlay(overlay(md5(stage) placing '4' from 13) placing '8' from 17)::uuid as id, stage, array_position('{Review,Group administrator,Underwriter,Policy holder,Submission to decision}'::text[], stage) as place, count(*)::int as claims,
      round(avg(days), 1)::float8 as "averageDays", round(percentile_cont(0.5) within group (order by days)::numeric, 1)::float8 as "medianDays",
      max(days)::int as "longestDays", count(*) filter (where days <= 7)::int as "inTime",
      count(*) filter (where days > 7)::int as late,
      round(count(*) filter (where days <= 7) * 100.0 / count(*), 1)::float8 as "inTimePercent"
    from (
      select stage, ((ended at time zone 'Africa/Johannesburg')::date - (began at time zone 'Africa/Johannesburg')::date) as days
      from (
  with decided as materialized (
    select c.id, c.round, c.submitted_at, c.routed_at, coalesce(c.final_approval_at, c.rejected_at) as decided_at from claims c
    where
  coalesce(c.final_approval_at, c.rejected_at) >= ('2026-11-02'::date::timestamp at time zone 'Africa/Johannesburg') and coalesce(c.final_approval_at, c.rejected_at) < (('2026-11-02'::date + 1)::timestamp at time zone 'Africa/Johannesburg')
  )
  select 'Review' as stage, submitted_at as began, routed_at as ended from decided where routed_at is not null
  union all
  select case a.stage when 'group_admin' then 'Group administrator' when 'underwriter' then 'Underwriter' else 'Policy holder' end,
    coalesce(lag(a.decided_at) over (partition by a.claim_id order by a.decided_at), c.routed_at), a.decided_at
  from decided c join claim_approvals a on a.claim_id = c.id and a.round = c.round and a.decided_at is not null
  union all
  select 'Submission to decision', submitted_at, decided_at from decided) steps where began is not null and ended is not null
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
