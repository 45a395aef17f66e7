-- As it is opened

with source as materialized (
    select o.*, case when "waitingDays" <= 7 then 'Up to 7 days' when "waitingDays" <= 30 then '8 to 30 days'
      when "waitingDays" <= 90 then '31 to 90 days' else 'Over 90 days' end as age
    from (
      select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber",
  c.claim_type as "claimType", jsonb_build_object('kind', 'claim', 'id', c.id) as opens, c.group_id as "_groupId", m.last_name_key as "_lastName",
  m.name_key as _name, lower(g.name) as _group, c.submitted_at as "_submittedAt", c.status, (c.submitted_at at time zone 'Africa/Johannesburg')::date as "submittedOn", ('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) as "waitingDays",
        c.requested_amount_cents as "requestedCents", c.approved_amount_cents as "approvedCents",
        case when c.status = any ('{submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder}'::text[]) then c.requested_amount_cents else c.approved_amount_cents - coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint end as "reserveCents",
        (c.status = any ('{submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder}'::text[]) and ('2026-11-02'::date - (c.submitted_at at time zone 'Africa/Johannesburg')::date) > 7) as _overdue
  from claims c left join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id where c.status = any ('{submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder}'::text[]) or c.status = 'approved'
    ) o
),
found as materialized (
  select s.id from source s where true
  order by s."waitingDays" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."waitingDays" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedCents', coalesce(sum(s."requestedCents"), 0), 'reserveCents', coalesce(sum(s."reserveCents"), 0)) as figures
    from source s where true) each) as figures;
