-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(p.id::text || t.id::text) placing '4' from 13) placing '8' from 17)::uuid as id, t.id as "documentTypeId", t.name as "documentTypeName",
      p.id as "policyId", p.number as "policyNumber", p.status as "policyStatus", p.start_on as "startOn",
      (select g.name from employer_groups g where g.id = p.group_id) as "groupName",
      p.group_id as "_groupId", t.id as "_documentTypeId", lower(t.name) as _type, lower(p.number) as _number,
      (select lower(g.name) from employer_groups g where g.id = p.group_id) as _group
  from policies p join policy_document_types t on ((t.required_for_all or exists (select from policy_document_requirements r
  where r.document_type = t.id and r.product_type_id = p.product_type_id))
  and not exists (select from policy_documents d where d.policy_id = p.id and d.document_type = t.id))
  where p.status in ('Draft', 'Active', 'Suspended')
),
found as materialized (
  select s.id from source s where s."_group" is not null
  order by s."_group" asc, s."_number" asc, s."_type" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s."_number" asc, s."_type" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as materialized (
    select overlay(overlay(md5(p.id::text || t.id::text) placing '4' from 13) placing '8' from 17)::uuid as id, t.id as "documentTypeId", t.name as "documentTypeName",
      p.id as "policyId", p.number as "policyNumber", p.status as "policyStatus", p.start_on as "startOn",
      (select g.name from employer_groups g where g.id = p.group_id) as "groupName",
      p.group_id as "_groupId", t.id as "_documentTypeId", lower(t.name) as _type, lower(p.number) as _number,
      (select lower(g.name) from employer_groups g where g.id = p.group_id) as _group
  from policies p join policy_document_types t on ((t.required_for_all or exists (select from policy_document_requirements r
  where r.document_type = t.id and r.product_type_id = p.product_type_id))
  and not exists (select from policy_documents d where d.policy_id = p.id and d.document_type = t.id))
  where p.status in ('Draft', 'Active', 'Suspended')
),
hits as materialized (
  (select s."_group", s."_number", s."_type", s."id" from source s where s._type like '%nkosi%' limit 10001) union
  (select s."_group", s."_number", s."_type", s."id" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."_group", s."_number", s."_type", s."id" from source s where s._group like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_group" is not null
  order by s."_group" asc, s."_number" asc, s."_type" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s."_number" asc, s."_type" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_group" asc, s."_number" asc, s."_type" asc, s.id asc limit 1 offset 24) as bound;
