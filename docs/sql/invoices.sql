-- The list as it is opened

with source as not materialized (
    select i.id, i.number, i.kind,
  case when i.status <> 'sent' then i.status
       when i.credited_cents >= i.total_cents then 'credited'
       when case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end <= 0 then case when i.written_off_cents > 0 then 'written_off' else 'paid' end
       when i.due_on < '2026-11-02'::date then 'overdue'
       else 'sent' end as status, i.status as "storedStatus",
      i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId", p.number as "policyNumber",
      i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn",
      i.period_end_on as "periodEndOn", i.period_start_on || ' – ' || i.period_end_on as period,
      (select m.state from mails m where m.about_id = i.id and m.about_kind = 'invoice'
        order by m.created_at desc, m.id desc limit 1) as mail,
      i.total_cents as "totalCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "openCents", i.credited_cents as "creditedCents",
      i.allocated_cents as "allocatedCents", i.written_off_cents as "writtenOffCents", i.created_at as "createdAt", i.version,
      i.group_id as "_groupId", i.policy_id as "_policyId", lower(i.number) as "_number", lower(g.name) as "_group",
      p.number as "_policyNumber", lower(p.number) as "_policy"
    from invoices i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    where true
),
found as materialized (
  select s.id from source s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'totalCents', coalesce(sum(s."totalCents"), 0), 'openCents', coalesce(sum(s."openCents"), 0), 'creditedCents', coalesce(sum(s."creditedCents"), 0)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select i.id, i.number, i.kind,
  case when i.status <> 'sent' then i.status
       when i.credited_cents >= i.total_cents then 'credited'
       when case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end <= 0 then case when i.written_off_cents > 0 then 'written_off' else 'paid' end
       when i.due_on < '2026-11-02'::date then 'overdue'
       else 'sent' end as status, i.status as "storedStatus",
      i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId", p.number as "policyNumber",
      i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn",
      i.period_end_on as "periodEndOn", i.period_start_on || ' – ' || i.period_end_on as period,
      (select m.state from mails m where m.about_id = i.id and m.about_kind = 'invoice'
        order by m.created_at desc, m.id desc limit 1) as mail,
      i.total_cents as "totalCents", case when i.status = 'sent' then i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents else 0 end as "openCents", i.credited_cents as "creditedCents",
      i.allocated_cents as "allocatedCents", i.written_off_cents as "writtenOffCents", i.created_at as "createdAt", i.version,
      i.group_id as "_groupId", i.policy_id as "_policyId", lower(i.number) as "_number", lower(g.name) as "_group",
      p.number as "_policyNumber", lower(p.number) as "_policy"
    from invoices i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    where true
),
hits as materialized (
  (select s."createdAt", s."number", s."id", s."status", s."totalCents", s."openCents", s."creditedCents" from source s where s._number like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."status", s."totalCents", s."openCents", s."creditedCents" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."createdAt", s."number", s."id", s."status", s."totalCents", s."openCents", s."creditedCents" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*), 'totalCents', coalesce(sum(s."totalCents"), 0), 'openCents', coalesce(sum(s."openCents"), 0), 'creditedCents', coalesce(sum(s."creditedCents"), 0)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
