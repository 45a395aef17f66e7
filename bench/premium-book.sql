-- Employers alike, billed month by month for as long as it is told: what the premium run, its invoices and collection are
-- measured on. Made as book.sql is.
--
-- Settings: book.groups, book.people (of each), book.months, book.today; book.manager (a user).
--
-- After the last bill, yesterday, three things came to light: one of each policy joined two months ago, one left then, and
-- one policy in ten has a new premium since last month.

-- # groups and policies
create temp table book_policies as
  select place, pg_temp.id('group', place) as group_id, pg_temp.id('policy', place) as id, first_on,
    (first_on - pg_temp.number('months') * interval '1 month')::date as start_on, 35000 + place % 7 * 2500 as premium,
    (select id from product_types where name = case when place % 3 = 0 then 'Group Health' else 'Group Life' end) as product_type_id,
    case when place % 3 = 0 then 15 else 0 end as vat, pg_temp.today() - 1 + time '08:00' as lately
  from generate_series(1, pg_temp.number('groups')) place, (select date_trunc('month', pg_temp.today())::date as first_on) month;
insert into employer_groups (id, name, created_at)
select group_id, (array['Acacia','Baobab','Cedar','Protea','Umkhonto','Karoo','Highveld'])[1 + place % 7] || ' '
  || (array['Foods','Mining','Logistics','Retail','Textiles','Hotels','Farming','Steel'])[1 + place % 8] || ' ' || place, now()
from book_policies;
insert into policies (id, group_id, number, status, description, product_type_id, coverage_type, premium_cents, sum_assured_cents,
  start_on, contact_name, contact_email, contact_phone, contact_position, activated_at, created_at, updated_at)
select id, group_id, pg_temp.numbered('GP', pg_temp.today(), place), 'Active', 'Staff scheme', product_type_id, 'life', premium, 100000000,
  start_on, 'Thandi Mokoena', 'hr' || place || '@employer.example', '0215550100', 'HR manager',
  start_on + time '08:00', start_on - 20 + time '08:00', start_on + time '08:00'
from book_policies;
insert into policy_premiums (id, group_id, policy_id, premium_cents, valid, recorded_at, superseded_at)
select gen_random_uuid(), group_id, id, premium, daterange(start_on, null), start_on + time '08:00', case when place % 10 = 1 then lately end
from book_policies
union all
select gen_random_uuid(), group_id, id, cents, days, lately, null
from book_policies cross join lateral (values
  (premium, daterange(start_on, (first_on - interval '1 month')::date)),
  (premium + 2000, daterange((first_on - interval '1 month')::date, null))) raised (cents, days)
where place % 10 = 1;
insert into policy_cover_terms (id, group_id, policy_id, term, product_type_id, sum_assured_cents, waiting_period_months, valid, recorded_at)
select gen_random_uuid(), p.group_id, p.id, term, case term when 'product type' then p.product_type_id end,
  case term when 'sum assured' then p.sum_assured_cents end, case term when 'waiting period' then p.waiting_period_months end,
  daterange(p.start_on, null), p.start_on + time '08:00'
from policies p cross join unnest(array['product type', 'sum assured', 'waiting period']) term where p.status <> 'Draft';
insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at)
select gen_random_uuid(), group_id, id, 'active', daterange(start_on, null), start_on + time '08:00' from book_policies;

-- # members
create temp table book_members as
  select p.*, k, (place - 1) * (pg_temp.number('people') + 1) + k as n, t.id as tier_id, u.id as earlier_tier_id, t.name as tier_name,
    (first_on - interval '2 months')::date as late_on, k = pg_temp.number('people') as joined_late, k = 0 as left_early,
    pg_temp.id('member', (place - 1) * (pg_temp.number('people') + 1) + k) as member_id,
    (array['Thabo','Lerato','Pieter','Ayesha','Sipho','Karin','Nomvula','Johan','Zanele','Rajesh'])[1 + k % 10] || ' ' || chr((97 + k / 4 % 26)::int) as first,
    (array['Nkosi','Botha','Müller','Naidoo','van der Merwe','Dlamini','O''Reilly','Mokoena','Smith','Khumalo','Adams'])[1 + k % 11] || ' ' || chr((97 + place % 26)::int) as last
  from book_policies p
  cross join lateral generate_series(0, pg_temp.number('people')) k
  join (select *, row_number() over (order by position) - 1 as at from benefit_tiers) t on t.at = k % 4
  join (select *, row_number() over (order by position) - 1 as at from benefit_tiers) u on u.at = (k + 1) % 4;
