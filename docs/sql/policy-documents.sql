-- The list as it is opened

with source as not materialized (
    select d.id, d.name, d.document_type as "documentTypeId", d.policy_id as "policyId", d.uploaded_at as "uploadedAt",
      d.group_id as "_groupId", d.policy_id as "_policyId", d.document_type as "_documentTypeId", lower(d.name) as _name, t.name as "documentTypeName", p.number as "policyNumber", g.name as "groupName",
      case when (t.required_for_all or exists (select from policy_document_requirements r
  where r.document_type = t.id and r.product_type_id = p.product_type_id)) then 'required' else 'optional' end as need, f.mime, f.size,
      coalesce(u.name, '') as "uploadedBy", lower(p.number) as _number, lower(g.name) as _group
    from policy_documents d
    left join policy_document_types t on t.id = d.document_type
    left join policies p on p.id = d.policy_id
    left join employer_groups g on g.id = d.group_id
    left join files f on f.id = d.file_id
    left join users u on u.id = d.uploaded_by
),
found as materialized (
  select s.id from source s where true
  order by s."uploadedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."uploadedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select d.id, d.name, d.document_type as "documentTypeId", d.policy_id as "policyId", d.uploaded_at as "uploadedAt",
      d.group_id as "_groupId", d.policy_id as "_policyId", d.document_type as "_documentTypeId", lower(d.name) as _name, t.name as "documentTypeName", p.number as "policyNumber", g.name as "groupName",
      case when (t.required_for_all or exists (select from policy_document_requirements r
  where r.document_type = t.id and r.product_type_id = p.product_type_id)) then 'required' else 'optional' end as need, f.mime, f.size,
      coalesce(u.name, '') as "uploadedBy", lower(p.number) as _number, lower(g.name) as _group
    from policy_documents d
    left join policy_document_types t on t.id = d.document_type
    left join policies p on p.id = d.policy_id
    left join employer_groups g on g.id = d.group_id
    left join files f on f.id = d.file_id
    left join users u on u.id = d.uploaded_by
),
others_2 as materialized (select p.id from policies p where lower(p.number) like '%nkosi%' limit 2501
),
others_3 as materialized (select g.id from employer_groups g where lower(g.name) like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."uploadedAt", s."id" from source s where s._name like '%nkosi%' limit 10001) union
  (select s."uploadedAt", s."id" from source s where s."_policyId" = any (array(select id from others_2)) limit 10001) union
  (select s."uploadedAt", s."id" from source s where s."_groupId" = any (array(select id from others_3)) limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."uploadedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."uploadedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) or (select count(*) > 2500 from others_2) or (select count(*) > 2500 from others_3) as overflows, (
    select s.id from hits s where true
    order by s."uploadedAt" desc, s.id desc limit 1 offset 24) as bound;
