-- The list as it is opened

with source as not materialized (
    select
  u.id, u.name, u.email, u.role, u.version, u.email_verified as "emailVerified", u.disabled_at as "disabledAt",
  case when exists (
  select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) then 'on' else 'off' end as "secondFactor", u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt", (
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
  from employer_groups g where g.id in (select group_id from user_groups where user_id = u.id)) as groups,
  (select count(*) from users a where a.role = 'admin' and a.disabled_at is null and a.email_verified) as administrators,
      case when u.disabled_at is not null then 'disabled' when u.email_verified then 'active' else 'unconfirmed' end as status,
      (
  select string_agg(g.name, ', ' order by lower(g.name)) from employer_groups g where g.id in (select group_id from user_groups where user_id = u.id)) as "_groupNames",
      lower(u.name) as _name, lower(u.email) as _email
    from users u where not u.is_program
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
    select
  u.id, u.name, u.email, u.role, u.version, u.email_verified as "emailVerified", u.disabled_at as "disabledAt",
  case when exists (
  select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) then 'on' else 'off' end as "secondFactor", u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt", (
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
  from employer_groups g where g.id in (select group_id from user_groups where user_id = u.id)) as groups,
  (select count(*) from users a where a.role = 'admin' and a.disabled_at is null and a.email_verified) as administrators,
      case when u.disabled_at is not null then 'disabled' when u.email_verified then 'active' else 'unconfirmed' end as status,
      (
  select string_agg(g.name, ', ' order by lower(g.name)) from employer_groups g where g.id in (select group_id from user_groups where user_id = u.id)) as "_groupNames",
      lower(u.name) as _name, lower(u.email) as _email
    from users u where not u.is_program
),
hits as materialized (
  (select s."_name", s."id" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."_name", s."id" from source s where s._email like '%nkosi%' limit 10001)
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