insert into members (id, group_id, policy_id, number, first_name, last_name, id_number, email, phone, date_of_birth, gender,
  employment_status, employer, job_title, tier_id, status, start_on, end_on, status_reason, created_at, updated_at)
select member_id, group_id, id, 'M-' || lpad(n::text, greatest(6, length(n::text)), '0'), first, last,
  lpad(n::text, 13, '0'), 'm' || n || '@employer' || place || '.example', '0820000000', date '1960-01-01' + (n % 16000)::int,
  case when n % 2 = 0 then 'male' else 'female' end, 'employed', '', 'Clerk', tier_id,
  case when left_early then 'Terminated' else 'Active' end, case when joined_late then late_on else start_on end,
  case when left_early then late_on + 9 end, case when left_early then 'Left' end, start_on + time '08:00', start_on + time '08:00'
from book_members;
insert into member_counts (policy_id, group_id, active, terminated)
select id, group_id, count(*) filter (where not left_early), count(*) filter (where left_early) from book_members group by 1, 2;

-- # covers
-- One in six was in another tier a year ago.
insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at, superseded_at)
select gen_random_uuid(), group_id, id, m.member_id, stretch.tier, 'covered', daterange(from_on, until_on), known_at, gone_at
from book_members m
cross join lateral (select k % 6 = 1 and not joined_late and pg_temp.number('months') > 12 as moved,
  (first_on - interval '12 months')::date as moved_on, start_on + time '08:00' as began) a
cross join lateral (values
  (case when moved then earlier_tier_id else m.tier_id end, case when not joined_late then start_on end, null::date, began,
    case when moved then moved_on + time '09:00' when left_early then lately end),
  (earlier_tier_id, case when moved then start_on end, moved_on, moved_on + time '09:00', null),
  (m.tier_id, case when moved then moved_on end, null, moved_on + time '09:00', null),
  (m.tier_id, case when left_early then start_on end, late_on + 10, lately, null),
  (m.tier_id, case when joined_late then late_on end, null, lately, null)
) stretch (tier, from_on, until_on, known_at, gone_at)
where from_on is not null;

-- # invoices
create temp table book_invoices as
  select p.*, ago, pg_temp.id('invoice', place * 1000 + ago) as invoice_id, begins as invoice_on, begins + 29 as due_on,
    row_number() over (partition by extract(year from begins) order by ago desc, place) as number_in_year,
    (begins + interval '1 month')::date - 1 as period_end_on, pg_temp.number('people') * premium as subtotal,
    round(pg_temp.number('people') * premium * vat / 100.0)::bigint as vat_cents,
    -- Nearly all have paid what is older; of last month a half, and one in a hundred more than was asked.
    case when ago > 2 then place % 40 <> 3 else place % 2 = 0 end as paid
  from book_policies p
  cross join generate_series(1, pg_temp.number('months')) ago
  cross join lateral (select (first_on - ago * interval '1 month')::date as begins) month;
insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, created_at)
select pg_temp.id('pdf', place * 1000 + ago), group_id, 'invoice', 'invoice.pdf', 'application/pdf', 1, '', 'pdf-' || place * 1000 + ago, invoice_on
from book_invoices;
insert into invoices (id, group_id, policy_id, number, kind, status, invoice_on, due_on, period_start_on, period_end_on, subtotal_cents,
  vat_percent, vat_cents, total_cents, sent_to, pdf_file_id, created_by, created_at, approved_at, sent_at, allocated_cents)
select invoice_id, group_id, id, pg_temp.numbered('INV', invoice_on, number_in_year), 'premium', 'sent', invoice_on, due_on,
  invoice_on, period_end_on, subtotal, vat, vat_cents, subtotal + vat_cents, 'hr' || place || '@employer.example',
  pg_temp.id('pdf', place * 1000 + ago), pg_temp.person('manager'), invoice_on + time '07:00', invoice_on + time '09:00', invoice_on + time '10:00',
  case when paid then subtotal + vat_cents else 0 end
from book_invoices;

-- # invoice lines
insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, member_id, tier_id,
  billed_month, vat_class, vat_percent)
select gen_random_uuid(), i.group_id, i.invoice_id, m.k, first || ' ' || last || ' - ' || m.tier_name, 1, i.premium, i.premium,
  m.member_id, m.tier_id, i.invoice_on, case when i.vat = 0 then 'exempt' else 'standard' end, i.vat
from book_invoices i join book_members m on m.place = i.place and not m.joined_late;

