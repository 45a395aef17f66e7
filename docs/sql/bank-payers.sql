-- The list as it is opened

with source as not materialized (
    select b.id, b.payer, b.reason, b.confirmed, b.declined, b.last_at as "lastAt", b.policy_id as "policyId",
      p.number as "policyNumber", g.name as "groupName", case when b.policy_id is null then 'notOurs' else 'policy' end as of,
      b.policy_id as "_policyId", lower(b.payer) as _payer, lower(p.number) as _policy, lower(g.name) as _group
    from bank_payers b
    left join policies p on p.id = b.policy_id
    left join employer_groups g on g.id = b.group_id
    where b.forgotten_at is null and (b.confirmed > 0 or b.declined > 0)
),
found as materialized (
  select s.id from source s where true
  order by s."lastAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."lastAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."of" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select b.id, b.payer, b.reason, b.confirmed, b.declined, b.last_at as "lastAt", b.policy_id as "policyId",
      p.number as "policyNumber", g.name as "groupName", case when b.policy_id is null then 'notOurs' else 'policy' end as of,
      b.policy_id as "_policyId", lower(b.payer) as _payer, lower(p.number) as _policy, lower(g.name) as _group
    from bank_payers b
    left join policies p on p.id = b.policy_id
    left join employer_groups g on g.id = b.group_id
    where b.forgotten_at is null and (b.confirmed > 0 or b.declined > 0)
),
hits as materialized (
  (select s."lastAt", s."id", s."of" from source s where s._payer like '%nkosi%' limit 10001) union
  (select s."lastAt", s."id", s."of" from source s where s._policy like '%nkosi%' limit 10001) union
  (select s."lastAt", s."id", s."of" from source s where s._group like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."lastAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."lastAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."of" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."lastAt" desc, s.id desc limit 1 offset 24) as bound;
