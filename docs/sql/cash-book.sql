-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(on_day || movement || coalesce(method, '')) placing '4' from 13) placing '8' from 17)::uuid as id, on_day as "on", movement,
      method, count(*)::int as entries,
      sum(greatest(cash, 0))::bigint as "inCents", sum(greatest(-cash, 0))::bigint as "outCents", sum(allocated)::bigint as "allocatedCents"
    from (
      select e.effective_on as on_day, coalesce(o.kind || '_reversed', e.kind) as movement, coalesce(r.method, p.method) as method,
        sum(l.amount_cents) filter (where l.account in ('bank', 'undeposited')) as cash,
        coalesce(sum(-l.amount_cents) filter (where l.account = 'premium_debtors' and coalesce(o.kind, e.kind) = 'allocation'), 0) as allocated
      from ledger_entries e
      join ledger_postings l on l.entry_id = e.id
      left join ledger_entries o on o.id = e.reverses_id
      left join receipts r on e.record_kind = 'receipt' and r.id = e.record_id
      left join payouts p on e.record_kind = 'payout' and p.id = e.record_id
      where e.effective_on between '2026-11-02'::date and '2026-11-02'::date
      group by e.id, o.kind, r.method, p.method
      having coalesce(sum(l.amount_cents) filter (where l.account in ('bank', 'undeposited')), 0) <> 0
        or coalesce(o.kind, e.kind) = 'allocation'
    ) moved group by on_day, movement, method
),
found as materialized (
  select s.id from source s where true
  order by s."on" asc, s."movement" asc, s."method" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."on" asc, s."movement" asc, s."method" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'entries', coalesce(sum(s."entries"), 0), 'inCents', coalesce(sum(s."inCents"), 0), 'outCents', coalesce(sum(s."outCents"), 0), 'allocatedCents', coalesce(sum(s."allocatedCents"), 0)) as figures
    from source s where true) each) as figures;
