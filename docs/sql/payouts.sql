-- As it is opened

with source as not materialized (
    select o.id as "id", o.number as "number", o.member_id as "memberId", o.policy_id as "policyId", jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as "subject", o.amount_cents as "amountCents", o.method as "method", o.reference as "reference", o.status as "status", o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version as "version", o.prepared_by as "_preparedBy", o.payee_changed_by as "_payeeChangedBy", (o.status in ('pending', 'processing', 'failed')) as "_needsAction", lower(o.number) as "_number", lower(o.reference) as "_reference", lower(o.subject_label) as "_subject", m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from payouts o
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
),
found as materialized (
  select s.id from (select (o.status in ('pending', 'processing', 'failed')) as "_needsAction", o.created_at as "createdAt", o.number as "number", o.id as "id", o.status as "status" from payouts o) s where s."_needsAction" is not null
  order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from (select o.status as "status", o.amount_cents as "amountCents" from payouts o) s where true group by 1) each) as figures;

-- Searched

with source as not materialized (
    select o.id as "id", o.number as "number", o.member_id as "memberId", o.policy_id as "policyId", jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as "subject", o.amount_cents as "amountCents", o.method as "method", o.reference as "reference", o.status as "status", o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version as "version", o.prepared_by as "_preparedBy", o.payee_changed_by as "_payeeChangedBy", (o.status in ('pending', 'processing', 'failed')) as "_needsAction", lower(o.number) as "_number", lower(o.reference) as "_reference", lower(o.subject_label) as "_subject", m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from payouts o
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
),
others_4 as materialized (
  select m.id from members m
  where m.search_key like '%nkosi%' and m.name_key like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._reference like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._subject like '%nkosi%' limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s."memberId" = any (array(select id from others_4)) limit 10001) union
  (select s."_needsAction", s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._group like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_needsAction" is not null
  order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) or (select count(*) > 2500 from others_4) as overflows, (
    select s.id from hits s where true
    order by s."_needsAction" desc, s."createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
