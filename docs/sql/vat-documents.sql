-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(v.kind || v.document_id || v.vat_class || v.vat_percent || v.counts_on) placing '4' from 13) placing '8' from 17)::uuid as id, v.kind,
      v.vat_class as "vatClass", case when vat_percent > 0 then replace(trim_scale(vat_percent)::text, '.', ',') || '%' else '' end as rate, v.net::bigint as "netCents", v.vat::bigint as "vatCents", v.number,
      jsonb_build_object('kind', case when v.credit_note_id is null then 'invoice' else 'credit_note' end,
        'id', coalesce(v.credit_note_id, v.invoice_id)) as record,
      g.name as "groupName", p.number as "policyNumber", v.document_on as "documentOn", v.counts_on as "countsOn",
      lower(v.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (
  with entries as materialized (
  select e.kind, e.effective_on, split_part(e.source, ':', 2)::uuid as document_id from ledger_entries e
  where e.effective_on between '2026-10-01'::date and '2026-10-31'::date
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
  select * from rows) v
    left join policies p on p.id = v.policy_id
    left join employer_groups g on g.id = v.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."countsOn" asc, s."_number" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."countsOn" asc, s."_number" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'netCents', coalesce(sum(s."netCents"), 0), 'vatCents', coalesce(sum(s."vatCents"), 0)) as figures
    from source s where true) each) as figures;

-- A search

with source as materialized (
    select overlay(overlay(md5(v.kind || v.document_id || v.vat_class || v.vat_percent || v.counts_on) placing '4' from 13) placing '8' from 17)::uuid as id, v.kind,
      v.vat_class as "vatClass", case when vat_percent > 0 then replace(trim_scale(vat_percent)::text, '.', ',') || '%' else '' end as rate, v.net::bigint as "netCents", v.vat::bigint as "vatCents", v.number,
      jsonb_build_object('kind', case when v.credit_note_id is null then 'invoice' else 'credit_note' end,
        'id', coalesce(v.credit_note_id, v.invoice_id)) as record,
      g.name as "groupName", p.number as "policyNumber", v.document_on as "documentOn", v.counts_on as "countsOn",
      lower(v.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (
  with entries as materialized (
  select e.kind, e.effective_on, split_part(e.source, ':', 2)::uuid as document_id from ledger_entries e
  where e.effective_on between '2026-10-01'::date and '2026-10-31'::date
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
  select * from rows) v
    left join policies p on p.id = v.policy_id
    left join employer_groups g on g.id = v.group_id
),
hits as materialized (
  (select s."countsOn", s."_number", s."id", s."netCents", s."vatCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."countsOn", s."_number", s."id", s."netCents", s."vatCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."countsOn", s."_number", s."id", s."netCents", s."vatCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."countsOn" asc, s."_number" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."countsOn" asc, s."_number" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'netCents', coalesce(sum(s."netCents"), 0), 'vatCents', coalesce(sum(s."vatCents"), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."countsOn" asc, s."_number" asc, s.id asc limit 1 offset 24) as bound;
