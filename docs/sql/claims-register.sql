-- As it is opened

with source as materialized (
    select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber",
  c.claim_type as "claimType", jsonb_build_object('kind', 'claim', 'id', c.id) as opens, c.group_id as "_groupId", m.name_key as _name, lower(g.name) as _group, b.name as benefit, c.incident_on as "incidentOn", (c.submitted_at at time zone 'Africa/Johannesburg')::date as "submittedOn",
      (coalesce(c.final_approval_at, c.rejected_at) at time zone 'Africa/Johannesburg')::date as "decidedOn", c.requested_amount_cents as "requestedCents",
      c.approved_amount_cents as "approvedCents", coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint as "paidCents", c.status
  from claims c join members m on m.id = c.member_id join policies p on p.id = c.policy_id join employer_groups g on g.id = c.group_id left join benefits b on b.id = c.benefit_id
    where c.status <> 'draft' and
  c.submitted_at >= ('2026-11-02'::date::timestamp at time zone 'Africa/Johannesburg') and c.submitted_at < (('2026-11-02'::date + 1)::timestamp at time zone 'Africa/Johannesburg')
),
found as materialized (
  select s.id from source s where true
  order by s."submittedOn" asc, s."number" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."submittedOn" asc, s."number" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedCents', coalesce(sum(s."requestedCents"), 0), 'approvedCents', coalesce(sum(s."approvedCents"), 0), 'paidCents', coalesce(sum(s."paidCents"), 0)) as figures
    from source s where true) each) as figures;
