-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(x.policy_id::text || x.month) placing '4' from 13) placing '8' from 17)::uuid as id, x.month, g.name as "groupName", p.number as "policyNumber", jsonb_build_object('kind', 'policy', 'id', p.id) as opens, p.group_id as "_groupId", lower(g.name) as _group, x.earned as "earnedCents", x.incurred as "incurredCents",
      (case when x.earned > 0 then round(x.incurred * 100.0 / x.earned, 1) end)::float8 as "lossRatio", x.rolling_earned as "rollingEarnedCents",
      x.rolling_incurred as "rollingIncurredCents", (case when x.rolling_earned > 0 then round(x.rolling_incurred * 100.0 / x.rolling_earned, 1) end)::float8 as "rollingLossRatio",
      x.ledger - x.earned as "timingCents", x.ledger as "ledgerCents"
    from (
      select policy_id, month, earned, incurred, ledger, (sum(earned) over year)::bigint as rolling_earned,
        (sum(incurred) over year)::bigint as rolling_incurred
      from (
  select policy_id, month, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
    select policy_id, month, net_cents as earned, 0 as incurred, 0 as ledger from premium_parts
    where earned_on is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp)::date - interval '11 months')::date and '2026-11-02'::date
    union all
    select policy_id, month, 0, case account when 'claims_expense' then debit_cents - credit_cents else 0 end,
      case account when 'premium_income' then credit_cents - debit_cents else 0 end
    from ledger_months
    where account in ('premium_income', 'claims_expense') and policy_id is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp)::date - interval '11 months')::date and '2026-11-02'::date
  ) moved
  group by policy_id, month) months
      window year as (partition by policy_id order by month range between interval '11 months' preceding and current row)
    ) x
    join policies p on p.id = x.policy_id join employer_groups g on g.id = p.group_id
    where x.month >= date_trunc('month', '2026-11-02'::date::timestamp)::date
),
found as materialized (
  select s.id from source s where true
  order by s."month" asc, s."_group" asc, s."policyNumber" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."month" asc, s."_group" asc, s."policyNumber" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'earnedCents', coalesce(sum(s."earnedCents"), 0), 'incurredCents', coalesce(sum(s."incurredCents"), 0), 'timingCents', coalesce(sum(s."timingCents"), 0), 'ledgerCents', coalesce(sum(s."ledgerCents"), 0)) as figures
    from source s where true) each) as figures;
