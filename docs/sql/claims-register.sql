-- The list as it is opened

with source as not materialized (
    select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber",
  c.claim_type as "claimType", jsonb_build_object('kind', 'claim', 'id', c.id) as opens, c.group_id as "_groupId", c.member_last_name_key as "_lastName",
  c.member_name_key as _name, lower(g.name) as _group, c.submitted_at as "_submittedAt", b.name as benefit, c.incident_on as "incidentOn", (c.submitted_at at time zone 'Africa/Johannesburg')::date as "submittedOn",
      ((case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) at time zone 'Africa/Johannesburg')::date as "decidedOn", c.requested_amount_cents as "requestedCents",
      c.approved_amount_cents as "approvedCents", coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint as "paidCents", c.status
  from claims c left join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id left join benefits b on b.id = c.benefit_id
    where c.status <> 'draft' and
  c.submitted_at >= ('2026-11-02'::date::timestamp at time zone 'Africa/Johannesburg') and c.submitted_at < (('2026-11-02'::date + 1)::timestamp at time zone 'Africa/Johannesburg')
),
found as materialized (
  select s.id from source s where s."_submittedAt" is not null
  order by s."_submittedAt" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_submittedAt" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (select '' as value, jsonb_build_object('count', (select count(*) from (select from source s where true limit 10001) counted)) as figures) each) as figures;
