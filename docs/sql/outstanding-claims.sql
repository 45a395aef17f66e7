-- The list as it is opened

with source as materialized (
    select c.*, (c.status <> 'approved' and "waitingDays" > 7) as _overdue
    from (
      select c.id, c.number, g.name as "groupName", c.claim_type as "claimType", c.group_id as "_groupId", c.policy_id as "_policyId",
        c.member_id as "_memberId", c.member_last_name_key as "_lastName", c.member_name_key as _name, g.key as _group,
        c.status, c.submitted_on as "submittedOn", '2026-11-02'::date - c.submitted_on as "waitingDays",
        c.requested_amount_cents as "requestedCents", c.approved_amount_cents as "approvedCents",
        case c.status when 'approved' then c.approved_amount_cents - coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint
          else coalesce((select v.reserve_cents from claim_reserve_movements v
            where v.claim_id = c.id order by v.seq desc limit 1), 0) end as "reserveCents"
      from (
        select id, number, claim_type, group_id, policy_id, member_id, member_last_name_key, member_name_key, status,
          requested_amount_cents, approved_amount_cents, (submitted_at at time zone 'Africa/Johannesburg')::date as submitted_on
        from claims where status = any ('{submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved}'::text[])
        offset 0
      ) c
      left join (select id, name, lower(name) as key from employer_groups offset 0) g on g.id = c.group_id
      offset 0
    ) c
),
found as materialized (
  select s.id from source s where true
  order by s."waitingDays" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select m.first_name || ' ' || m.last_name from members m where m.id = s."_memberId") as "memberName", (select p.number from policies p where p.id = s."_policyId") as "policyNumber", case when "waitingDays" <= 7 then 'Up to 7 days' when "waitingDays" <= 30 then '8 to 30 days'
    when "waitingDays" <= 90 then '31 to 90 days' else 'Over 90 days' end as "age", jsonb_build_object('kind', 'claim', 'id', s.id) as "opens" from found join source s on s.id = found.id order by s."waitingDays" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedCents', coalesce(sum(s."requestedCents"), 0), 'reserveCents', coalesce(sum(s."reserveCents"), 0)) as figures
    from source s where true) each) as figures;
