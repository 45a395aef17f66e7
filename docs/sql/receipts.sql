-- The list as it is opened

with source as not materialized (
    select r.id, r.number, r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      r.amount_cents as "amountCents", r.allocated_cents as "allocatedCents", r.refunded_cents as "refundedCents",
      r.method, r.received_on as "receivedOn", r.reference, d.number as "depositNumber", r.version, case when r.reversed_at is not null then 'Reversed' when r.allocated_cents + r.refunded_cents = r.amount_cents then 'Allocated' else 'Pending' end as status, r.policy_id as "_policyId", lower(r.number) as _number,
      lower(r.reference) as _reference, lower(p.number) as _policy, lower(g.name) as _group,
      lower(d.number) as _deposit
    from receipts r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join deposits d on d.id = r.deposit_id
),
found as materialized (
  select s.id from source s where true
  order by s."receivedOn" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."receivedOn" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select r.id, r.number, r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      r.amount_cents as "amountCents", r.allocated_cents as "allocatedCents", r.refunded_cents as "refundedCents",
      r.method, r.received_on as "receivedOn", r.reference, d.number as "depositNumber", r.version, case when r.reversed_at is not null then 'Reversed' when r.allocated_cents + r.refunded_cents = r.amount_cents then 'Allocated' else 'Pending' end as status, r.policy_id as "_policyId", lower(r.number) as _number,
      lower(r.reference) as _reference, lower(p.number) as _policy, lower(g.name) as _group,
      lower(d.number) as _deposit
    from receipts r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join deposits d on d.id = r.deposit_id
),
hits as materialized (
  (select s."receivedOn", s."number", s."id", s."status", s."amountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."number", s."id", s."status", s."amountCents" from source s where s._reference like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."number", s."id", s."status", s."amountCents" from source s where s._policy like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."number", s."id", s."status", s."amountCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."receivedOn", s."number", s."id", s."status", s."amountCents" from source s where s._deposit like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."receivedOn" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."receivedOn" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."receivedOn" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
