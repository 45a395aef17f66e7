-- The list as it is opened

with source as not materialized (
    select
  i.id, i.file_name as "fileName", i.status, i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId",
  p.number as "policyNumber", i.created_at as "createdAt", i.created_by as "createdBy",
  coalesce(u.name, 'A former user') as "createdByName", i.row_count as "rowCount", i.error_count as "errorCount",
  i.added_count as "addedCount", i.changed_count as "changedCount", i.ended_count as "endedCount", i.version, i.group_id as "_groupId", i.policy_id as "_policyId",
      lower(i.file_name) as "_fileName", lower(g.name) as "_group", lower(p.number) as "_policy"
    from staff_lists i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    left join users u on u.id = i.created_by
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'imports', coalesce(count(*) filter (where s.status = 'completed'), 0), 'added', coalesce(sum(s."addedCount") filter (where s.status = 'completed'), 0), 'changed', coalesce(sum(s."changedCount") filter (where s.status = 'completed'), 0), 'refused', coalesce(sum(s."errorCount") filter (where s.status = 'completed'), 0)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select
  i.id, i.file_name as "fileName", i.status, i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId",
  p.number as "policyNumber", i.created_at as "createdAt", i.created_by as "createdBy",
  coalesce(u.name, 'A former user') as "createdByName", i.row_count as "rowCount", i.error_count as "errorCount",
  i.added_count as "addedCount", i.changed_count as "changedCount", i.ended_count as "endedCount", i.version, i.group_id as "_groupId", i.policy_id as "_policyId",
      lower(i.file_name) as "_fileName", lower(g.name) as "_group", lower(p.number) as "_policy"
    from staff_lists i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    left join users u on u.id = i.created_by
),
hits as materialized (
  (select s."createdAt", s."id", s."status", s."addedCount", s."changedCount", s."errorCount" from source s where s."_fileName" like '%nkosi%' limit 10001) union
  (select s."createdAt", s."id", s."status", s."addedCount", s."changedCount", s."errorCount" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."createdAt", s."id", s."status", s."addedCount", s."changedCount", s."errorCount" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'imports', coalesce(count(*) filter (where s.status = 'completed'), 0), 'added', coalesce(sum(s."addedCount") filter (where s.status = 'completed'), 0), 'changed', coalesce(sum(s."changedCount") filter (where s.status = 'completed'), 0), 'refused', coalesce(sum(s."errorCount") filter (where s.status = 'completed'), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s.id desc limit 1 offset 24) as bound;
