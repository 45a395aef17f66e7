-- The list as it is opened

with source as not materialized (
    select
  c.id, c.number, c.kind, c.group_id as "groupId", g.name as "groupName", c.policy_id as "policyId", p.number as "policyNumber",
  c.invoice_id as "invoiceId", i.number as "invoiceNumber", c.credited_on as "creditedOn", c.vat_cents as "vatCents",
  c.total_cents as "totalCents", c.reason, c.created_at as "createdAt", (select m.state from mails m where m.id in (select id from mails where about_id = c.id and about_kind = 'credit_note' union all select mail_id from mail_documents where document_id = c.id)
        order by m.created_at desc, m.id desc limit 1) as mail, c.group_id as "_groupId", c.policy_id as "_policyId", lower(c.number) as "_number",
      lower(i.number) as "_invoice", lower(g.name) as "_group", p.number as "_policyNumber", lower(p.number) as "_policy"
    from credit_notes c
  left join invoices i on i.id = c.invoice_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'totalCents', coalesce(sum(s."totalCents"), 0)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select
  c.id, c.number, c.kind, c.group_id as "groupId", g.name as "groupName", c.policy_id as "policyId", p.number as "policyNumber",
  c.invoice_id as "invoiceId", i.number as "invoiceNumber", c.credited_on as "creditedOn", c.vat_cents as "vatCents",
  c.total_cents as "totalCents", c.reason, c.created_at as "createdAt", (select m.state from mails m where m.id in (select id from mails where about_id = c.id and about_kind = 'credit_note' union all select mail_id from mail_documents where document_id = c.id)
        order by m.created_at desc, m.id desc limit 1) as mail, c.group_id as "_groupId", c.policy_id as "_policyId", lower(c.number) as "_number",
      lower(i.number) as "_invoice", lower(g.name) as "_group", p.number as "_policyNumber", lower(p.number) as "_policy"
    from credit_notes c
  left join invoices i on i.id = c.invoice_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id
),
hits as materialized (
  (select s."createdAt", s."number", s."id", s."totalCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."totalCents" from source s where s._invoice like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."totalCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."totalCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'totalCents', coalesce(sum(s."totalCents"), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
