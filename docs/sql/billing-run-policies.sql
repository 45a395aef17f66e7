-- The list as it is opened

with source as not materialized (
    select r.id, r.run_id as "runId", r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", r.state,
      r.reason_kind as "reasonKind", coalesce(r.reason, r.send_failure) as reason, r.mend_invoice_id as "mendInvoiceId",
      m.number as "mendInvoiceNumber", r.members, r.base_cents as "baseCents", r.adjustment_cents as "adjustmentCents",
      r.vat_cents as "vatCents", r.total_cents as "totalCents", r.last_cents as "lastCents",
      r.base_cents + r.adjustment_cents - r.last_cents as "changeCents",
      case when r.last_cents <> 0 then round((r.base_cents + r.adjustment_cents - r.last_cents) * 100.0 / r.last_cents)::int end as percent,
      r.joiners_cents as "joinersCents", r.leavers_cents as "leaversCents", r.premium_cents as "premiumCents",
      r.other_cents as "otherCents", r.marks, r.invoice_id as "invoiceId", i.number as "invoiceNumber",
      cardinality(r.credit_note_ids) as "creditNotes",
      case when r.credit_note_ids = '{}' then 0 else (select count(*) from (
  select n.id from unnest(r.credit_note_ids) n (id)
  where r.credit_notes_mailed_at is null
    and not exists (select from mails m where m.about_id = n.id and m.about_kind = 'credit_note')
    and not exists (select from mail_documents d where d.document_id = n.id)) note)::int end as unmailed,
      r.run_id as "_runId", lower(g.name) as "_group", lower(p.number) as "_policy", p.number as "_policyNumber"
    from billing_run_policies r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join invoices i on i.id = r.invoice_id
    left join invoices m on m.id = r.mend_invoice_id
),
found as materialized (
  select s.id from source s where s."_group" is not null
  order by s."_group" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'baseCents', coalesce(sum(s."baseCents"), 0), 'adjustmentCents', coalesce(sum(s."adjustmentCents"), 0), 'vatCents', coalesce(sum(s."vatCents"), 0), 'totalCents', coalesce(sum(s."totalCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select r.id, r.run_id as "runId", r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", r.state,
      r.reason_kind as "reasonKind", coalesce(r.reason, r.send_failure) as reason, r.mend_invoice_id as "mendInvoiceId",
      m.number as "mendInvoiceNumber", r.members, r.base_cents as "baseCents", r.adjustment_cents as "adjustmentCents",
      r.vat_cents as "vatCents", r.total_cents as "totalCents", r.last_cents as "lastCents",
      r.base_cents + r.adjustment_cents - r.last_cents as "changeCents",
      case when r.last_cents <> 0 then round((r.base_cents + r.adjustment_cents - r.last_cents) * 100.0 / r.last_cents)::int end as percent,
      r.joiners_cents as "joinersCents", r.leavers_cents as "leaversCents", r.premium_cents as "premiumCents",
      r.other_cents as "otherCents", r.marks, r.invoice_id as "invoiceId", i.number as "invoiceNumber",
      cardinality(r.credit_note_ids) as "creditNotes",
      case when r.credit_note_ids = '{}' then 0 else (select count(*) from (
  select n.id from unnest(r.credit_note_ids) n (id)
  where r.credit_notes_mailed_at is null
    and not exists (select from mails m where m.about_id = n.id and m.about_kind = 'credit_note')
    and not exists (select from mail_documents d where d.document_id = n.id)) note)::int end as unmailed,
      r.run_id as "_runId", lower(g.name) as "_group", lower(p.number) as "_policy", p.number as "_policyNumber"
    from billing_run_policies r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join invoices i on i.id = r.invoice_id
    left join invoices m on m.id = r.mend_invoice_id
),
hits as materialized (
  (select s."_group", s."id", s."state", s."baseCents", s."adjustmentCents", s."vatCents", s."totalCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."_group", s."id", s."state", s."baseCents", s."adjustmentCents", s."vatCents", s."totalCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_group" is not null
  order by s."_group" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*), 'baseCents', coalesce(sum(s."baseCents"), 0), 'adjustmentCents', coalesce(sum(s."adjustmentCents"), 0), 'vatCents', coalesce(sum(s."vatCents"), 0), 'totalCents', coalesce(sum(s."totalCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_group" asc, s.id asc limit 1 offset 24) as bound;
