-- The list as it is opened

with source as materialized (
    select p.id, p.id as "policyId", p.number as "policyNumber", g.name as "groupName", d."oldestDueOn",
      coalesce("invoices", 0)::bigint as "invoices", coalesce("current", 0)::bigint as "current", coalesce("days1to30", 0)::bigint as "days1to30", coalesce("days31to60", 0)::bigint as "days31to60", coalesce("days61to90", 0)::bigint as "days61to90", coalesce("over90", 0)::bigint as "over90", coalesce("totalCents", 0)::bigint as "totalCents", coalesce("creditCents", 0)::bigint as "creditCents",
      lower(p.number) as _policy, lower(g.name) as _group, coalesce(d."oldestDueOn" < '2026-11-02'::date, false) as _overdue
    from (
      select policy_id, count(*) as invoices, min(due_on) as "oldestDueOn", sum(owed)::bigint as "totalCents",
        coalesce(sum(owed) filter (where true and ('2026-11-02'::date - due_on) <= 0::int), 0)::bigint as "current", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 1::int and ('2026-11-02'::date - due_on) <= 30::int), 0)::bigint as "days1to30", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 31::int and ('2026-11-02'::date - due_on) <= 60::int), 0)::bigint as "days31to60", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 61::int and ('2026-11-02'::date - due_on) <= 90::int), 0)::bigint as "days61to90", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 91::int and true), 0)::bigint as "over90"
      from (
    with since as materialized (
      select id, sum(cents)::bigint as cents from (
  select invoice_id as id, amount_cents as cents from receipt_allocations
    where allocated_on > '2026-11-02'::date and released_at is null
  union all
  select invoice_id, -amount_cents from receipt_allocations
    where released_on > '2026-11-02'::date and allocated_on <= '2026-11-02'::date
        union all
        select invoice_id, total_cents from credit_notes  where credited_on > '2026-11-02'::date
        union all
        select invoice_id, total_cents from write_offs  where written_off_on > '2026-11-02'::date and reversed_on is null
        union all
        select invoice_id, -total_cents from write_offs  where reversed_on > '2026-11-02'::date and written_off_on <= '2026-11-02'::date
      ) moved group by id
    ), open as (
      select id, 0::bigint as cents from invoices
        where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents
      union all
      select id, cents from since
    )
    select i.policy_id, i.group_id, i.id as invoice_id, i.due_on,
      (i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents + asked.cents)::bigint as owed
    from (select id, sum(cents) as cents from open group by id) asked join invoices i using (id)
    where i.status = 'sent' and i.invoice_on <= '2026-11-02'::date
  ) debt where owed > 0 group by policy_id
    ) d full join (
      select policy_id, sum(cents)::bigint as "creditCents"
      from (
    with since as materialized (
      select id, sum(cents)::bigint as cents from (
  select receipt_id as id, amount_cents as cents from receipt_allocations
    where allocated_on > '2026-11-02'::date and released_at is null
  union all
  select receipt_id, -amount_cents from receipt_allocations
    where released_on > '2026-11-02'::date and allocated_on <= '2026-11-02'::date) moved group by id
    ), asked as (
      select id, 0::bigint as cents from receipts where reversed_at is null and allocated_cents < amount_cents
      union all
      select id, 0 from receipts where reversed_on > '2026-11-02'::date
      union all
      select id, cents from since
    )
    select r.policy_id, r.id as receipt_id, (r.amount_cents - r.allocated_cents + a.cents)::bigint as cents
    from (select id, sum(cents) as cents from asked group by id) a join receipts r using (id)
    where r.received_on <= '2026-11-02'::date and coalesce(r.reversed_on > '2026-11-02'::date, true)
    union all
    select o.policy_id, null, -sum(p.amount_cents)::bigint
    from payouts o
    join ledger_entries e on e.record_kind = 'payout' and e.record_id = o.id and e.effective_on <= '2026-11-02'::date
    join ledger_postings p on p.entry_id = e.id and p.account = 'unallocated_receipts'
    where o.subject_kind = 'refund' group by o.policy_id
  ) credit group by policy_id having sum(cents) > 0
    ) c using (policy_id)
    join policies p on p.id = policy_id join employer_groups g on g.id = p.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."totalCents" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."totalCents" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'current', coalesce(sum(s."current"), 0), 'days1to30', coalesce(sum(s."days1to30"), 0), 'days31to60', coalesce(sum(s."days31to60"), 0), 'days61to90', coalesce(sum(s."days61to90"), 0), 'over90', coalesce(sum(s."over90"), 0), 'totalCents', coalesce(sum(s."totalCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0)) as figures
    from source s where true) each) as figures;

-- A search

