-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(d.policy_id::text || d.month) placing '4' from 13) placing '8' from 17)::uuid as id, d.*, d."totalCents" - d."creditedCents" as "remainingCents",
      g.name as "groupName", p.number as "policyNumber", jsonb_build_object('kind', 'policy', 'id', p.id) as opens, p.group_id as "_groupId",
      lower(g.name) as _group
    from (
      select policy_id, month, count(*) filter (where is_invoice)::int as invoices, sum(billed)::bigint as "billedCents",
        sum(earlier)::bigint as "earlierCents", sum(discount)::bigint as "discountCents", sum(vat)::bigint as "vatCents",
        sum(total)::bigint as "totalCents", sum(credited)::bigint as "creditedCents"
      from (
        select i.policy_id, date_trunc('month', i.invoice_on)::date as month, true as is_invoice, i.subtotal_cents as billed,
          i.earlier_cents as earlier, i.discount_cents as discount, i.vat_cents as vat, i.total_cents as total, 0 as credited
        from invoices i where i.status = 'sent' and i.invoice_on between '2026-11-02'::date and '2026-11-02'::date
        union all
        select n.policy_id, date_trunc('month', n.credited_on)::date, false, 0, 0, 0, 0, 0, n.total_cents
        from credit_notes n where n.credited_on between '2026-11-02'::date and '2026-11-02'::date
      ) documents group by policy_id, month
    ) d
    join policies p on p.id = d.policy_id join employer_groups g on g.id = p.group_id
),
found as materialized (
  select s.id from source s where s."_group" is not null
  order by s."_group" asc, s."policyNumber" asc, s."month" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_group" asc, s."policyNumber" asc, s."month" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'invoices', coalesce(sum(s."invoices"), 0), 'billedCents', coalesce(sum(s."billedCents"), 0), 'earlierCents', coalesce(sum(s."earlierCents"), 0), 'discountCents', coalesce(sum(s."discountCents"), 0), 'vatCents', coalesce(sum(s."vatCents"), 0), 'totalCents', coalesce(sum(s."totalCents"), 0), 'creditedCents', coalesce(sum(s."creditedCents"), 0), 'remainingCents', coalesce(sum(s."remainingCents"), 0)) as figures
    from source s where true) each) as figures;
