-- The list as it is opened

with source as not materialized (
    select m.id, m.to_address as "to", m.subject, m.state, m.attempts, m.created_at as "createdAt",
      m.sent_at as "sentAt", m.last_error as "lastError", lower(m.to_address) as _to, lower(m.subject) as _subject
    from mails m
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select m.id, m.to_address as "to", m.subject, m.state, m.attempts, m.created_at as "createdAt",
      m.sent_at as "sentAt", m.last_error as "lastError", lower(m.to_address) as _to, lower(m.subject) as _subject
    from mails m
),
hits as materialized (
  (select s."createdAt", s."id", s."state" from source s where s._to like '%nkosi%' limit 10001) union
  (select s."createdAt", s."id", s."state" from source s where s._subject like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s.id desc limit 1 offset 24) as bound;
