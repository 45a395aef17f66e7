-- The list as it is opened

with source as not materialized (
    select
  r.id, r.file_name as "fileName", r.group_id as "groupId", g.name as "groupName", r.invoice_id as "invoiceId",
  i.number as "invoiceNumber", r.created_at as "createdAt", coalesce(u.name, 'A former user') as "createdByName",
  r.paid_cents as "paidCents", r.billed_cents as "billedCents", r.paid_cents - r.billed_cents as "differenceCents",
  r.differing_count as "differingCount", r.group_id as "_groupId", i.period_start_on as "_month", lower(r.file_name) as _file,
      lower(g.name) as _group, lower(i.number) as _invoice
  from remittances r
  left join invoices i on i.id = r.invoice_id
  left join employer_groups g on g.id = r.group_id
  left join users u on u.id = r.created_by
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select
  r.id, r.file_name as "fileName", r.group_id as "groupId", g.name as "groupName", r.invoice_id as "invoiceId",
  i.number as "invoiceNumber", r.created_at as "createdAt", coalesce(u.name, 'A former user') as "createdByName",
  r.paid_cents as "paidCents", r.billed_cents as "billedCents", r.paid_cents - r.billed_cents as "differenceCents",
  r.differing_count as "differingCount", r.group_id as "_groupId", i.period_start_on as "_month", lower(r.file_name) as _file,
      lower(g.name) as _group, lower(i.number) as _invoice
  from remittances r
  left join invoices i on i.id = r.invoice_id
  left join employer_groups g on g.id = r.group_id
  left join users u on u.id = r.created_by
),
hits as materialized (
  (select s."createdAt", s."id" from source s where s._file like '%nkosi%' limit 10001) union
  (select s."createdAt", s."id" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."createdAt", s."id" from source s where s._invoice like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s.id desc limit 1 offset 24) as bound;
