-- The list as it is opened

with source as not materialized (
    select l.id, l.position, l.member_id as "memberId", coalesce(m.first_name || ' ' || m.last_name, l.who) as name,
      m.number as "memberNumber", l.line, l.outcome, l.paid_cents as "paidCents", l.billed_cents as "billedCents",
      coalesce(l.paid_cents, 0) - coalesce(l.billed_cents, 0) as "differenceCents", l.words,
      l.remittance_id as "_remittanceId", lower(l.who) as _who
    from remittance_rows l
    left join members m on m.id = l.member_id
),
found as materialized (
  select s.id from source s where s."outcome" = any ('{other_amount,not_billed,not_paid}'::text[])
  order by s."position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."outcome" as value, jsonb_build_object('count', count(*), 'paidCents', coalesce(sum(s."paidCents"), 0), 'billedCents', coalesce(sum(s."billedCents"), 0), 'differenceCents', coalesce(sum(s."differenceCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select l.id, l.position, l.member_id as "memberId", coalesce(m.first_name || ' ' || m.last_name, l.who) as name,
      m.number as "memberNumber", l.line, l.outcome, l.paid_cents as "paidCents", l.billed_cents as "billedCents",
      coalesce(l.paid_cents, 0) - coalesce(l.billed_cents, 0) as "differenceCents", l.words,
      l.remittance_id as "_remittanceId", lower(l.who) as _who
    from remittance_rows l
    left join members m on m.id = l.member_id
),
hits as materialized (
  (select s."position", s."id", s."outcome", s."paidCents", s."billedCents", s."differenceCents" from source s where s._who like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."outcome" = any ('{other_amount,not_billed,not_paid}'::text[])
  order by s."position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."outcome" as value, jsonb_build_object('count', count(*), 'paidCents', coalesce(sum(s."paidCents"), 0), 'billedCents', coalesce(sum(s."billedCents"), 0), 'differenceCents', coalesce(sum(s."differenceCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where s."outcome" = any ('{other_amount,not_billed,not_paid}'::text[])
    order by s."position" asc, s.id asc limit 1 offset 24) as bound;
