-- The list as it is opened

with source as not materialized (
    select
  b.id, b.number, b.bank_account_id as "bankAccountId", a.name as "accountName", b.execution_on as "executionOn", b.format,
  b.status, b.payment_count as "paymentCount", b.amount_cents as "amountCents", b.created_at as "createdAt", b.version, lower(b.number) as _number, lower(a.name) as _account
    from payout_batches b
    left join (select id, name, bank, account_number, branch_code, is_main from bank_accounts) a on a.id = b.bank_account_id
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select
  b.id, b.number, b.bank_account_id as "bankAccountId", a.name as "accountName", b.execution_on as "executionOn", b.format,
  b.status, b.payment_count as "paymentCount", b.amount_cents as "amountCents", b.created_at as "createdAt", b.version, lower(b.number) as _number, lower(a.name) as _account
    from payout_batches b
    left join (select id, name, bank, account_number, branch_code, is_main from bank_accounts) a on a.id = b.bank_account_id
),
hits as materialized (
  (select s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."status", s."amountCents" from source s where s._account like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
