-- The list as it is opened

with source as materialized (
  select overlay(overlay(md5(m.group_id::text || m.month::text) placing '4' from 13) placing '8' from 17)::uuid as id, m.group_id as "groupId", g.name as "groupName", m.month,
    m."expectedCents", m."receivedCents", m."notDueCents", (m."receivedCents" - m."expectedCents") as "differenceCents",
    case when (m."receivedCents" - m."expectedCents") = 0 then 'Matched' when (m."receivedCents" - m."expectedCents") > 0 then 'Excess'
      when ((m."receivedCents" - m."expectedCents") < 0 and -(m."receivedCents" - m."expectedCents") <= m."notDueCents") then 'Not due' when m."receivedCents" = 0 then 'Missing' else 'Shortage' end as status,
    case when r.kind is null then '' else (case r.kind when 'write_off' then 'Write off' when 'carry_forward' then 'Carry forward' when 'keep_as_credit' then 'Keep as credit' when 'refund' then 'Refund' end) || ': ' || r.note
      || case when (m."receivedCents" - m."expectedCents") not in (0, r.difference_cents) then ' (the difference has changed since)' else '' end
      end as notes,
    case when r.difference_cents = (m."receivedCents" - m."expectedCents") then r.resolved_at end as _resolved,
    m.group_id as "_groupId", lower(g.name) as "_group",
    (m."receivedCents" - m."expectedCents") <> 0 and not ((m."receivedCents" - m."expectedCents") < 0 and -(m."receivedCents" - m."expectedCents") <= m."notDueCents") and r.difference_cents is distinct from (m."receivedCents" - m."expectedCents") as _unresolved
  from (
    select group_id, month, sum(expected)::bigint as "expectedCents", sum(received)::bigint as "receivedCents",
      sum(not_due)::bigint as "notDueCents"
    from (
      select i.group_id, date_trunc('month', i.period_start_on)::date as month, i.total_cents - i.credited_cents as expected,
        i.allocated_cents as received, case when i.due_on >= '2026-11-02'::date then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as not_due
      from invoices i
      where i.status = 'sent' and i.period_start_on is not null
      union all
      select r.group_id, date_trunc('month', r.received_on)::date, 0, r.amount_cents - r.allocated_cents - r.refunded_cents, 0
      from receipts r
      where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents
    ) moved group by group_id, month
    having sum(expected) <> 0 or sum(received) <> 0) m
  left join employer_groups g on g.id = m.group_id
  left join (
    select distinct on (group_id, month) group_id, month, kind, note, resolved_at, difference_cents from month_resolutions
    order by group_id, month, resolved_at desc
  ) r on r.group_id = m.group_id and r.month = m.month
),
found as materialized (
  select s.id from source s where true
  order by s."month" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  case when s.status <> 'Matched' then (s._resolved at time zone 'Africa/Johannesburg')::date else (
    select max(a.allocated_on) from invoices i join receipt_allocations a on a.invoice_id = i.id
    where i.group_id = s."groupId" and i.status = 'sent' and i.period_start_on >= s.month
      and i.period_start_on < (s.month + interval '1 month')) end as "reconciledOn" from found join source s on s.id = found.id order by s."month" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'expectedCents', coalesce(sum(s."expectedCents"), 0), 'receivedCents', coalesce(sum(s."receivedCents"), 0), 'differenceCents', coalesce(sum(s."differenceCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as materialized (
  select overlay(overlay(md5(m.group_id::text || m.month::text) placing '4' from 13) placing '8' from 17)::uuid as id, m.group_id as "groupId", g.name as "groupName", m.month,
    m."expectedCents", m."receivedCents", m."notDueCents", (m."receivedCents" - m."expectedCents") as "differenceCents",
    case when (m."receivedCents" - m."expectedCents") = 0 then 'Matched' when (m."receivedCents" - m."expectedCents") > 0 then 'Excess'
      when ((m."receivedCents" - m."expectedCents") < 0 and -(m."receivedCents" - m."expectedCents") <= m."notDueCents") then 'Not due' when m."receivedCents" = 0 then 'Missing' else 'Shortage' end as status,
    case when r.kind is null then '' else (case r.kind when 'write_off' then 'Write off' when 'carry_forward' then 'Carry forward' when 'keep_as_credit' then 'Keep as credit' when 'refund' then 'Refund' end) || ': ' || r.note
      || case when (m."receivedCents" - m."expectedCents") not in (0, r.difference_cents) then ' (the difference has changed since)' else '' end
      end as notes,
    case when r.difference_cents = (m."receivedCents" - m."expectedCents") then r.resolved_at end as _resolved,
    m.group_id as "_groupId", lower(g.name) as "_group",
    (m."receivedCents" - m."expectedCents") <> 0 and not ((m."receivedCents" - m."expectedCents") < 0 and -(m."receivedCents" - m."expectedCents") <= m."notDueCents") and r.difference_cents is distinct from (m."receivedCents" - m."expectedCents") as _unresolved
  from (
    select group_id, month, sum(expected)::bigint as "expectedCents", sum(received)::bigint as "receivedCents",
      sum(not_due)::bigint as "notDueCents"
    from (
      select i.group_id, date_trunc('month', i.period_start_on)::date as month, i.total_cents - i.credited_cents as expected,
        i.allocated_cents as received, case when i.due_on >= '2026-11-02'::date then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as not_due
      from invoices i
      where i.status = 'sent' and i.period_start_on is not null
      union all
      select r.group_id, date_trunc('month', r.received_on)::date, 0, r.amount_cents - r.allocated_cents - r.refunded_cents, 0
      from receipts r
      where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents
    ) moved group by group_id, month
    having sum(expected) <> 0 or sum(received) <> 0) m
  left join employer_groups g on g.id = m.group_id
  left join (
    select distinct on (group_id, month) group_id, month, kind, note, resolved_at, difference_cents from month_resolutions
    order by group_id, month, resolved_at desc
  ) r on r.group_id = m.group_id and r.month = m.month
),
hits as materialized (
  (select s."month", s."id", s."status", s."expectedCents", s."receivedCents", s."differenceCents" from source s where s._group like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."month" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*,
  case when s.status <> 'Matched' then (s._resolved at time zone 'Africa/Johannesburg')::date else (
    select max(a.allocated_on) from invoices i join receipt_allocations a on a.invoice_id = i.id
    where i.group_id = s."groupId" and i.status = 'sent' and i.period_start_on >= s.month
      and i.period_start_on < (s.month + interval '1 month')) end as "reconciledOn" from found join source s on s.id = found.id order by s."month" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'expectedCents', coalesce(sum(s."expectedCents"), 0), 'receivedCents', coalesce(sum(s."receivedCents"), 0), 'differenceCents', coalesce(sum(s."differenceCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."month" desc, s.id desc limit 1 offset 24) as bound;
