-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(outcome || benefit || approver || coalesce(reason, '')) placing '4' from 13) placing '8' from 17)::uuid as id, outcome, benefit, approver, reason, count(*)::int as claims,
      coalesce(sum(requested), 0)::bigint as "requestedCents", coalesce(sum(approved), 0)::bigint as "approvedCents"
    from (
      select case when c.rejected_at is not null then 'Rejected'
          when c.approved_amount_cents < c.requested_amount_cents then 'Reduced' else 'Approved' end as outcome,
        coalesce(b.name, 'No benefit') as benefit, coalesce(u.name, 'A former user') as approver,
        coalesce(c.rejection_reason, a.reduction_reason) as reason,
        c.requested_amount_cents as requested, case when c.rejected_at is null then c.approved_amount_cents end as approved
      from claims c
      left join benefits b on b.id = c.benefit_id
      left join lateral (
        select decided_by, (select reduction_reason from claim_approvals r
            where r.claim_id = c.id and r.round = c.round and r.reduction_reason is not null order by r.decided_at desc limit 1) as reduction_reason
        from claim_approvals where claim_id = c.id and round = c.round and decided_by is not null
        order by decided_at desc, array_position('{group_admin,underwriter,policy_holder}'::text[], stage) desc limit 1
      ) a on true
      left join users u on u.id = coalesce(a.decided_by, c.reviewed_by)
      where
  (case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) >= ('2026-11-02'::date::timestamp at time zone 'Africa/Johannesburg') and (case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end) < (('2026-11-02'::date + 1)::timestamp at time zone 'Africa/Johannesburg')
    ) decided group by outcome, benefit, approver, reason
),
found as materialized (
  select s.id from source s where true
  order by s."outcome" asc, s."benefit" asc, s."approver" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."outcome" asc, s."benefit" asc, s."approver" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'claims', coalesce(sum(s."claims"), 0), 'requestedCents', coalesce(sum(s."requestedCents"), 0), 'approvedCents', coalesce(sum(s."approvedCents"), 0)) as figures
    from source s where true) each) as figures;
