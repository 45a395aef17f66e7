-- The list as it is opened

with source as not materialized (
    select id, name, description, created_at as "createdAt", version, is_funeral as "isFuneral", (
    select coalesce(jsonb_agg(jsonb_build_object('from', from_on, 'percent', percent, 'class', class) order by from_on nulls first), '[]')
    from product_type_vat_rates where product_type_id = id and superseded_at is null) as "vatRates", lower(name) as _name, lower(description) as _description from product_types
),
found as materialized (
  select s.id from source s where s."_name" is not null
  order by s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select id, name, description, created_at as "createdAt", version, is_funeral as "isFuneral", (
    select coalesce(jsonb_agg(jsonb_build_object('from', from_on, 'percent', percent, 'class', class) order by from_on nulls first), '[]')
    from product_type_vat_rates where product_type_id = id and superseded_at is null) as "vatRates", lower(name) as _name, lower(description) as _description from product_types
),
hits as materialized (
  (select s."_name", s."id" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."_name", s."id" from source s where s._description like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_name" is not null
  order by s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_name" asc, s.id asc limit 1 offset 24) as bound;
