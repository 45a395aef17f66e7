-- The list as it is opened

with source as materialized (
    select o.policy_id as id, o.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", o.state,
      o.invoice_id as "invoiceId", o.invoice_number as "invoiceNumber", case when o.state = 'excused' then o.reason end as reason,
      case when o.state = 'excused' then u.name end as "excusedByName",
      exists (select from closed_months where month >= '2026-10-01'::date and reopened_at is null) as "_isClosed",
      lower(g.name) as _group, lower(p.number) as _policy
    from (
  select p.id as policy_id, p.group_id, coalesce(own.id, later.id) as invoice_id, coalesce(own.number, later.number) as invoice_number, e.reason, e.excused_by,
    case when coalesce(own.id, later.id) is not null then 'billed' when e.id is not null then 'excused' else 'open' end as state
  from policies p
  join policy_periods a on a.policy_id = p.id and a.kind = 'active' and a.superseded_at is null and a.valid @> '2026-10-01'::date
  left join lateral (
    select id, number from invoices i where i.policy_id = p.id and i.kind = 'premium' and i.status <> 'cancelled'
      and i.credited_whole_at is null and daterange(i.period_start_on, i.period_end_on, '[]') @> '2026-10-01'::date limit 1
  ) own on true
  left join lateral (
    select i.id, i.number from invoices i where own.id is null and i.policy_id = p.id and i.status <> 'cancelled'
      and i.credited_whole_at is null and coalesce(i.period_start_on > '2026-10-01'::date, true)
      and exists (select from invoice_lines l where l.invoice_id = i.id and l.billed_month = '2026-10-01'::date)
    order by i.created_at, i.id limit 1
  ) later on true
  left join month_excuses e on e.policy_id = p.id and e.month = '2026-10-01'::date and e.withdrawn_at is null
  where not exists (select from policy_periods s where s.policy_id = p.id and s.kind = 'suspended'
      and s.superseded_at is null and s.valid @> '2026-10-01'::date)
    and not exists (select from policy_billed_from b where b.policy_id = p.id and b.superseded_at is null and b.month > '2026-10-01'::date)) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    left join users u on u.id = o.excused_by
),
found as materialized (
  select s.id from source s where s."state" = any ('{open}'::text[]) and s."_group" is not null
  order by s."_group" asc, s."_policy" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s."_policy" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as materialized (
    select o.policy_id as id, o.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", o.state,
      o.invoice_id as "invoiceId", o.invoice_number as "invoiceNumber", case when o.state = 'excused' then o.reason end as reason,
      case when o.state = 'excused' then u.name end as "excusedByName",
      exists (select from closed_months where month >= '2026-10-01'::date and reopened_at is null) as "_isClosed",
      lower(g.name) as _group, lower(p.number) as _policy
    from (
  select p.id as policy_id, p.group_id, coalesce(own.id, later.id) as invoice_id, coalesce(own.number, later.number) as invoice_number, e.reason, e.excused_by,
    case when coalesce(own.id, later.id) is not null then 'billed' when e.id is not null then 'excused' else 'open' end as state
  from policies p
  join policy_periods a on a.policy_id = p.id and a.kind = 'active' and a.superseded_at is null and a.valid @> '2026-10-01'::date
  left join lateral (
    select id, number from invoices i where i.policy_id = p.id and i.kind = 'premium' and i.status <> 'cancelled'
      and i.credited_whole_at is null and daterange(i.period_start_on, i.period_end_on, '[]') @> '2026-10-01'::date limit 1
  ) own on true
  left join lateral (
    select i.id, i.number from invoices i where own.id is null and i.policy_id = p.id and i.status <> 'cancelled'
      and i.credited_whole_at is null and coalesce(i.period_start_on > '2026-10-01'::date, true)
      and exists (select from invoice_lines l where l.invoice_id = i.id and l.billed_month = '2026-10-01'::date)
    order by i.created_at, i.id limit 1
  ) later on true
  left join month_excuses e on e.policy_id = p.id and e.month = '2026-10-01'::date and e.withdrawn_at is null
  where not exists (select from policy_periods s where s.policy_id = p.id and s.kind = 'suspended'
      and s.superseded_at is null and s.valid @> '2026-10-01'::date)
    and not exists (select from policy_billed_from b where b.policy_id = p.id and b.superseded_at is null and b.month > '2026-10-01'::date)) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    left join users u on u.id = o.excused_by
),
hits as materialized (
  (select s."_group", s."_policy", s."id", s."state" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."_group", s."_policy", s."id", s."state" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."state" = any ('{open}'::text[]) and s."_group" is not null
  order by s."_group" asc, s."_policy" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s."_policy" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where s."state" = any ('{open}'::text[])
    order by s."_group" asc, s."_policy" asc, s.id asc limit 1 offset 24) as bound;
