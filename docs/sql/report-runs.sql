-- The list as it is opened

with source as not materialized (
    select id, report, name, words, format, state, message, rows, size, sha256, file_deleted_at as "fileDeletedAt", asked_at as "askedAt"
    from report_runs r where (r.owner_id = '00000000-0000-4000-8000-000000000001' or lower(r.recipients::text)::text[] @> array['max.manager.1@example.test'::text])
),
found as materialized (
  select s.id from source s where true
  order by s."askedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."askedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;
