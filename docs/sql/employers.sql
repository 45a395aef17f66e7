-- The list as it is opened

with source as not materialized (
    select g.id, g.name, g.registration_number as "registrationNumber",
      cardinality(array(
  select p.number from policies p
  where p.group_id = g.id and p.status not in ('Terminated', 'Expired') order by p.number)) as "openPolicies", (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.group_id = g.id) as members,
      case when g.closed_on is null then 'Active' else 'Closed' end as status,
      g.id as "_groupId", lower(g.name) as _name, lower(g.registration_number) as _registration
    from employer_groups g
),
found as materialized (
  select s.id from source s where s."_name" is not null
  order by s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select g.id, g.name, g.registration_number as "registrationNumber",
      cardinality(array(
  select p.number from policies p
  where p.group_id = g.id and p.status not in ('Terminated', 'Expired') order by p.number)) as "openPolicies", (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.group_id = g.id) as members,
      case when g.closed_on is null then 'Active' else 'Closed' end as status,
      g.id as "_groupId", lower(g.name) as _name, lower(g.registration_number) as _registration
    from employer_groups g
),
hits as materialized (
  (select s."_name", s."id", s."status" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."_name", s."id", s."status" from source s where s._registration like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_name" is not null
  order by s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_name" asc, s.id asc limit 1 offset 24) as bound;
