-- The list as it is opened

with source as not materialized (
    select audit_entry(a.id) as id, a.at as "happenedAt", to_char(a.at at time zone 'Africa/Johannesburg', 'HH24:MI:SS') as time,
      a.actor_name as actor, jsonb_build_object('fact', a.fact, 'kind', a.record_kind, 'id', a.record_id, 'label', a.record_label, 'detail', opened_detail(a.detail)) as what, a.record_kind as "kindName", a.record_label as label,
      g.name as "groupName", a.fact as action, a.actor_id as "_actorId", lower(a.record_label) as _label
    from audit_log a
    left join employer_groups g on g.id = a.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."happenedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."happenedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (select '' as value, jsonb_build_object('count', (select count(*) from (select from source s where true limit 10001) counted)) as figures) each) as figures;

-- A search

with source as not materialized (
    select audit_entry(a.id) as id, a.at as "happenedAt", to_char(a.at at time zone 'Africa/Johannesburg', 'HH24:MI:SS') as time,
      a.actor_name as actor, jsonb_build_object('fact', a.fact, 'kind', a.record_kind, 'id', a.record_id, 'label', a.record_label, 'detail', opened_detail(a.detail)) as what, a.record_kind as "kindName", a.record_label as label,
      g.name as "groupName", a.fact as action, a.actor_id as "_actorId", lower(a.record_label) as _label
    from audit_log a
    left join employer_groups g on g.id = a.group_id
),
hits as materialized (
  (select s."happenedAt", s."id" from source s where s._label like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."happenedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."happenedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."happenedAt" desc, s.id desc limit 1 offset 24) as bound;
