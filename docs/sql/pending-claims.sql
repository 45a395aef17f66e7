-- The list as it is opened

with source as not materialized (select c.id, c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
    c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
    c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt",
    c.created_at as "createdAt", c.version, c.round as _round, c.group_id as "_groupId", c.member_id as "_memberId",
    c.member_last_name_key as "_lastName", c.member_name_key as _name, lower(c.number) as _number,
  (select jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name)
    from members m where m.id = c.member_id) as member,
  coalesce((select (d.first_name || ' ' || d.last_name) from dependents d where d.id = c.dependent_id),
    (select m.first_name || ' ' || m.last_name from members m where m.id = c.member_id)) as "insuredPerson",
  (select jsonb_build_object('id', p.id, 'number', p.number) from policies p where p.id = c.policy_id) as policy,
  (select jsonb_build_object('id', g.id, 'name', g.name) from employer_groups g where g.id = c.group_id) as "group",
  (select jsonb_build_object('id', b.id, 'name', b.name) from benefits b where b.id = c.benefit_id) as benefit,
    ('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) as "waitingDays", c.requested_documents as "_requestedDocuments", c.reviewed_by as "_reviewedBy", c.member_start_on as "_startOn", c.member_end_on as "_endOn", (c.claim_type = 'death' or c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg')) as _urgent, c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg') as _overdue, false as "_forMe",
    c.due_on as "dueOn", coalesce(c.due_on <= '2026-11-02'::date, false) as _due,
    case when (c.claim_type = 'death' or c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg')) then 0 when (c.claim_type = 'disability' or c.requested_amount_cents >= 10000000 or c.submitted_at < (('2026-11-02'::date - 3::integer)::timestamp at time zone 'Africa/Johannesburg')) then 1 else 2 end as _priority, -('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) as _waiting
    from claims c where c.status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder')
),
found as materialized (
  select s.id from source s where true
  order by s."_priority" asc nulls last, s."_waiting" asc nulls last, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  (select jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)
    , 'standsInFor', case when c.status = 'pending_policy_holder' then null::uuid end,
    'paymentStarted', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed')), 'isPartlyPaid', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'))
    from claims c where c.id = s.id) as "_duties", (select kind from claim_reopenings r where r.claim_id = s.id and r.round = s._round) as "_reopening", (select name from users where id = s."_reviewedBy") as "_reviewer", (array['Urgent', 'High', 'Medium'])[s._priority + 1] as "priority", case when s.status = 'submitted' and cardinality(s."_requestedDocuments") = 0 then 'Pending Review' when cardinality(s."_requestedDocuments") > 0 then 'Documentation Required' when s.status <> 'submitted' and cardinality(s."_requestedDocuments") = 0 then 'Under Assessment' end as "state",
  case s.status when 'pending_group_admin' then 'Group administrator' when 'pending_underwriter' then 'Underwriter' when 'pending_policy_holder' then 'Policy holder' else coalesce((select name from users where id = s."_reviewedBy"), 'Unassigned') end as "assignedTo", case when s."dueOn" is null then 'Waiting for documents' when s."dueOn" = '2026-11-02'::date then 'Due today'
    when s."dueOn" > '2026-11-02'::date then (select n || case when n = 1 then ' working day ' else ' working days ' end || 'left'::text from (select (select count(*) from generate_series('2026-11-02'::date + 1, s."dueOn", interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) as n) counted)
    when (select count(*) from generate_series(s."dueOn" + 1, '2026-11-02'::date, interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) = 0 then 'Late' else (select n || case when n = 1 then ' working day ' else ' working days ' end || 'late'::text from (select (select count(*) from generate_series(s."dueOn" + 1, '2026-11-02'::date, interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) as n) counted) end as "timeLeft", case when s."dueOn" is null then 'waiting' when s."dueOn" = '2026-11-02'::date then 'due'
    when s."dueOn" > '2026-11-02'::date then 'running' else 'late' end as "clock" from found join source s on s.id = found.id order by s."_priority" asc nulls last, s."_waiting" asc nulls last, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedAmountCents', coalesce(sum(s."requestedAmountCents"), 0), 'pending', count(*), 'urgent', count(*) filter (where s._urgent), 'documentationRequired', count(*) filter (where cardinality(s."_requestedDocuments") > 0), 'overdue', count(*) filter (where s._overdue), 'forMe', count(*) filter (where s."_forMe")) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (select c.id, c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
    c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
    c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt",
    c.created_at as "createdAt", c.version, c.round as _round, c.group_id as "_groupId", c.member_id as "_memberId",
    c.member_last_name_key as "_lastName", c.member_name_key as _name, lower(c.number) as _number,
  (select jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name)
    from members m where m.id = c.member_id) as member,
  coalesce((select (d.first_name || ' ' || d.last_name) from dependents d where d.id = c.dependent_id),
    (select m.first_name || ' ' || m.last_name from members m where m.id = c.member_id)) as "insuredPerson",
  (select jsonb_build_object('id', p.id, 'number', p.number) from policies p where p.id = c.policy_id) as policy,
  (select jsonb_build_object('id', g.id, 'name', g.name) from employer_groups g where g.id = c.group_id) as "group",
  (select jsonb_build_object('id', b.id, 'name', b.name) from benefits b where b.id = c.benefit_id) as benefit,
    ('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) as "waitingDays", c.requested_documents as "_requestedDocuments", c.reviewed_by as "_reviewedBy", c.member_start_on as "_startOn", c.member_end_on as "_endOn", (c.claim_type = 'death' or c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg')) as _urgent, c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg') as _overdue, false as "_forMe",
    c.due_on as "dueOn", coalesce(c.due_on <= '2026-11-02'::date, false) as _due,
    case when (c.claim_type = 'death' or c.submitted_at < (('2026-11-02'::date - 7::integer)::timestamp at time zone 'Africa/Johannesburg')) then 0 when (c.claim_type = 'disability' or c.requested_amount_cents >= 10000000 or c.submitted_at < (('2026-11-02'::date - 3::integer)::timestamp at time zone 'Africa/Johannesburg')) then 1 else 2 end as _priority, -('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) as _waiting
    from claims c where c.status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder')
),
hits as materialized (
  (select s."_priority", s."_waiting", s."id", s."requestedAmountCents", s."_urgent", s."status", s."_requestedDocuments", s."_overdue", s."_forMe", s."_due", s."incidentOn", s."_startOn", s."_endOn" from source s where (s."_number" like '%nkosi%' or s."claimType" like '%nkosi%' or s._name like '%nkosi%' or false) limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."_priority" asc nulls last, s."_waiting" asc nulls last, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  (select jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)
    , 'standsInFor', case when c.status = 'pending_policy_holder' then null::uuid end,
    'paymentStarted', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed')), 'isPartlyPaid', exists (
    select from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'))
    from claims c where c.id = s.id) as "_duties", (select kind from claim_reopenings r where r.claim_id = s.id and r.round = s._round) as "_reopening", (select name from users where id = s."_reviewedBy") as "_reviewer", (array['Urgent', 'High', 'Medium'])[s._priority + 1] as "priority", case when s.status = 'submitted' and cardinality(s."_requestedDocuments") = 0 then 'Pending Review' when cardinality(s."_requestedDocuments") > 0 then 'Documentation Required' when s.status <> 'submitted' and cardinality(s."_requestedDocuments") = 0 then 'Under Assessment' end as "state",
  case s.status when 'pending_group_admin' then 'Group administrator' when 'pending_underwriter' then 'Underwriter' when 'pending_policy_holder' then 'Policy holder' else coalesce((select name from users where id = s."_reviewedBy"), 'Unassigned') end as "assignedTo", case when s."dueOn" is null then 'Waiting for documents' when s."dueOn" = '2026-11-02'::date then 'Due today'
    when s."dueOn" > '2026-11-02'::date then (select n || case when n = 1 then ' working day ' else ' working days ' end || 'left'::text from (select (select count(*) from generate_series('2026-11-02'::date + 1, s."dueOn", interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) as n) counted)
    when (select count(*) from generate_series(s."dueOn" + 1, '2026-11-02'::date, interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) = 0 then 'Late' else (select n || case when n = 1 then ' working day ' else ' working days ' end || 'late'::text from (select (select count(*) from generate_series(s."dueOn" + 1, '2026-11-02'::date, interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all ('{2023-01-01,2023-01-02,2023-03-21,2023-04-07,2023-04-10,2023-04-27,2023-05-01,2023-06-16,2023-08-09,2023-09-24,2023-09-25,2023-12-16,2023-12-25,2023-12-26,2024-01-01,2024-03-21,2024-03-29,2024-04-01,2024-04-27,2024-05-01,2024-06-16,2024-06-17,2024-08-09,2024-09-24,2024-12-16,2024-12-25,2024-12-26,2025-01-01,2025-03-21,2025-04-18,2025-04-21,2025-04-27,2025-04-28,2025-05-01,2025-06-16,2025-08-09,2025-09-24,2025-12-16,2025-12-25,2025-12-26,2026-01-01,2026-03-21,2026-04-03,2026-04-06,2026-04-27,2026-05-01,2026-06-16,2026-08-09,2026-08-10,2026-09-24,2026-12-16,2026-12-25,2026-12-26,2027-01-01,2027-03-21,2027-03-22,2027-03-26,2027-03-29,2027-04-27,2027-05-01,2027-06-16,2027-08-09,2027-09-24,2027-12-16,2027-12-25,2027-12-26,2027-12-27,2028-01-01,2028-03-21,2028-04-14,2028-04-17,2028-04-27,2028-05-01,2028-06-16,2028-08-09,2028-09-24,2028-09-25,2028-12-16,2028-12-25,2028-12-26,2029-01-01,2029-03-21,2029-03-30,2029-04-02,2029-04-27,2029-05-01,2029-06-16,2029-08-09,2029-09-24,2029-12-16,2029-12-17,2029-12-25,2029-12-26}'::date[])
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false)) as n) counted) end as "timeLeft", case when s."dueOn" is null then 'waiting' when s."dueOn" = '2026-11-02'::date then 'due'
    when s."dueOn" > '2026-11-02'::date then 'running' else 'late' end as "clock" from found join source s on s.id = found.id order by s."_priority" asc nulls last, s."_waiting" asc nulls last, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedAmountCents', coalesce(sum(s."requestedAmountCents"), 0), 'pending', count(*), 'urgent', count(*) filter (where s._urgent), 'documentationRequired', count(*) filter (where cardinality(s."_requestedDocuments") > 0), 'overdue', count(*) filter (where s._overdue), 'forMe', count(*) filter (where s."_forMe")) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_priority" asc nulls last, s."_waiting" asc nulls last, s.id asc limit 1 offset 24) as bound;
