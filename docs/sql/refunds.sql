-- The list as it is opened

with source as not materialized (
    select f.id, f.number, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      f.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName", f.amount_cents as "amountCents", f.method,
      f.reason, f.period_from_on as "periodFromOn", f.period_to_on as "periodToOn", f.reference, f.status,
      f.refunded_on as "refundedOn", o.id as "payoutId", f.version, f.policy_id as "_policyId", lower(p.number) as _policy,
      lower(f.reference) as _reference, m.name_key as _name, lower(f.number) as _number,
      case f.reason when 'policy_cancellation' then 'policy cancellation' when 'overpayment' then 'overpayment' when 'pro_rata_refund' then 'pro-rata refund' when 'duplicate_payment' then 'duplicate payment' when 'other' then 'other' end as _reason
    from refunds f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = f.group_id
    left join members m on m.id = f.member_id
    left join payouts o on o.subject_id = f.id and o.subject_kind = 'refund'
),
found as materialized (
  select s.id from source s where true
  order by s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select f.id, f.number, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      f.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName", f.amount_cents as "amountCents", f.method,
      f.reason, f.period_from_on as "periodFromOn", f.period_to_on as "periodToOn", f.reference, f.status,
      f.refunded_on as "refundedOn", o.id as "payoutId", f.version, f.policy_id as "_policyId", lower(p.number) as _policy,
      lower(f.reference) as _reference, m.name_key as _name, lower(f.number) as _number,
      case f.reason when 'policy_cancellation' then 'policy cancellation' when 'overpayment' then 'overpayment' when 'pro_rata_refund' then 'pro-rata refund' when 'duplicate_payment' then 'duplicate payment' when 'other' then 'other' end as _reason
    from refunds f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = f.group_id
    left join members m on m.id = f.member_id
    left join payouts o on o.subject_id = f.id and o.subject_kind = 'refund'
),
others_4 as materialized (
  select m.id from members m
  where m.search_key like '%nkosi%' and m.name_key like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."number", s."id", s."amountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."number", s."id", s."amountCents" from source s where s._policy like '%nkosi%' limit 10001) union
  (select s."number", s."id", s."amountCents" from source s where s._reference like '%nkosi%' limit 10001) union
  (select s."number", s."id", s."amountCents" from source s where s."memberId" = any (array(select id from others_4)) limit 10001) union
  (select s."number", s."id", s."amountCents" from source s where s._reason like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) or (select count(*) > 2500 from others_4) as overflows, (
    select s.id from hits s where true
    order by s."number" desc, s.id desc limit 1 offset 24) as bound;
