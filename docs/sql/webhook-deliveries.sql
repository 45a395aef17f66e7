-- The list as it is opened

with source as not materialized (
    select
  d.id, d.event, d.label, d.state, d.attempts, exists (select from webhook_attempts t where t.delivery_id = d.id and t.ms is null and t.until > statement_timestamp()) as "isUnderWay", d.answer, d.created_at as "createdAt",
  d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt", d.webhook_id as "_webhookId"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.removed_at is null
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
