-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(month::text) placing '4' from 13) placing '8' from 17)::uuid as id, month, (closing - change)::bigint as "openingCents", "submittedCents", "changedCents", "setCents",
      "reopenedCents", "approvedCents", "otherwiseCents", closing::bigint as "closingCents"
    from (
      select m.month::date as month, coalesce(change, 0) as change, coalesce(moves, 0) as moves, coalesce("submittedCents", 0) as "submittedCents",
        coalesce("changedCents", 0) as "changedCents", coalesce("setCents", 0) as "setCents", coalesce("reopenedCents", 0) as "reopenedCents",
        coalesce("approvedCents", 0) as "approvedCents", coalesce("otherwiseCents", 0) as "otherwiseCents",
        (select coalesce(sum(v.change_cents), 0) from claim_reserve_movements v where true and v.moved_on < '2026-11-02'::date)
          + coalesce(sum(change) over (order by m.month), 0) as closing
      from generate_series(date_trunc('month', '2026-11-02'::timestamp), least('2026-11-02'::timestamp, '2026-11-02'::timestamp), interval '1 month') m (month)
      left join (
        select date_trunc('month', v.moved_on::timestamp) as month, count(*) as moves, sum(v.change_cents) as change,
          coalesce(sum(v.change_cents) filter (where v.cause = any ('{submitted,taken_on}'::text[])), 0)::bigint as "submittedCents", coalesce(sum(v.change_cents) filter (where v.cause = any ('{changed}'::text[])), 0)::bigint as "changedCents",
          coalesce(sum(v.change_cents) filter (where v.cause = any ('{set,cleared}'::text[])), 0)::bigint as "setCents", coalesce(sum(v.change_cents) filter (where v.cause = any ('{reopened,approval_withdrawn}'::text[])), 0)::bigint as "reopenedCents",
          coalesce(sum(v.change_cents) filter (where v.cause = any ('{approved}'::text[])), 0)::bigint as "approvedCents", coalesce(sum(v.change_cents) filter (where v.cause = any ('{rejected,withdrawn}'::text[])), 0)::bigint as "otherwiseCents"
        from claim_reserve_movements v where true and v.moved_on between '2026-11-02'::date and '2026-11-02'::date
        group by 1
      ) v on v.month = m.month
    ) months where moves > 0 or closing <> 0
),
found as materialized (
  select s.id from source s where true
  order by s."month" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."month" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'submittedCents', coalesce(sum(s."submittedCents"), 0), 'changedCents', coalesce(sum(s."changedCents"), 0), 'setCents', coalesce(sum(s."setCents"), 0), 'reopenedCents', coalesce(sum(s."reopenedCents"), 0), 'approvedCents', coalesce(sum(s."approvedCents"), 0), 'otherwiseCents', coalesce(sum(s."otherwiseCents"), 0)) as figures
    from source s where true) each) as figures;
