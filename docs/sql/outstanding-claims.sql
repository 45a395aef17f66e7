-- As it is opened

with source as materialized (
    select o.*, case when "waitingDays" <= 7 then 'Up to 7 days' when "waitingDays" <= 30 then '8 to 30 days'
      when "waitingDays" <= 90 then '31 to 90 days' else 'Over 90 days' end as age,
      (o.status <> 'approved' and "waitingDays" > 7) as _overdue
    from (
      select c.*, '2026-11-02'::date - c."submittedOn" as "waitingDays" from (
        select c.id, c.number, g.name as "groupName", p.number as "policyNumber", c.claim_type as "claimType", c.group_id as "_groupId",
          c.member_id as "_memberId", c.member_last_name_key as "_lastName", c.member_name_key as _name, lower(g.name) as _group,
          c.status, (c.submitted_at at time zone 'Africa/Johannesburg')::date as "submittedOn", c.requested_amount_cents as "requestedCents",
          c.approved_amount_cents as "approvedCents",
          case c.status when 'approved' then c.approved_amount_cents - coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0)::bigint else c.requested_amount_cents end as "reserveCents"
        from claims c left join policies p on p.id = c.policy_id left join employer_groups g on g.id = c.group_id
        where c.status = any ('{submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved}'::text[])
        offset 0
      ) c
    ) o
),
found as materialized (
  select s.id from source s where true
  order by s."waitingDays" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select m.first_name || ' ' || m.last_name from members m where m.id = s."_memberId") as "memberName", jsonb_build_object('kind', 'claim', 'id', s.id) as opens from found join source s on s.id = found.id order by s."waitingDays" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'requestedCents', coalesce(sum(s."requestedCents"), 0), 'reserveCents', coalesce(sum(s."reserveCents"), 0)) as figures
    from source s where true) each) as figures;
