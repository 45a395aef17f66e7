-- The list as it is opened

with source as materialized (
    select f.policy_id as id, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      p.contact_name as "contactName", p.contact_email as "contactEmail", case when p.contact_phone <> '' then p.contact_phone else p.contact_cell end as phone,
      f."expectedCents", f."collectedCents", f."outstandingCents", f."writtenOffCents", f."creditCents",
      f."overdueCents", f."overdueSince", greatest(f."openCents" - f."allCreditCents", 0) as "owedCents",
      f.current, f."days1to30", f."days31to60", f."days61to90", f."over90",
      case when f."expectedCents" > 0 then floor(100.0 * f."collectedCents" / f."expectedCents" + 0.5)::int end as rate,
      case when f."overdueCents" <= 0 then 'Current'
        when f."paidOfOverdueCents" > 0 and '2026-11-02'::date - f."overdueSince" < 30::int then 'Partial'
        else 'Overdue' end as status,
      case when f."openCents" > 0 then c.standing end as standing, c.promised_cents as "promisedCents",
      c.promised_on as "promisedOn",
      p.group_id as "_groupId", f.policy_id as "_policyId", lower(g.name) as "_group", lower(p.number) as "_policy"
    from (
    select policy_id, sum("expectedCents")::bigint as "expectedCents", sum("collectedCents")::bigint as "collectedCents", sum("outstandingCents")::bigint as "outstandingCents", sum("writtenOffCents")::bigint as "writtenOffCents", sum("creditCents")::bigint as "creditCents", sum("openCents")::bigint as "openCents", sum("overdueCents")::bigint as "overdueCents", sum("paidOfOverdueCents")::bigint as "paidOfOverdueCents", sum("allCreditCents")::bigint as "allCreditCents", sum("current")::bigint as "current", sum("days1to30")::bigint as "days1to30", sum("days31to60")::bigint as "days31to60", sum("days61to90")::bigint as "days61to90", sum("over90")::bigint as "over90", min(since) as "overdueSince"
    from (select policy_id, i.total_cents - i.credited_cents - i.written_off_cents as "expectedCents", i.allocated_cents as "collectedCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "outstandingCents", i.written_off_cents as "writtenOffCents", 0 as "creditCents", 0 as "openCents", 0 as "overdueCents", 0 as "paidOfOverdueCents", 0 as "allCreditCents", 0 as "current", 0 as "days1to30", 0 as "days31to60", 0 as "days61to90", 0 as "over90", true as in_period,
    null::date as since from invoices i where i.status = 'sent' and (i.period_start_on >= '2026-11-01'::date and i.period_start_on < ('2026-11-01'::date + interval '1 month')) union all select policy_id, 0 as "expectedCents", 0 as "collectedCents", 0 as "outstandingCents", 0 as "writtenOffCents", 0 as "creditCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "openCents", case when i.due_on < '2026-11-02'::date then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "overdueCents", case when i.due_on < '2026-11-02'::date then i.allocated_cents else 0 end as "paidOfOverdueCents", 0 as "allCreditCents", case when true and ('2026-11-02'::date - i.due_on) <= 0::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "current", case when ('2026-11-02'::date - i.due_on) >= 1::int and ('2026-11-02'::date - i.due_on) <= 30::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days1to30", case when ('2026-11-02'::date - i.due_on) >= 31::int and ('2026-11-02'::date - i.due_on) <= 60::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days31to60", case when ('2026-11-02'::date - i.due_on) >= 61::int and ('2026-11-02'::date - i.due_on) <= 90::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days61to90", case when ('2026-11-02'::date - i.due_on) >= 91::int and true then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "over90", false as in_period,
    case when i.due_on < '2026-11-02'::date then i.due_on end as since from invoices i where i.status = 'sent' and i.credited_cents + i.allocated_cents + i.written_off_cents < i.total_cents union all select policy_id, 0 as "expectedCents", 0 as "collectedCents", 0 as "outstandingCents", 0 as "writtenOffCents", case when (r.received_on >= '2026-11-01'::date and r.received_on < ('2026-11-01'::date + interval '1 month')) then r.amount_cents - r.allocated_cents - r.refunded_cents else 0 end as "creditCents", 0 as "openCents", 0 as "overdueCents", 0 as "paidOfOverdueCents", r.amount_cents - r.allocated_cents - r.refunded_cents as "allCreditCents", 0 as "current", 0 as "days1to30", 0 as "days31to60", 0 as "days61to90", 0 as "over90", (r.received_on >= '2026-11-01'::date and r.received_on < ('2026-11-01'::date + interval '1 month')) as in_period,
    null::date as since from receipts r where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents) moved
    group by policy_id having bool_or(in_period)) f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = p.group_id
    left join (
  select c.policy_id, c.promised_cents, c.promised_on,
    case when c.outcome = 'promise' then case
  case when c.outcome = 'promise' then
    case when
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone 'Africa/Johannesburg')::date and c.promised_on) >= c.promised_cents then 'kept'
         when c.promised_on < '2026-11-02'::date then 'broken' else 'open' end end when 'open' then 'promised' else
  case when c.outcome = 'promise' then
    case when
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone 'Africa/Johannesburg')::date and c.promised_on) >= c.promised_cents then 'kept'
         when c.promised_on < '2026-11-02'::date then 'broken' else 'open' end end end
         when not exists (select from premium_contacts l
           where l.policy_id = c.policy_id and l.outcome = 'reached' and l.made_at > c.made_at) then 'disputed' end as standing
  from (select distinct on (policy_id) * from premium_contacts where outcome in ('promise', 'dispute')
    order by policy_id, made_at desc, id desc) c) c on c.policy_id = f.policy_id
),
found as materialized (
  select s.id from source s where true
  order by s."outstandingCents" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select max(received_on) from receipts r where r.policy_id = s."policyId" and r.reversed_at is null) as "lastPaymentOn", (select max(made_at) from premium_contacts l where l.policy_id = s."policyId") as "lastContactAt" from found join source s on s.id = found.id order by s."outstandingCents" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'expectedCents', coalesce(sum(s."expectedCents"), 0), 'collectedCents', coalesce(sum(s."collectedCents"), 0), 'outstandingCents', coalesce(sum(s."outstandingCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0), 'expectedInAll', coalesce(sum(s."expectedCents"), 0), 'collectedInAll', coalesce(sum(s."collectedCents"), 0), 'outstandingInAll', coalesce(sum(s."outstandingCents"), 0), 'creditInAll', coalesce(sum(s."creditCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as materialized (
    select f.policy_id as id, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      p.contact_name as "contactName", p.contact_email as "contactEmail", case when p.contact_phone <> '' then p.contact_phone else p.contact_cell end as phone,
      f."expectedCents", f."collectedCents", f."outstandingCents", f."writtenOffCents", f."creditCents",
      f."overdueCents", f."overdueSince", greatest(f."openCents" - f."allCreditCents", 0) as "owedCents",
      f.current, f."days1to30", f."days31to60", f."days61to90", f."over90",
      case when f."expectedCents" > 0 then floor(100.0 * f."collectedCents" / f."expectedCents" + 0.5)::int end as rate,
      case when f."overdueCents" <= 0 then 'Current'
        when f."paidOfOverdueCents" > 0 and '2026-11-02'::date - f."overdueSince" < 30::int then 'Partial'
        else 'Overdue' end as status,
      case when f."openCents" > 0 then c.standing end as standing, c.promised_cents as "promisedCents",
      c.promised_on as "promisedOn",
      p.group_id as "_groupId", f.policy_id as "_policyId", lower(g.name) as "_group", lower(p.number) as "_policy"
    from (
    select policy_id, sum("expectedCents")::bigint as "expectedCents", sum("collectedCents")::bigint as "collectedCents", sum("outstandingCents")::bigint as "outstandingCents", sum("writtenOffCents")::bigint as "writtenOffCents", sum("creditCents")::bigint as "creditCents", sum("openCents")::bigint as "openCents", sum("overdueCents")::bigint as "overdueCents", sum("paidOfOverdueCents")::bigint as "paidOfOverdueCents", sum("allCreditCents")::bigint as "allCreditCents", sum("current")::bigint as "current", sum("days1to30")::bigint as "days1to30", sum("days31to60")::bigint as "days31to60", sum("days61to90")::bigint as "days61to90", sum("over90")::bigint as "over90", min(since) as "overdueSince"
    from (select policy_id, i.total_cents - i.credited_cents - i.written_off_cents as "expectedCents", i.allocated_cents as "collectedCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "outstandingCents", i.written_off_cents as "writtenOffCents", 0 as "creditCents", 0 as "openCents", 0 as "overdueCents", 0 as "paidOfOverdueCents", 0 as "allCreditCents", 0 as "current", 0 as "days1to30", 0 as "days31to60", 0 as "days61to90", 0 as "over90", true as in_period,
    null::date as since from invoices i where i.status = 'sent' and (i.period_start_on >= '2026-11-01'::date and i.period_start_on < ('2026-11-01'::date + interval '1 month')) union all select policy_id, 0 as "expectedCents", 0 as "collectedCents", 0 as "outstandingCents", 0 as "writtenOffCents", 0 as "creditCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "openCents", case when i.due_on < '2026-11-02'::date then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "overdueCents", case when i.due_on < '2026-11-02'::date then i.allocated_cents else 0 end as "paidOfOverdueCents", 0 as "allCreditCents", case when true and ('2026-11-02'::date - i.due_on) <= 0::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "current", case when ('2026-11-02'::date - i.due_on) >= 1::int and ('2026-11-02'::date - i.due_on) <= 30::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days1to30", case when ('2026-11-02'::date - i.due_on) >= 31::int and ('2026-11-02'::date - i.due_on) <= 60::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days31to60", case when ('2026-11-02'::date - i.due_on) >= 61::int and ('2026-11-02'::date - i.due_on) <= 90::int then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "days61to90", case when ('2026-11-02'::date - i.due_on) >= 91::int and true then case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end else 0 end as "over90", false as in_period,
    case when i.due_on < '2026-11-02'::date then i.due_on end as since from invoices i where i.status = 'sent' and i.credited_cents + i.allocated_cents + i.written_off_cents < i.total_cents union all select policy_id, 0 as "expectedCents", 0 as "collectedCents", 0 as "outstandingCents", 0 as "writtenOffCents", case when (r.received_on >= '2026-11-01'::date and r.received_on < ('2026-11-01'::date + interval '1 month')) then r.amount_cents - r.allocated_cents - r.refunded_cents else 0 end as "creditCents", 0 as "openCents", 0 as "overdueCents", 0 as "paidOfOverdueCents", r.amount_cents - r.allocated_cents - r.refunded_cents as "allCreditCents", 0 as "current", 0 as "days1to30", 0 as "days31to60", 0 as "days61to90", 0 as "over90", (r.received_on >= '2026-11-01'::date and r.received_on < ('2026-11-01'::date + interval '1 month')) as in_period,
    null::date as since from receipts r where r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents) moved
    group by policy_id having bool_or(in_period)) f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = p.group_id
    left join (
  select c.policy_id, c.promised_cents, c.promised_on,
    case when c.outcome = 'promise' then case
  case when c.outcome = 'promise' then
    case when
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone 'Africa/Johannesburg')::date and c.promised_on) >= c.promised_cents then 'kept'
         when c.promised_on < '2026-11-02'::date then 'broken' else 'open' end end when 'open' then 'promised' else
  case when c.outcome = 'promise' then
    case when
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone 'Africa/Johannesburg')::date and c.promised_on) >= c.promised_cents then 'kept'
         when c.promised_on < '2026-11-02'::date then 'broken' else 'open' end end end
         when not exists (select from premium_contacts l
           where l.policy_id = c.policy_id and l.outcome = 'reached' and l.made_at > c.made_at) then 'disputed' end as standing
  from (select distinct on (policy_id) * from premium_contacts where outcome in ('promise', 'dispute')
    order by policy_id, made_at desc, id desc) c) c on c.policy_id = f.policy_id
),
hits as materialized (
  (select s."outstandingCents", s."id", s."status", s."expectedCents", s."collectedCents", s."creditCents", s."rate", s."policyId" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."outstandingCents", s."id", s."status", s."expectedCents", s."collectedCents", s."creditCents", s."rate", s."policyId" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."outstandingCents" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select max(received_on) from receipts r where r.policy_id = s."policyId" and r.reversed_at is null) as "lastPaymentOn", (select max(made_at) from premium_contacts l where l.policy_id = s."policyId") as "lastContactAt" from found join source s on s.id = found.id order by s."outstandingCents" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'expectedCents', coalesce(sum(s."expectedCents"), 0), 'collectedCents', coalesce(sum(s."collectedCents"), 0), 'outstandingCents', coalesce(sum(s."outstandingCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0), 'expectedInAll', coalesce(sum(s."expectedCents"), 0), 'collectedInAll', coalesce(sum(s."collectedCents"), 0), 'outstandingInAll', coalesce(sum(s."outstandingCents"), 0), 'creditInAll', coalesce(sum(s."creditCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."outstandingCents" desc, s.id desc limit 1 offset 24) as bound;
