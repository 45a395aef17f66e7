-- The list as it is opened

with source as materialized (
    select c.id, c.number, p.number as "policyNumber", g.name as "groupName", c.received_on as "receivedOn",
      c.amount_cents as "amountCents", c.credit_cents as "creditCents", c.state, c.reason, u.name as "heldByName",
      lower(c.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (
  select r.id, r.number, r.policy_id, r.group_id, r.received_on, r.amount_cents,
    r.amount_cents - r.allocated_cents - r.refunded_cents as credit_cents, k.reason, k.held_by,
    case when k.id is null then 'open' else 'kept' end as state
  from receipts r left join held_credits k on k.receipt_id = r.id and k.released_at is null
  where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents and r.received_on <= '2026-10-31'::date) c
    left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = c.group_id
    left join users u on u.id = c.held_by
),
found as materialized (
  select s.id from source s where s."state" = any ('{open}'::text[])
  order by s."receivedOn" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."receivedOn" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'creditCents', coalesce(sum(s."creditCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as materialized (
    select c.id, c.number, p.number as "policyNumber", g.name as "groupName", c.received_on as "receivedOn",
      c.amount_cents as "amountCents", c.credit_cents as "creditCents", c.state, c.reason, u.name as "heldByName",
      lower(c.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (
  select r.id, r.number, r.policy_id, r.group_id, r.received_on, r.amount_cents,
    r.amount_cents - r.allocated_cents - r.refunded_cents as credit_cents, k.reason, k.held_by,
    case when k.id is null then 'open' else 'kept' end as state
  from receipts r left join held_credits k on k.receipt_id = r.id and k.released_at is null
  where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents and r.received_on <= '2026-10-31'::date) c
    left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = c.group_id
    left join users u on u.id = c.held_by
),
hits as materialized (
  (select s."receivedOn", s."id", s."state", s."creditCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."id", s."state", s."creditCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."id", s."state", s."creditCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."state" = any ('{open}'::text[])
  order by s."receivedOn" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."receivedOn" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'creditCents', coalesce(sum(s."creditCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where s."state" = any ('{open}'::text[])
    order by s."receivedOn" desc, s.id desc limit 1 offset 24) as bound;
