-- The list as it is opened

select array(with
source as not materialized (  select c.*, lower(c.number) as number_key,
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as decided_at,
    array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[], c.status) as step
  from claims c
  where true)
select s.id from source s
where true
  order by s."number" desc, s.id desc
  limit 25 offset 0) as ids, (select coalesce(jsonb_object_agg(value, figures), '{}') from (with source as not materialized (  select c.*, lower(c.number) as number_key,
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as decided_at,
    array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[], c.status) as step
  from claims c
  where true)
select s.status as value, jsonb_build_object('count', count(*),
  'requestedAmountCents', coalesce(sum(s.requested_amount_cents), 0)) as figures
from source s group by 1) each) as figures;

-- A search

with
source as not materialized (  select c.*, lower(c.number) as number_key,
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as decided_at,
    array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[], c.status) as step
  from claims c
  where true),
by_group as materialized (  select g.id from employer_groups g
  where true
    and lower(g.name) like '%nkosi%' limit 2501),
hits as materialized (
  (select   s.id, s.status, s.requested_amount_cents, s.number, s.member_last_name_key, s.member_name_key, s.incident_on,
    s.submitted_at, s.decided_at, s.step from source s
    where true
      and   (true
    and s.number_key like '%nkosi%'
  )
    limit 10001)
  union
  (select   s.id, s.status, s.requested_amount_cents, s.number, s.member_last_name_key, s.member_name_key, s.incident_on,
    s.submitted_at, s.decided_at, s.step from source s
    where true
      and   (true
    and s.member_name_key like '%nkosi%'
  )
    limit 10001)
  union
  (select   s.id, s.status, s.requested_amount_cents, s.number, s.member_last_name_key, s.member_name_key, s.incident_on,
    s.submitted_at, s.decided_at, s.step from source s
    where s.group_id = any (array(select id from by_group))
    limit 10001)
)
select
  array(
    select s.id from hits s
    where true
      order by s."number" desc, s.id desc
  limit 25 offset 0
  ) as ids
  , (select coalesce(jsonb_object_agg(value, figures), '{}') from (
      select s.status as value, jsonb_build_object('count', count(*),
        'requestedAmountCents', coalesce(sum(s.requested_amount_cents), 0)) as figures
      from hits s group by 1) each) as figures
  , (select count(*) > 10000 from hits)
    or (select count(*) > 2500 from by_group) as overflows
  , (select s.id from hits s
      where true
order by s."number" desc, s.id desc
      limit 1 offset 24) as bound;

-- The rows of a page

select c.id, c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
  c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
  c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
  case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt",
  c.created_at as "createdAt", c.version, c.round as "_round",
  (select r.kind from claim_reopenings r where r.claim_id = c.id and r.round = c.round) as "_reopening",
  jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member,
  coalesce(d.first_name || ' ' || d.last_name, m.first_name || ' ' || m.last_name) as "insuredPerson",
  jsonb_build_object('id', p.id, 'number', p.number) as policy,
  jsonb_build_object('id', g.id, 'name', g.name) as "group",
  case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit,
  jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)
    , 'standsInFor', case when c.status = 'pending_policy_holder' then null::uuid end,
    'paymentStarted', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed')), 'isPartlyPaid', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed')
  ) as _duties
from unnest('{}'::uuid[]) with ordinality found (id, place)
join claims c on c.id = found.id
left join members m on m.id = c.member_id
left join dependents d on d.id = c.dependent_id
left join policies p on p.id = c.policy_id
left join employer_groups g on g.id = c.group_id
left join benefits b on b.id = c.benefit_id
order by found.place;
