-- As it is opened

with source as not materialized (
    select o.id as "id", o.number as "number", o.member_id as "memberId", o.policy_id as "policyId", jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as "subject", o.amount_cents as "amountCents", o.method as "method", o.reference as "reference", o.status as "status", o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version as "version", o.needs_action as "_needsAction", o.group_id as "_groupId", lower(o.number) as "_number", lower(o.reference) as "_reference", lower(o.subject_label) as "_subject", m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from (
      select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
        status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action
      from payouts
      union all
  select claim_id as id, '' as number, 'claim' as subject_kind, claim_id as subject_id, number as subject_label, member_id,
    policy_id, group_id, open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action
  from claims_to_pay
    ) o
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    where o.subject_kind = 'claim'
),
found as materialized (
  select s.id from (select o.needs_action as "_needsAction", o.created_at as "createdAt", o.number as "number", o.id as "id", o.status as "status" from (
      select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
        status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action
      from payouts
      union all
  select claim_id as id, '' as number, 'claim' as subject_kind, claim_id as subject_id, number as subject_label, member_id,
    policy_id, group_id, open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action
  from claims_to_pay
    ) o where o.subject_kind = 'claim') s where s."_needsAction" is not null
  order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select jsonb_build_object('status', o.status, 'amountCents', o.amount_cents,
  'preparedBy', o.prepared_by, 'createdBy', o.created_by, 'createdAt', o.created_at, 'payeeWas', o.payee_was,
  'payeeChangedBy', o.payee_changed_by, 'payeeChangedAt', o.payee_changed_at, 'payeeConfirmedBy', o.payee_confirmed_by,
  'batchStatus', (select b.status from payout_batch_payments i join payout_batches b on b.id = i.batch_id
    where i.payout_id = o.id and i.left_at is null)) from payouts o where o.id = s.id) as _guard from source s where s.id = any (array(select id from found)) order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from (select o.status as "status", o.amount_cents as "amountCents" from (
      select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
        status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action
      from payouts
      union all
  select claim_id as id, '' as number, 'claim' as subject_kind, claim_id as subject_id, number as subject_label, member_id,
    policy_id, group_id, open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action
  from claims_to_pay
    ) o where o.subject_kind = 'claim') s where true group by 1) each) as figures;

-- Searched

with source as not materialized (
    select o.id as "id", o.number as "number", o.member_id as "memberId", o.policy_id as "policyId", jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as "subject", o.amount_cents as "amountCents", o.method as "method", o.reference as "reference", o.status as "status", o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version as "version", o.needs_action as "_needsAction", o.group_id as "_groupId", lower(o.number) as "_number", lower(o.reference) as "_reference", lower(o.subject_label) as "_subject", m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from (
      select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
        status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action
      from payouts
      union all
  select claim_id as id, '' as number, 'claim' as subject_kind, claim_id as subject_id, number as subject_label, member_id,
    policy_id, group_id, open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action
  from claims_to_pay
    ) o
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    where o.subject_kind = 'claim'
),
others_4 as materialized (
  select m.id from members m
  where m.search_key like '%nkosi%' and m.name_key like '%nkosi%' limit 2501
),
others_5 as materialized (select g.id from employer_groups g where lower(g.name) like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._reference like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._subject like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s."memberId" = any (array(select id from others_4)) limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s."_groupId" = any (array(select id from others_5)) limit 10001)
),
found as materialized (
  select s.id from hits s where s."_needsAction" is not null
  order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select jsonb_build_object('status', o.status, 'amountCents', o.amount_cents,
  'preparedBy', o.prepared_by, 'createdBy', o.created_by, 'createdAt', o.created_at, 'payeeWas', o.payee_was,
  'payeeChangedBy', o.payee_changed_by, 'payeeChangedAt', o.payee_changed_at, 'payeeConfirmedBy', o.payee_confirmed_by,
  'batchStatus', (select b.status from payout_batch_payments i join payout_batches b on b.id = i.batch_id
    where i.payout_id = o.id and i.left_at is null)) from payouts o where o.id = s.id) as _guard from source s where s.id = any (array(select id from found)) order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) or (select count(*) > 2500 from others_4) or (select count(*) > 2500 from others_5) as overflows, (
    select s.id from hits s where true
    order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
