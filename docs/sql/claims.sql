-- As it is opened

with source as not materialized (select
  c.id as "id", c.number as "number", c.status as "status", c.claim_type as "claimType", c.incident_on as "incidentOn", c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents", c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt", case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt", c.created_at as "createdAt", c.version as "version", c.round as "_round", c.captured_by as "_capturedBy", c.submitted_by as "_submittedBy", c.group_id as "_groupId", c.policy_id as "_policyId", c.member_id as "_memberId", c.member_last_name_key as "_lastName", c.member_name_key as "_name", lower(c.number) as "_number", array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid}'::text[], c.status) as "_step", jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member, jsonb_build_object('id', p.id, 'number', p.number) as policy, jsonb_build_object('id', g.id, 'name', g.name) as "group",
  case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit, lower(g.name) as "_group"
  from claims c
  left join members m on m.id = c.member_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id
  left join benefits b on b.id = c.benefit_id
),
found as materialized (
  select s.id from (select c.number as "number", c.id as "id", c.status as "status", c.group_id as "_groupId" from claims c) s where true
  order by s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  jsonb_build_object('standsInFor', (select null::uuid from claims c
    where c.id = s.id and c.status = 'pending_policy_holder'),
    'capturedBy', s."_capturedBy", 'submittedBy', s."_submittedBy",
    'paymentStarted', (select exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed')) from claims c where c.id = s.id),
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = s.id and a.decided_by is not null)) as _duties from found join source s on s.id = found.id order by s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'requestedAmountCents', coalesce(sum(s."requestedAmountCents"), 0)) as figures
    from (select c.status as "status", c.requested_amount_cents as "requestedAmountCents", c.group_id as "_groupId" from claims c) s where true group by 1) each) as figures;

-- Searched

with source as not materialized (select
  c.id as "id", c.number as "number", c.status as "status", c.claim_type as "claimType", c.incident_on as "incidentOn", c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents", c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt", case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt", c.created_at as "createdAt", c.version as "version", c.round as "_round", c.captured_by as "_capturedBy", c.submitted_by as "_submittedBy", c.group_id as "_groupId", c.policy_id as "_policyId", c.member_id as "_memberId", c.member_last_name_key as "_lastName", c.member_name_key as "_name", lower(c.number) as "_number", array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid}'::text[], c.status) as "_step", jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member, jsonb_build_object('id', p.id, 'number', p.number) as policy, jsonb_build_object('id', g.id, 'name', g.name) as "group",
  case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit, lower(g.name) as "_group"
  from claims c
  left join members m on m.id = c.member_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id
  left join benefits b on b.id = c.benefit_id
),
others_3 as materialized (select g.id from employer_groups g where lower(g.name) like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."number", s."id", s."status", s."requestedAmountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."number", s."id", s."status", s."requestedAmountCents" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."number", s."id", s."status", s."requestedAmountCents" from source s where s."_groupId" = any (array(select id from others_3)) limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  jsonb_build_object('standsInFor', (select null::uuid from claims c
    where c.id = s.id and c.status = 'pending_policy_holder'),
    'capturedBy', s."_capturedBy", 'submittedBy', s."_submittedBy",
    'paymentStarted', (select exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed')) from claims c where c.id = s.id),
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = s.id and a.decided_by is not null)) as _duties from found join source s on s.id = found.id order by s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'requestedAmountCents', coalesce(sum(s."requestedAmountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) or (select count(*) > 2500 from others_3) as overflows, (
    select s.id from hits s where true
    order by s."number" desc, s.id desc limit 1 offset 24) as bound;
