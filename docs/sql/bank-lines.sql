-- The list as it is opened

with source as not materialized (
    select
  l.id, l.account_id as "accountId", a.name as "accountName", l.statement_id as "statementId",
  s.number as "statementNumber", l.day, l.text, l.reference, l.amount_cents as "amountCents",
  l.balance_cents as "balanceCents", a.is_main as "isMain", coalesce(p.kind, 'open') as state,
  coalesce(p.note, '') as note, coalesce(p.is_automatic, false) as "isAutomatic", (
    select coalesce(jsonb_agg(jsonb_build_object('kind', case when m.receipt_id is null then 'payout' else 'receipt' end,
      'id', coalesce(m.receipt_id, m.payout_id), 'number', coalesce(r.number, o.number), 'name', coalesce(g.name, o.payee_name),
      'amountCents', m.amount_cents) order by abs(m.amount_cents) desc, m.id), '[]')
    from (select * from bank_matches where placement_id = p.id order by abs(amount_cents) desc, id limit 10) m
    left join receipts r on r.id = m.receipt_id
    left join payouts o on o.id = m.payout_id
    left join employer_groups g on g.id = r.group_id) as matches,
  (select count(*)::int from bank_matches where placement_id = p.id) as "matchCount", l.line as _line, l.account_id as "_accountId", l.statement_id as "_statementId",
      lower(l.text) as _text, lower(l.reference) as _reference
  from bank_lines l
  left join bank_accounts a on a.id = l.account_id
  left join bank_statements s on s.id = l.statement_id
  left join bank_placements p on p.line_id = l.id and p.undone_at is null
),
found as materialized (
  select s.id from source s where s."state" = any ('{open}'::text[])
  order by s."day" desc, s."_line" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."day" desc, s."_line" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select
  l.id, l.account_id as "accountId", a.name as "accountName", l.statement_id as "statementId",
  s.number as "statementNumber", l.day, l.text, l.reference, l.amount_cents as "amountCents",
  l.balance_cents as "balanceCents", a.is_main as "isMain", coalesce(p.kind, 'open') as state,
  coalesce(p.note, '') as note, coalesce(p.is_automatic, false) as "isAutomatic", (
    select coalesce(jsonb_agg(jsonb_build_object('kind', case when m.receipt_id is null then 'payout' else 'receipt' end,
      'id', coalesce(m.receipt_id, m.payout_id), 'number', coalesce(r.number, o.number), 'name', coalesce(g.name, o.payee_name),
      'amountCents', m.amount_cents) order by abs(m.amount_cents) desc, m.id), '[]')
    from (select * from bank_matches where placement_id = p.id order by abs(amount_cents) desc, id limit 10) m
    left join receipts r on r.id = m.receipt_id
    left join payouts o on o.id = m.payout_id
    left join employer_groups g on g.id = r.group_id) as matches,
  (select count(*)::int from bank_matches where placement_id = p.id) as "matchCount", l.line as _line, l.account_id as "_accountId", l.statement_id as "_statementId",
      lower(l.text) as _text, lower(l.reference) as _reference
  from bank_lines l
  left join bank_accounts a on a.id = l.account_id
  left join bank_statements s on s.id = l.statement_id
  left join bank_placements p on p.line_id = l.id and p.undone_at is null
),
hits as materialized (
  (select s."day", s."_line", s."id", s."state", s."amountCents" from source s where s._text like '%nkosi%' limit 10001) union
  (select s."day", s."_line", s."id", s."state", s."amountCents" from source s where s._reference like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."state" = any ('{open}'::text[])
  order by s."day" desc, s."_line" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."day" desc, s."_line" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s."amountCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where s."state" = any ('{open}'::text[])
    order by s."day" desc, s."_line" desc, s.id desc limit 1 offset 24) as bound;
