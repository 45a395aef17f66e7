-- The list as it is opened

with source as not materialized (
    select
  s.id, s.number, s.account_id as "accountId", a.name as "accountName", s.format, s.file_name as "fileName",
  s.from_on as "fromOn", s.to_on as "toOn", s.opening_cents as "openingCents", s.closing_cents as "closingCents",
  s.new_count as "newCount", s.imported_at as "importedAt", s.undone_at as "undoneAt", s.account_id as "_accountId", lower(s.number) as _number, lower(s.file_name) as "_fileName", lower(a.name) as _account
    from bank_statements s
    left join bank_accounts a on a.id = s.account_id
),
found as materialized (
  select s.id from source s where true
  order by s."importedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (
  select jsonb_build_object(
    'beforeCents', a.opening_cents + coalesce(sum(b.amount_cents) filter (where b.day < s."fromOn"), 0),
    'sameDayCents', coalesce((select jsonb_agg(running.cents) from (
      select sum(d.amount_cents) over (order by e.imported_at, e.id, d.line) as cents
      from bank_lines d join bank_statements e on e.id = d.statement_id
      where d.account_id = a.id and d.day = s."fromOn" and d.statement_id is distinct from s.id) running), '[]'),
    'lastOn', greatest(max(b.day) filter (where b.day < s."fromOn"), (select max(least(e.to_on, s."fromOn" - 1)) from bank_statements e
      where e.account_id = a.id and e.undone_at is null and e.from_on < s."fromOn" and e.id is distinct from s.id)))
  from bank_accounts a left join bank_lines b on b.account_id = a.id and b.day <= s."fromOn"
  where a.id = s."accountId" and a.opened_on is not null group by a.id) as "_before" from found join source s on s.id = found.id order by s."importedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select
  s.id, s.number, s.account_id as "accountId", a.name as "accountName", s.format, s.file_name as "fileName",
  s.from_on as "fromOn", s.to_on as "toOn", s.opening_cents as "openingCents", s.closing_cents as "closingCents",
  s.new_count as "newCount", s.imported_at as "importedAt", s.undone_at as "undoneAt", s.account_id as "_accountId", lower(s.number) as _number, lower(s.file_name) as "_fileName", lower(a.name) as _account
    from bank_statements s
    left join bank_accounts a on a.id = s.account_id
),
hits as materialized (
  (select s."importedAt", s."id" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."importedAt", s."id" from source s where s."_fileName" like '%nkosi%' limit 10001) union
  (select s."importedAt", s."id" from source s where s._account like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."importedAt" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (
  select jsonb_build_object(
    'beforeCents', a.opening_cents + coalesce(sum(b.amount_cents) filter (where b.day < s."fromOn"), 0),
    'sameDayCents', coalesce((select jsonb_agg(running.cents) from (
      select sum(d.amount_cents) over (order by e.imported_at, e.id, d.line) as cents
      from bank_lines d join bank_statements e on e.id = d.statement_id
      where d.account_id = a.id and d.day = s."fromOn" and d.statement_id is distinct from s.id) running), '[]'),
    'lastOn', greatest(max(b.day) filter (where b.day < s."fromOn"), (select max(least(e.to_on, s."fromOn" - 1)) from bank_statements e
      where e.account_id = a.id and e.undone_at is null and e.from_on < s."fromOn" and e.id is distinct from s.id)))
  from bank_accounts a left join bank_lines b on b.account_id = a.id and b.day <= s."fromOn"
  where a.id = s."accountId" and a.opened_on is not null group by a.id) as "_before" from found join source s on s.id = found.id order by s."importedAt" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."importedAt" desc, s.id desc limit 1 offset 24) as bound;
