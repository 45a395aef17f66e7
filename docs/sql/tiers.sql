-- The list as it is opened

with source as not materialized (
    select id, name, description, created_at as "createdAt", version, position, lower(name) as _name, lower(description) as _description from benefit_tiers
),
found as materialized (
  select s.id from source s where true
  order by s."position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select id, name, description, created_at as "createdAt", version, position, lower(name) as _name, lower(description) as _description from benefit_tiers
),
hits as materialized (
  (select s."position", s."id" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."position", s."id" from source s where s._description like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."position" asc, s.id asc limit 1 offset 24) as bound;
