-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(place::text) placing '4' from 13) placing '8' from 17)::uuid as id, place, account, part, "openingCents", "debitCents", "creditCents", "closingCents", "outputVatCents"
    from (
      select (array_position('{bank,undeposited,premium_debtors,accrued_premium,unallocated_receipts,claims_payable,claims_outstanding,refunds_payable,vat_output,unearned_premium,premium_income,interest_received,claims_expense,bank_charges,opening_balances,write_offs}'::text[], account) * 1000)::int as place, account, null::text as part,
        opening as "openingCents", debit as "debitCents", credit as "creditCents", opening + debit - credit as "closingCents",
        null::bigint as "outputVatCents"
      from (
        select account, coalesce(sum(before), 0)::bigint as opening, coalesce(sum(debit), 0)::bigint as debit,
          coalesce(sum(credit), 0)::bigint as credit
        from (
          select account, debit_cents - credit_cents as before, 0 as debit, 0 as credit
          from ledger_months where month < date_trunc('month', '2026-11-02'::date)
          union all
          select account, amount_cents, 0, 0 from ledger_postings
          where effective_on >= date_trunc('month', '2026-11-02'::date) and effective_on < '2026-11-02'::date
          union all
          select account, 0, greatest(amount_cents, 0), greatest(-amount_cents, 0) from ledger_postings
          where effective_on between '2026-11-02'::date and '2026-11-02'::date
        ) moved group by account
      ) balances
      union all
      select (array_position('{bank,undeposited,premium_debtors,accrued_premium,unallocated_receipts,claims_payable,claims_outstanding,refunds_payable,vat_output,unearned_premium,premium_income,interest_received,claims_expense,bank_charges,opening_balances,write_offs}'::text[], 'vat_output') * 1000
          + row_number() over (order by vat_class, vat_percent))::int,
        'vat_output', trim(('{"standard":"Standard-rated","zero":"Zero-rated","exempt":"Exempt"}'::jsonb ->> vat_class) || ' ' || case when vat_percent > 0 then replace(trim_scale(vat_percent)::text, '.', ',') || '%' else '' end),
        null, null, null, null, sum(vat)::bigint
      from (
  with entries as materialized (
  select e.kind, e.effective_on, split_part(e.source, ':', 2)::uuid as document_id from ledger_entries e
  where e.effective_on between '2026-11-02'::date and '2026-11-02'::date
    and (e.kind in ('invoice_sent', 'credit_note', 'write_off') or e.kind = 'reversal' and e.source like 'write-off:%')), given_up as (
    select e.kind, e.effective_on, w.id, w.invoice_id, w.net_cents, w.vat_cents,
      case e.kind when 'reversal' then w.reversed_on else w.written_off_on end as document_on,
      l.vat_class, l.vat_percent, sum(l.net) over shares as net_to, sum(l.net) over whole as net_all,
      sum(l.vat) over shares as vat_to, sum(l.vat) over whole as vat_all, l.net as net_of, l.vat as vat_of
    from entries e join write_offs w on w.id = e.document_id
    cross join lateral (
      select vat_class, vat_percent, net_cents as net, round(net_cents * vat_percent / 100) as vat
      from invoice_vat where invoice_id = w.invoice_id
    ) l
    where e.kind in ('write_off', 'reversal')
    window whole as (partition by w.id, e.kind), shares as (partition by w.id, e.kind order by l.vat_percent desc, l.vat_class)
  ), rows as (
    select 'invoice' as kind, i.id as document_id, i.id as invoice_id, null::uuid as credit_note_id, e.effective_on as counts_on,
      i.invoice_on as document_on, i.number, i.policy_id, i.group_id, l.vat_class, l.vat_percent, l.net_cents as net,
      round(l.net_cents * l.vat_percent / 100) as vat
    from entries e join invoices i on i.id = e.document_id join invoice_vat l on l.invoice_id = i.id
    where e.kind = 'invoice_sent'
    union all
    select 'credit_note', c.id, c.invoice_id, c.id, e.effective_on, c.credited_on, c.number, c.policy_id, c.group_id,
      l.vat_class, l.vat_percent, -l.net, -l.vat
    from entries e join credit_notes c on c.id = e.document_id
    cross join lateral (select vat_class, vat_percent, sum(net_cents) as net, sum(vat_cents) as vat
      from credit_note_lines where credit_note_id = c.id group by 1, 2) l
    where e.kind = 'credit_note'
    union all
    select case w.kind when 'reversal' then 'relief_back' else 'relief' end, w.id, w.invoice_id, null, w.effective_on, w.document_on,
      i.number, i.policy_id, i.group_id, w.vat_class, w.vat_percent,
      case w.kind when 'reversal' then 1 else -1 end
        * coalesce(trunc(w.net_cents * w.net_to / nullif(w.net_all, 0)) - trunc(w.net_cents * (w.net_to - w.net_of) / nullif(w.net_all, 0)), 0),
      case w.kind when 'reversal' then 1 else -1 end
        * coalesce(trunc(w.vat_cents * w.vat_to / nullif(w.vat_all, 0)) - trunc(w.vat_cents * (w.vat_to - w.vat_of) / nullif(w.vat_all, 0)), 0)
    from given_up w join invoices i on i.id = w.invoice_id
  )
  select * from rows) v group by vat_class, vat_percent
    ) lines
),
found as materialized (
  select s.id from source s where true
  order by s."place" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."place" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'openingCents', coalesce(sum(s."openingCents"), 0), 'debitCents', coalesce(sum(s."debitCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0), 'closingCents', coalesce(sum(s."closingCents"), 0), 'outputVatCents', coalesce(sum(s."outputVatCents"), 0)) as figures
    from source s where true) each) as figures;
