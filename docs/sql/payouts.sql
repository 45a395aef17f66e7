-- The list as it is opened

select array(with
source as not materialized (  select o.*
  from (  select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
    status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action,
    payee_name
  from payouts
  union all
  select id, '' as number, 'claim' as subject_kind, id as subject_id, number as subject_label, member_id, policy_id, group_id,
    open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status, null::date as completed_on,
    null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action, '' as payee_name
  from (
    select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents as open_cents,
      c.final_approval_at as approved_at
    from claims c
    cross join lateral (
      select coalesce(sum(o.amount_cents), 0)::bigint as cents,
        coalesce(bool_or(o.payee_id is null and o.status <> 'completed'), false) as has_typed
      from payouts o
      where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    ) paid
    where c.status = 'approved' and c.approved_amount_cents > paid.cents and not paid.has_typed) w) o
  where true
    and o.subject_kind = 'claim'
)
select s.id from source s
where true
      and s.needs_action is not null
order by s."needs_action" desc, s."created_at" desc, s."number" desc, s.id desc
  limit 25 offset 0) as ids, (select coalesce(jsonb_object_agg(value, figures), '{}') from (with source as not materialized (  select o.*
  from (  select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
    status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action,
    payee_name
  from payouts
  union all
  select id, '' as number, 'claim' as subject_kind, id as subject_id, number as subject_label, member_id, policy_id, group_id,
    open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status, null::date as completed_on,
    null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action, '' as payee_name
  from (
    select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents as open_cents,
      c.final_approval_at as approved_at
    from claims c
    cross join lateral (
      select coalesce(sum(o.amount_cents), 0)::bigint as cents,
        coalesce(bool_or(o.payee_id is null and o.status <> 'completed'), false) as has_typed
      from payouts o
      where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    ) paid
    where c.status = 'approved' and c.approved_amount_cents > paid.cents and not paid.has_typed) w) o
  where true
    and o.subject_kind = 'claim'
)
select s.status as value,
  jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s.amount_cents), 0)) as figures
from source s group by 1) each) as figures;

-- A search

with
source as not materialized (  select o.*
  from (  select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
    status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action,
    payee_name
  from payouts
  union all
  select id, '' as number, 'claim' as subject_kind, id as subject_id, number as subject_label, member_id, policy_id, group_id,
    open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status, null::date as completed_on,
    null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action, '' as payee_name
  from (
    select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents as open_cents,
      c.final_approval_at as approved_at
    from claims c
    cross join lateral (
      select coalesce(sum(o.amount_cents), 0)::bigint as cents,
        coalesce(bool_or(o.payee_id is null and o.status <> 'completed'), false) as has_typed
      from payouts o
      where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    ) paid
    where c.status = 'approved' and c.approved_amount_cents > paid.cents and not paid.has_typed) w) o
  where true
    and o.subject_kind = 'claim'
),
by_name as materialized (
    select m.id from members m
  where true
    and m.search_key like '%nkosi%' and m.name_key like '%nkosi%'
  limit 2501
),
by_group as materialized (  select g.id from employer_groups g
  where true
    and lower(g.name) like '%nkosi%' limit 2501),
hits as materialized (
  (select   s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action from source s
    where   (true
    and lower(s.number) like '%nkosi%'
  )
    limit 10001)
  union
  (select   s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action from source s
    where   (true
    and lower(s.reference) like '%nkosi%'
  )
    limit 10001)
  union
  (select   s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action from source s
    where   (true
    and lower(s.subject_label) like '%nkosi%'
  )
    limit 10001)
  union
  (select   s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action from source s
    where s.member_id = any (array(select id from by_name))
    limit 10001)
  union
  (select   s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action from source s
    where s.group_id = any (array(select id from by_group))
    limit 10001)
)
select
  array(
    select s.id from hits s
    where true
          and s.needs_action is not null
order by s."needs_action" desc, s."created_at" desc, s."number" desc, s.id desc
  limit 25 offset 0
  ) as ids
  , (select coalesce(jsonb_object_agg(value, figures), '{}') from (
      select s.status as value,
        jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s.amount_cents), 0)) as figures
      from hits s group by 1) each) as figures
  , (select count(*) > 10000 from hits)
    or (select count(*) > 2500 from by_name)
    or (select count(*) > 2500 from by_group) as overflows
  , (select s.id from hits s
      where true
order by s."needs_action" desc, s."created_at" desc, s."number" desc, s.id desc
      limit 1 offset 24) as bound;

-- The rows of a page

select o.id, o.number, o.member_id as "memberId", o.policy_id as "policyId",
  jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as subject,
  o.amount_cents as "amountCents", o.method, o.reference, o.status, o.completed_on as "completedOn",
  o.returned_on as "returnedOn", o.created_at as "createdAt", o.version, o.payee_name as "payeeName",
  m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber", g.name as "groupName"
, (select jsonb_build_object('status', g.status, 'amountCents', g.amount_cents,
  'preparedBy', g.prepared_by, 'createdBy', g.created_by, 'createdAt', g.created_at, 'formerPayee', g.former_payee,
  'payeeChangedBy', g.payee_changed_by, 'payeeChangedAt', g.payee_changed_at, 'payeeConfirmedBy', g.payee_confirmed_by,
  'batchStatus', (select b.status from payout_batch_payments i join payout_batches b on b.id = i.batch_id
    where i.payout_id = g.id and i.removed_at is null)) from payouts g where g.id = o.id) as _guard
from (select * from (  select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
    status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action,
    payee_name
  from payouts
  union all
  select id, '' as number, 'claim' as subject_kind, id as subject_id, number as subject_label, member_id, policy_id, group_id,
    open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status, null::date as completed_on,
    null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action, '' as payee_name
  from (
    select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents as open_cents,
      c.final_approval_at as approved_at
    from claims c
    cross join lateral (
      select coalesce(sum(o.amount_cents), 0)::bigint as cents,
        coalesce(bool_or(o.payee_id is null and o.status <> 'completed'), false) as has_typed
      from payouts o
      where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    ) paid
    where c.status = 'approved' and c.approved_amount_cents > paid.cents and not paid.has_typed) w) o where o.id = any ('{}'::uuid[])) o
left join members m on m.id = o.member_id
left join policies p on p.id = o.policy_id
left join employer_groups g on g.id = o.group_id
order by array_position('{}'::uuid[], o.id);