-- # receipts and allocations
create temp table book_receipts as
  select *, pg_temp.id('receipt', place * 1000 + ago) as receipt_id, pg_temp.id('allocation', place * 1000 + ago) as allocation_id,
    least(invoice_on + 10 + (place % 15)::int, pg_temp.today()) as received_on, subtotal + vat_cents as cents,
    case when place % 100 = 2 then 10000 else 0 end as beyond
  from book_invoices where paid;
alter table book_receipts add column place_in_year bigint;
update book_receipts r set place_in_year = counted.place_in_year from (
  select receipt_id, row_number() over (partition by extract(year from received_on) order by received_on, receipt_id) as place_in_year from book_receipts
) counted where counted.receipt_id = r.receipt_id;
insert into receipts (id, group_id, policy_id, number, amount_cents, allocated_cents, method, received_on, reference, created_by, created_at)
select receipt_id, group_id, id, pg_temp.numbered('REC', received_on, place_in_year), cents + beyond, cents, 'bank_transfer', received_on,
  'EFT ' || substr(receipt_id::text, 1, 8), pg_temp.person('manager'), received_on + time '11:00'
from book_receipts;
insert into receipt_allocations (id, group_id, policy_id, receipt_id, invoice_id, amount_cents, allocated_on, created_by, created_at)
select allocation_id, group_id, id, receipt_id, invoice_id, cents, received_on, pg_temp.person('manager'), received_on + time '11:00'
from book_receipts;

-- # calls and promises
insert into premium_contacts (id, group_id, policy_id, kind, outcome, promised_cents, promised_on, note, made_at, made_by)
select gen_random_uuid(), group_id, id, 'call', outcome, case when outcome = 'promise' then premium end,
  case when outcome = 'promise' then pg_temp.today() + (place % 9)::int - 4 end, '', pg_temp.today() - (5 + call * 30)::int + time '10:00', pg_temp.person('manager')
from book_policies cross join generate_series(0, 2) call
cross join lateral (select (array['reached', 'promise', 'no_answer', 'promise', 'dispute'])[1 + (place / 2 + call) % 5] as outcome) said
where place % 2 = 1;

-- # ledger
create temp table book_entries as
  with events (source, kind, on_day, at, description, record_kind, record_id, policy_id, group_id, amounts) as (
    select 'invoice:' || invoice_id || ':sent', 'invoice_sent', invoice_on, invoice_on + time '10:00', 'Invoice sent', 'invoice', invoice_id, id, group_id,
      jsonb_build_object('premium_debtors', subtotal + vat_cents, 'premium_income', -subtotal, 'vat_output', -vat_cents)
    from book_invoices
    union all
    select 'receipt:' || receipt_id, 'receipt_taken', received_on, received_on + time '11:00', 'Receipt', 'receipt', receipt_id, id, group_id,
      jsonb_build_object('bank', cents + beyond, 'unallocated_receipts', -cents - beyond)
    from book_receipts
    union all
    select 'allocation:' || allocation_id, 'allocation', received_on, received_on + time '11:00', 'Receipt allocated', 'receipt', receipt_id, id, group_id,
      jsonb_build_object('unallocated_receipts', cents, 'premium_debtors', -cents)
    from book_receipts
  )
  select events.*, row_number() over (order by on_day, at, source) as place, overlay(overlay(md5('entry' || source) placing '4' from 13) placing '8' from 17)::uuid as entry_id
  from events;
insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
select entry_id, source, kind, on_day, at, description, record_kind, record_id from book_entries order by place;
insert into ledger_postings (entry_id, line, account, policy_id, group_id, amount_cents, effective_on, seq, words)
select entry_id, row_number() over (partition by entry_id order by account) - 1, account, policy_id, group_id, cents::bigint, on_day, e.seq, lower(e.description)
from book_entries join ledger_entries e on e.id = entry_id cross join jsonb_each_text(amounts) leg (account, cents) where cents::bigint <> 0;
insert into ledger_months (account, policy_id, group_id, month, debit_cents, credit_cents, postings)
select p.account, p.policy_id, p.group_id, date_trunc('month', e.effective_on), coalesce(sum(p.amount_cents) filter (where p.amount_cents > 0), 0),
  coalesce(-sum(p.amount_cents) filter (where p.amount_cents < 0), 0), count(*)
from ledger_postings p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3, 4;

-- # counters
insert into number_counters (kind, year, last)
select 'policy', extract(year from pg_temp.today())::int, pg_temp.number('groups')
union all select 'invoice', extract(year from invoice_on)::int, max(number_in_year) from book_invoices group by 2
union all select 'receipt', extract(year from received_on)::int, max(place_in_year) from book_receipts group by 2
on conflict (kind, year) do update set last = excluded.last;
select setval('member_numbers', max(n)) from book_members;