with source as materialized (
    select p.id, p.id as "policyId", p.number as "policyNumber", g.name as "groupName", d."oldestDueOn",
      coalesce("invoices", 0)::bigint as "invoices", coalesce("current", 0)::bigint as "current", coalesce("days1to30", 0)::bigint as "days1to30", coalesce("days31to60", 0)::bigint as "days31to60", coalesce("days61to90", 0)::bigint as "days61to90", coalesce("over90", 0)::bigint as "over90", coalesce("totalCents", 0)::bigint as "totalCents", coalesce("creditCents", 0)::bigint as "creditCents",
      lower(p.number) as _policy, lower(g.name) as _group, coalesce(d."oldestDueOn" < '2026-11-02'::date, false) as _overdue
    from (
      select policy_id, count(*) as invoices, min(due_on) as "oldestDueOn", sum(owed)::bigint as "totalCents",
        coalesce(sum(owed) filter (where true and ('2026-11-02'::date - due_on) <= 0::int), 0)::bigint as "current", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 1::int and ('2026-11-02'::date - due_on) <= 30::int), 0)::bigint as "days1to30", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 31::int and ('2026-11-02'::date - due_on) <= 60::int), 0)::bigint as "days31to60", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 61::int and ('2026-11-02'::date - due_on) <= 90::int), 0)::bigint as "days61to90", coalesce(sum(owed) filter (where ('2026-11-02'::date - due_on) >= 91::int and true), 0)::bigint as "over90"
      from (
    with since as materialized (
      select id, sum(cents)::bigint as cents from (
  select invoice_id as id, amount_cents as cents from receipt_allocations
    where allocated_on > '2026-11-02'::date and released_at is null
  union all
  select invoice_id, -amount_cents from receipt_allocations
    where released_on > '2026-11-02'::date and allocated_on <= '2026-11-02'::date
        union all
        select invoice_id, total_cents from credit_notes  where credited_on > '2026-11-02'::date
        union all
        select invoice_id, total_cents from write_offs  where written_off_on > '2026-11-02'::date and reversed_on is null
        union all
        select invoice_id, -total_cents from write_offs  where reversed_on > '2026-11-02'::date and written_off_on <= '2026-11-02'::date
      ) moved group by id
    ), open as (
      select id, 0::bigint as cents from invoices
        where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents
      union all
      select id, cents from since
    )
    select i.policy_id, i.group_id, i.id as invoice_id, i.due_on,
      (i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents + asked.cents)::bigint as owed
    from (select id, sum(cents) as cents from open group by id) asked join invoices i using (id)
    where i.status = 'sent' and i.invoice_on <= '2026-11-02'::date
  ) debt where owed > 0 group by policy_id
    ) d full join (
      select policy_id, sum(cents)::bigint as "creditCents"
      from (
    with since as materialized (
      select id, sum(cents)::bigint as cents from (
  select receipt_id as id, amount_cents as cents from receipt_allocations
    where allocated_on > '2026-11-02'::date and released_at is null
  union all
  select receipt_id, -amount_cents from receipt_allocations
    where released_on > '2026-11-02'::date and allocated_on <= '2026-11-02'::date) moved group by id
    ), asked as (
      select id, 0::bigint as cents from receipts where reversed_at is null and allocated_cents < amount_cents
      union all
      select id, 0 from receipts where reversed_on > '2026-11-02'::date
      union all
      select id, cents from since
    )
    select r.policy_id, r.id as receipt_id, (r.amount_cents - r.allocated_cents + a.cents)::bigint as cents
    from (select id, sum(cents) as cents from asked group by id) a join receipts r using (id)
    where r.received_on <= '2026-11-02'::date and coalesce(r.reversed_on > '2026-11-02'::date, true)
    union all
    select o.policy_id, null, -sum(p.amount_cents)::bigint
    from payouts o
    join ledger_entries e on e.record_kind = 'payout' and e.record_id = o.id and e.effective_on <= '2026-11-02'::date
    join ledger_postings p on p.entry_id = e.id and p.account = 'unallocated_receipts'
    where o.subject_kind = 'refund' group by o.policy_id
  ) credit group by policy_id having sum(cents) > 0
    ) c using (policy_id)
    join policies p on p.id = policy_id join employer_groups g on g.id = p.group_id
),
hits as materialized (
  (select s."totalCents", s."id", s."current", s."days1to30", s."days31to60", s."days61to90", s."over90", s."creditCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."totalCents", s."id", s."current", s."days1to30", s."days31to60", s."days61to90", s."over90", s."creditCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."totalCents" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."totalCents" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'current', coalesce(sum(s."current"), 0), 'days1to30', coalesce(sum(s."days1to30"), 0), 'days31to60', coalesce(sum(s."days31to60"), 0), 'days61to90', coalesce(sum(s."days61to90"), 0), 'over90', coalesce(sum(s."over90"), 0), 'totalCents', coalesce(sum(s."totalCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."totalCents" desc, s.id desc limit 1 offset 24) as bound;
