-- As it is opened

with source as materialized (
    select p.id, g.name as "groupName", p.number as "policyNumber", jsonb_build_object('kind', 'policy', 'id', p.id) as opens, p.group_id as "_groupId", lower(g.name) as _group, p.end_on as "endOn", p.status, p.start_on as "startOn",
      (
  select coalesce(sum(d.covers), 0)::int from cover_days d
  where d.policy_id = p.id and d.kind = 'covered' and d.on_day <= p.start_on) as "membersAtStart",
      m.members, (
  select case when f.rate_table_id is null then f.premium_cents end from policy_premiums f
  where f.policy_id = p.id and f.superseded_at is null and f.valid @> p.start_on) as "premiumAtStartCents",
      (
  select case when f.rate_table_id is null then f.premium_cents end from policy_premiums f
  where f.policy_id = p.id and f.superseded_at is null and f.valid @> '2026-11-02'::date) as "premiumCents", (case when x.earned > 0 then round(x.incurred * 100.0 / x.earned, 1) end)::float8 as "lossRatio"
    from policies p join employer_groups g on g.id = p.group_id
    left join lateral (select (
  select coalesce(-sum(d.covers), 0)::int from cover_days d
  where d.policy_id = p.id and d.kind = 'covered' and d.on_day > '2026-11-02'::date) as members) m on true
    left join (
  select policy_id, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
  select policy_id, month, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
    select policy_id, month, net_cents as earned, 0 as incurred, 0 as ledger from premium_parts
    where earned_on is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp) - interval '11 months')::date and date_trunc('month', '2026-11-02'::date::timestamp)::date
    union all
    select policy_id, month, 0, case account when 'claims_expense' then debit_cents - credit_cents else 0 end,
      case account when 'premium_income' then credit_cents - debit_cents else 0 end
    from ledger_months
    where account in ('premium_income', 'claims_expense') and policy_id is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp) - interval '11 months')::date and date_trunc('month', '2026-11-02'::date::timestamp)::date
  ) moved
  group by policy_id, month) months group by policy_id) x on x.policy_id = p.id
    where p.status <> 'Draft' and p.end_on between '2026-11-02'::date and '2026-11-02'::date
),
found as materialized (
  select s.id from source s where s."_group" is not null
  order by s."endOn" asc, s."_group" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."endOn" asc, s."_group" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'membersAtStart', coalesce(sum(s."membersAtStart"), 0), 'members', coalesce(sum(s."members"), 0)) as figures
    from source s where true) each) as figures;
