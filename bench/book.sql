-- A large insurer's book, made by statements over whole sets. Each step has a title line of its own; book.ts runs them
-- in one session, with the indexes of the tables that grow large taken away and put back afterwards. Triggers and
-- foreign keys sleep meanwhile: the ledger is verified when all is there.
--
-- Settings: book.groups, book.people, book.claims, book.today; book.manager, book.admin, book.underwriter,
-- book.group_admin, book.policy_holder (users).

-- # policies' sizes
-- Groups shrink by a power of their place: the first has about 8.6 % of all people, most have a few hundred.
create temp table book_policies as
  with weighed as (
    select place, 1 / power(place, 0.87) as weight from generate_series(1, pg_temp.number('groups')) place
  ), sized as (
    select place, greatest(1, floor(pg_temp.number('people') * weight / sum(weight) over ()))::bigint as size from weighed
  )
  select place, size, (sum(size) over (order by place) - size + 1)::bigint as first_n, (sum(size) over (order by place))::bigint as last_n,
    pg_temp.id('group', place) as group_id, pg_temp.id('policy', place) as id,
    case when place % 50 = 8 then 'Draft' when place % 50 = 7 then 'Suspended' when place % 100 = 9 then 'Terminated'
      when place % 100 = 59 then 'Expired' else 'Active' end as status,
    (pg_temp.today() - 400 - (place * 37 % 900)::int) as start_on,
    35000 + place % 7 * 2500 as premium,
    (select id from product_types where name = case when place % 3 = 0 then 'Group Health' else 'Group Life' end) as product_type_id,
    case when place % 3 = 0 then 15 else 0 end as vat
  from sized;
create temp table book_tiers as
  select id, name, row_number() over (order by position) - 1 as place from benefit_tiers;

-- # groups and policies
insert into employer_groups (id, name, created_at)
select group_id,
  (array['Acacia','Baobab','Cedar','Protea','Umkhonto','Karoo','Table Bay','Highveld','Drakensberg','Kalahari'])[1 + place % 10] || ' '
  || (array['Foods','Mining','Logistics','Retail','Textiles','Engineering','Hotels','Farming','Transport','Steel','Motors'])[1 + place % 11] || ' '
  || place, now()
from book_policies;
insert into policies (id, group_id, number, status, description, product_type_id, coverage_type, premium_cents, sum_assured_cents,
  start_on, end_on, contact_name, contact_email, contact_phone, contact_position, terminated_on, activated_at, created_at, updated_at)
select id, group_id, pg_temp.numbered('GP', pg_temp.today(), place), status, 'Staff scheme', product_type_id,
  (array['life', 'health', 'disability', 'comprehensive'])[1 + place % 4], premium, 100000000,
  start_on, case when status = 'Expired' then pg_temp.today() - 30 when place % 4 = 0 then pg_temp.today() + (place * 7 % 700)::int end,
  'Thandi Mokoena', 'hr' || place || '@employer.example', '0215550100', 'HR manager',
  case when status = 'Terminated' then pg_temp.today() - 40 end,
  case when status <> 'Draft' then start_on + time '08:00' end, start_on - 20 + time '08:00', start_on + time '08:00'
from book_policies;
insert into policy_premiums (id, group_id, policy_id, premium_cents, valid, recorded_at)
select gen_random_uuid(), group_id, id, premium, daterange(start_on, null), start_on + time '08:00' from book_policies;
insert into policy_cover_terms (id, group_id, policy_id, term, product_type_id, sum_assured_cents, waiting_period_months, valid, recorded_at)
select gen_random_uuid(), p.group_id, p.id, term, case term when 'product type' then p.product_type_id end,
  case term when 'sum assured' then p.sum_assured_cents end, case term when 'waiting period' then p.waiting_period_months end,
  daterange(p.start_on, null), p.start_on + time '08:00'
from policies p cross join unnest(array['product type', 'sum assured', 'waiting period']) term where p.status <> 'Draft';
-- Those that began before the first invoices came over from elsewhere.
insert into policy_billed_from (id, group_id, policy_id, month, recorded_at)
select gen_random_uuid(), group_id, id, first_month, start_on + time '08:00'
from book_policies cross join (select (date_trunc('month', pg_temp.today()) - interval '11 months')::date as first_month) first
where start_on < first_month and status <> 'Draft';
update policies p set billed_from_on = b.month from policy_billed_from b where b.policy_id = p.id;
insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at)
select gen_random_uuid(), group_id, id, 'active',
  daterange(start_on, case status when 'Suspended' then pg_temp.today() - 20 when 'Terminated' then pg_temp.today() - 39 when 'Expired' then pg_temp.today() - 29 end),
  start_on + time '08:00'
from book_policies where status <> 'Draft'
union all
select gen_random_uuid(), group_id, id, 'suspended', daterange(pg_temp.today() - 20, null), pg_temp.today() - 20 + time '08:00'
from book_policies where status = 'Suspended';

-- # members
create temp table book_members as
  select n, pg_temp.id('member', n) as id, p.id as policy_id, p.group_id, p.place,
    greatest(p.start_on, pg_temp.today() - 1000 + (n * 31 % 960)::int) as start_on,
    case when p.status = 'Draft' then 'Pending' when p.status in ('Terminated', 'Expired') then 'Terminated'
      when p.status = 'Suspended' or n % 33 = 5 then 'Suspended' when n % 20 = 7 then 'Terminated' else 'Active' end as status,
    case when p.status = 'Terminated' then pg_temp.today() - 40 when p.status = 'Expired' then pg_temp.today() - 30 else pg_temp.today() - 1 - (n % 30)::int end as end_on,
    t.id as tier_id, u.id as earlier_tier_id
  from book_policies p
  cross join lateral generate_series(p.first_n, p.last_n) n
  join book_tiers t on t.place = n % 4
  join book_tiers u on u.place = (n + 1) % 4;
insert into members (id, group_id, policy_id, number, first_name, last_name, id_number, email, phone, date_of_birth, gender,
  employment_status, employer, job_title, tier_id, status, start_on, end_on, status_reason, to_complete, created_at, updated_at)
select m.id, m.group_id, m.policy_id, 'M-' || lpad(n::text, greatest(6, length(n::text)), '0'), first, last,
  to_char(birth, 'YYMMDD') || lpad((n / 1000 % 10000)::text, 4, '0') || '08' || n % 10,
  lower(translate(first || '.' || last, 'ü'' ', 'u')) || n || '@employer' || m.place || '.example', '0820000000', birth,
  case when n % 2 = 0 then 'male' else 'female' end, 'employed', '',
  (array['Cook','Driver','Clerk','Nurse','Welder','Picker'])[1 + n % 6], m.tier_id, m.status, m.start_on,
  case when m.status = 'Terminated' then greatest(m.end_on, m.start_on) end,
  case when m.status in ('Suspended', 'Terminated') then 'As the employer asked' end,
  case when n % 33 = 0 then array['phone'] else '{}'::text[] end, m.start_on + time '08:00', m.start_on + time '08:00'
from book_members m
cross join lateral (select date '1960-01-01' + (n % 16000)::int as birth,
  (array['Thabo','Lerato','Pieter','Ayesha','Sipho','Karin','Nomvula','Johan','Zanele','Rajesh'])[1 + n % 10] || ' ' || chr((65 + (n / 7) % 26)::int) || chr((97 + (n / 191) % 26)::int) || chr((97 + (n / 31) % 26)::int) as first,
  (array['Nkosi','Botha','Müller','Naidoo','van der Merwe','Dlamini','O''Reilly','Mokoena','Smith','Khumalo','Adams'])[1 + n % 11] || ' ' || chr((65 + (n / 17) % 26)::int) || chr((97 + (n / 53) % 26)::int) as last) names;
insert into member_counts (policy_id, group_id, pending, active, suspended, terminated)
select policy_id, group_id, count(*) filter (where status = 'Pending'), count(*) filter (where status = 'Active'),
  count(*) filter (where status = 'Suspended'), count(*) filter (where status = 'Terminated')
from book_members group by policy_id, group_id;

-- # covers and dependents
-- One in six was in another tier before; what is suspended was covered until 20 days ago.
insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
select gen_random_uuid(), group_id, policy_id, m.id, stretch.tier_id, kind, daterange(from_on, until_on), m.start_on + time '08:00'
from (
  select *, greatest(end_on, start_on) + 1 as gone_on, start_on + 20 as moved_on,
    greatest(pg_temp.today() - 20, start_on + 25) as suspended_on, n % 6 = 1 as moved
  from book_members where status <> 'Pending'
) m
cross join lateral (
  values
    ('covered', case when moved then earlier_tier_id else m.tier_id end, start_on,
      case when moved then moved_on when status = 'Terminated' then gone_on when status = 'Suspended' then suspended_on end),
    ('covered', m.tier_id, case when moved then moved_on end,
      case when status = 'Terminated' then greatest(gone_on, moved_on + 1) when status = 'Suspended' then suspended_on end),
    ('suspended', m.tier_id, case when status = 'Suspended' then suspended_on end, null)
) stretch (kind, tier_id, from_on, until_on)
where from_on is not null and coalesce(until_on > from_on, true);
insert into dependents (id, group_id, member_id, first_name, last_name, relationship, date_of_birth, gender, position, from_on, created_at, updated_at)
select gen_random_uuid(), group_id, id, 'Nomsa', 'Nkosi', case when child = 0 then 'spouse' else 'child' end,
  date '1990-01-01', 'female', child, start_on, start_on, start_on
from book_members cross join generate_series(0, 1) child where n % 8 = 3;
insert into dependent_covers (id, group_id, member_id, dependent_id, relationship, born_on, valid, recorded_at)
select gen_random_uuid(), group_id, member_id, id, relationship, date_of_birth, daterange(from_on, null), created_at from dependents;

-- # invoices
-- The largest is billed as a premium run bills it: whoever has cover on the 1st, as known when the last one ran. Some of
-- those who joined in the two months before were recorded only after it.
update member_covers c set recorded_at = date_trunc('month', pg_temp.today()) + time '12:00'
from book_members m
where m.id = c.member_id and m.place = 1 and m.n % 40 = 0 and m.start_on >= date_trunc('month', pg_temp.today()) - interval '2 months';
create temp table largest_billed as
  select months, c.member_id, c.tier_id, row_number() over (partition by months) - 1 as position
  from book_policies p
  cross join generate_series(0, 11) months
  cross join lateral (select (date_trunc('month', pg_temp.today()) - months * interval '1 month')::date as begins) month
  join member_covers c on c.policy_id = p.id and c.kind = 'covered' and c.valid @> begins
    and c.recorded_at <= date_trunc('month', pg_temp.today()) + time '10:00'
  where p.place = 1;
create temp table book_invoices as
  select p.*, months, pg_temp.id('invoice', p.place * 100 + months) as invoice_id,
    row_number() over (partition by extract(year from begins) order by months desc, p.place) as number_in_year,
    begins as invoice_on, begins + 29 as due_on, (begins + interval '1 month')::date - 1 as period_end_on,
    case when months = 6 and p.place % 97 = 5 then 'cancelled' when months = 0 and p.place % 20 = 3 then 'draft'
      when months = 0 and p.place % 20 = 4 then 'pending' else 'sent' end as state,
    billed * p.premium as subtotal, round(billed * p.premium * p.vat / 100.0)::bigint as vat_cents,
    case when months = 3 and p.place % 30 = 0 then 10000 else 0 end as credit_net
  from book_policies p
  cross join generate_series(0, 11) months
  cross join lateral (select (date_trunc('month', pg_temp.today()) - months * interval '1 month')::date as begins) month
  left join (select months, count(*) as covered from largest_billed group by months) largest using (months)
  cross join lateral (select case when p.place = 1 then covered else p.size end as billed) members
  where p.status <> 'Draft';
insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, created_at)
select pg_temp.id('pdf', place * 100 + months), group_id, 'invoice', 'invoice.pdf', 'application/pdf', 1, '', 'pdf-' || place * 100 + months, invoice_on
from book_invoices where state = 'sent';
insert into invoices (id, group_id, policy_id, number, kind, status, invoice_on, due_on, period_start_on, period_end_on, subtotal_cents,
  vat_percent, vat_cents, total_cents, sent_to, pdf_file_id, created_by, created_at, approved_at, sent_at, cancelled_at, cancel_reason)
select invoice_id, group_id, id, pg_temp.numbered('INV', invoice_on, number_in_year), 'premium', state, invoice_on, due_on,
  invoice_on, period_end_on, subtotal, vat, vat_cents, subtotal + vat_cents,
  case when state = 'sent' then 'hr' || place || '@employer.example' end, case when state = 'sent' then pg_temp.id('pdf', place * 100 + months) end,
  pg_temp.person('manager'), invoice_on + time '07:00' + place * interval '1 second',
  case when state in ('sent', 'pending') then invoice_on + time '09:00' end, case when state = 'sent' then invoice_on + time '10:00' end,
  case when state = 'cancelled' then invoice_on + time '11:00' end, case when state = 'cancelled' then 'Wrong month' end
from book_invoices;

-- # invoice lines
-- A line a member where the group is small, and in the largest; a line a tier elsewhere.
insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, member_id, tier_id,
  billed_month, vat_class, vat_percent)
select gen_random_uuid(), i.group_id, i.invoice_id, m.n - i.first_n, 'Member ' || m.n, 1, i.premium, i.premium, m.id, m.tier_id,
  i.invoice_on, case when i.vat = 0 then 'exempt' else 'standard' end, i.vat
from book_invoices i join book_members m on m.place = i.place
where i.size <= 566
union all
select gen_random_uuid(), i.group_id, i.invoice_id, b.position, m.last_name || ', ' || m.first_name, 1, i.premium, i.premium, m.id,
  b.tier_id, i.invoice_on, case when i.vat = 0 then 'exempt' else 'standard' end, i.vat
from book_invoices i join largest_billed b using (months) join members m on m.id = b.member_id
where i.place = 1;
insert into settled_months (policy_id, group_id, month, settled_at, invoice_ids)
select id, group_id, invoice_on, invoice_on + time '10:00', array[invoice_id] from book_invoices where place = 1 and months = 0;
insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, tier_id, vat_class, vat_percent)
select gen_random_uuid(), group_id, invoice_id, t.place, t.name || ' members', each, premium, each * premium, t.id,
  case when vat = 0 then 'exempt' else 'standard' end, vat
from book_invoices i
cross join (select t.*, t.place = (select max(place) from book_tiers) as is_last, count(*) over () as tiers from book_tiers t) t
cross join lateral (select (case when is_last then i.size - (tiers - 1) * (i.size / tiers) else i.size / tiers end)::int as each) share
where not (i.size <= 566 or i.place = 1);

-- # credit notes, receipts and allocations
insert into credit_notes (id, group_id, policy_id, invoice_id, number, kind, credited_on, net_cents, vat_cents, total_cents, reason, created_at)
select pg_temp.id('credit', place), group_id, id, invoice_id,
  pg_temp.numbered('CN', pg_temp.today(), row_number() over (order by place)), 'correction', invoice_on + 5, credit_net, round(credit_net * vat / 100.0)::bigint,
  credit_net + round(credit_net * vat / 100.0)::bigint, 'One member too many', invoice_on + 5 + time '09:00'
from book_invoices where credit_net > 0 and state = 'sent';
insert into credit_note_lines (id, group_id, credit_note_id, position, invoice_line_id, member_id, billed_month, net_cents, vat_class,
  vat_percent, vat_cents)
select gen_random_uuid(), c.group_id, c.id, 0, l.id, l.member_id, l.billed_month, c.net_cents, l.vat_class, l.vat_percent, c.vat_cents
from credit_notes c join invoice_lines l on l.invoice_id = c.invoice_id and l.position = 0;
-- Five receipts an invoice that was paid; one in fifty brings more than is owed, one in two hundred bounces.
create temp table book_receipts as
  select i.*, part, pg_temp.id('receipt', (place * 100 + months) * 10 + part) as receipt_id,
    pg_temp.id('allocation', (place * 100 + months) * 10 + part) as allocation_id,
    case when part < 4 then payable / 5 else payable - 4 * (payable / 5) end as cents,
    case when (place + months + part) % 50 = 0 then 10000 else 0 end as beyond,
    (place * 3 + months * 7 + part) % 200 = 0 as bounced,
    least(invoice_on + 10 + (place % 30)::int + part, pg_temp.today()) as received_on
  from (
    select *, subtotal + vat_cents - credit_net - round(credit_net * vat / 100.0)::bigint as payable from book_invoices
    where state = 'sent' and place % 100 < case months when 0 then 25 when 1 then 60 when 2 then 85 else 94 end
  ) i
  cross join generate_series(0, 4) part;
alter table book_receipts add column place_in_year bigint;
update book_receipts r set place_in_year = counted.place_in_year from (
  select receipt_id, row_number() over (partition by extract(year from received_on) order by received_on, receipt_id) as place_in_year from book_receipts
) counted where counted.receipt_id = r.receipt_id;
insert into receipts (id, group_id, policy_id, number, amount_cents, method, received_on, reference, created_by, created_at,
  reversed_on, reversed_at, reversed_by, reverse_reason)
select receipt_id, group_id, id, pg_temp.numbered('REC', received_on, place_in_year), cents + beyond, 'bank_transfer', received_on,
  'EFT ' || substr(receipt_id::text, 1, 8), pg_temp.person('manager'), received_on + time '11:00',
  case when bounced then received_on end, case when bounced then received_on + time '12:00' end,
  case when bounced then pg_temp.person('manager') end, case when bounced then 'The bank sent it back' end
from book_receipts;
insert into receipt_allocations (id, group_id, policy_id, receipt_id, invoice_id, amount_cents, allocated_on, created_by, created_at,
  released_on, released_at, release_reason)
select allocation_id, group_id, id, receipt_id, invoice_id, cents, received_on, pg_temp.person('manager'), received_on + time '11:00',
  case when bounced then received_on end, case when bounced then received_on + time '12:00' end, case when bounced then 'The bank sent it back' end
from book_receipts;
-- What triggers keep on the rows.
update invoices i set credited_cents = c.cents
from (select invoice_id, sum(total_cents) as cents from credit_notes group by invoice_id) c where c.invoice_id = i.id;
update invoices i set allocated_cents = a.cents
from (select invoice_id, sum(amount_cents) as cents from receipt_allocations where released_at is null group by invoice_id) a where a.invoice_id = i.id;
update receipts r set allocated_cents = a.cents
from (select receipt_id, sum(amount_cents) as cents from receipt_allocations where released_at is null group by receipt_id) a where a.receipt_id = r.id;

-- # claims
create temp table book_claims as
  select c, id, group_id, policy_id, member_id, tier_id, state, benefit_id, created_at,
    row_number() over (partition by extract(year from created_at) order by created_at, c) as number_in_year,
    100000 + (c * 7919 % 4000) * 1000 as asked
  from (
    select c, pg_temp.id('claim', c) as id, m.group_id, m.policy_id, m.id as member_id, m.tier_id, state,
      (select benefit_id from product_benefits where product_type_id = p.product_type_id order by benefit_id limit 1) as benefit_id,
      case when state in ('paid', 'rejected') then pg_temp.today() - 20 - (c * 13 % 345)::int else pg_temp.today() - (c * 13 % 60)::int end
        + time '07:30' + (c % 30000) * interval '1 second' - interval '1 day' as created_at
    from generate_series(1, pg_temp.number('claims')) c
    cross join lateral (select case when c % 100 < 1 then 'draft' when c % 100 < 3 then 'submitted' when c % 100 < 4 then 'under_review'
      when c % 100 < 6 then 'pending_group_admin' when c % 100 < 8 then 'pending_underwriter' when c % 100 < 10 then 'pending_policy_holder'
      when c % 100 < 32 then 'rejected' when c % 100 < 38 then 'approved' else 'paid' end as state) stated
    join book_members m on m.n = 1 + c * 7919 % pg_temp.number('people')
    join book_policies p on p.place = m.place
    where m.status <> 'Pending'
  ) claimed;
insert into claims (id, group_id, policy_id, member_id, number, status, benefit_id, claim_type, incident_on, notification_on,
  claim_amount_cents, requested_amount_cents, approved_amount_cents, description, captured_by, submitted_by, submitted_at,
  reviewed_by, reviewed_at, routed_at, group_admin_approval_at, underwriter_approval_at, policy_holder_approval_at,
  final_approval_at, rejected_at, rejection_reason, payment_on, requested_documents, created_at, updated_at,
  cover_tier_id, max_cover_cents, promised_days, documents_complete_at, due_on)
select id, group_id, policy_id, member_id, pg_temp.numbered('CLM', created_at::date, number_in_year), state, benefit_id,
  (array['death', 'disability', 'medical', 'maternity', 'other'])[1 + c % 5], created_at::date - 10, created_at::date - 2,
  asked, asked, case when state in ('approved', 'paid') then asked end, 'As told by the family', array[pg_temp.person('group_admin')],
  case when state <> 'draft' then pg_temp.person('group_admin') end, case when state <> 'draft' then created_at + interval '1 hour' end,
  case when taken then pg_temp.person('manager') end, case when taken then created_at + interval '2 hours' end,
  case when taken and state not in ('under_review') then created_at + interval '3 hours' end,
  case when state in ('pending_underwriter', 'pending_policy_holder', 'approved', 'paid') then created_at + interval '5 hours' end,
  case when state in ('pending_policy_holder', 'approved', 'paid') then created_at + interval '6 hours' end,
  case when state in ('approved', 'paid') then created_at + interval '7 hours' end,
  case when state in ('approved', 'paid') then created_at + interval '7 hours' end,
  case when state = 'rejected' then created_at + interval '5 hours' end, case when state = 'rejected' then 'Not covered on the day' end,
  case when state = 'paid' then created_at::date + 5 end,
  case when state = 'under_review' and c % 400 = 3 then array['id_document'] else '{}'::text[] end, created_at, created_at,
  case when state <> 'draft' then tier_id end, case when state <> 'draft' then coalesce((
    select t.amount_cents from policies p join product_benefits b on b.product_type_id = p.product_type_id
    join product_benefit_terms t on t.product_benefit_id = b.id and t.superseded_at is null and t.valid @> current_date
    where p.id = c.policy_id and b.benefit_id = c.benefit_id and b.tier_id = c.tier_id), 0) end,
  case when state <> 'draft' then 10 end, case when state <> 'draft' then created_at + interval '1 hour' end,
  case when state = 'submitted' or state like 'pending%' then created_at::date + 14 end
from (select *, state not in ('draft', 'submitted') as taken from book_claims) c;

-- # approvals and documents
insert into claim_approvals (id, group_id, claim_id, round, stage, status, comment, approved_amount_cents, decided_by, decided_at, created_at)
select gen_random_uuid(), group_id, id, 1, stage, decided,
  case when decided = 'rejected' then 'Not covered on the day' end, case when decided = 'approved' then asked end,
  case when decided <> 'pending' then pg_temp.person(stage) end,
  case when decided <> 'pending' then created_at + (4 + place) * interval '1 hour' end, created_at + (2 + place) * interval '1 hour'
from book_claims c
cross join (values (1, 'group_admin'), (2, 'underwriter'), (3, 'policy_holder')) s (place, stage)
cross join lateral (select case
    when state in ('approved', 'paid') or (state = 'pending_underwriter' and place = 1) or (state = 'pending_policy_holder' and place <= 2) then 'approved'
    when (state = 'rejected' and place = 1) then 'rejected'
    when state = 'pending_' || stage then 'pending' end as decided) d
where decided is not null;
insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, uploaded_by, created_at)
select pg_temp.id('paper', c), group_id, 'claim_document', 'paper.pdf', 'application/pdf', 1, '', 'paper-' || c, pg_temp.person('group_admin'), created_at
from book_claims where c % 10 = 4;
insert into claim_documents (id, group_id, claim_id, document_type, name, file_id, uploaded_by, uploaded_at)
select gen_random_uuid(), group_id, id, 'medical_report', 'paper.pdf', pg_temp.id('paper', c), pg_temp.person('group_admin'), created_at
from book_claims where c % 10 = 4;

-- # reserves
create temp table book_reserves as
  select id, group_id, policy_id, seq, cause, at, sign * asked as change, case when sign > 0 then asked else 0 end as reserve,
    'claim:' || id || case cause when 'approved' then ':approved' else ':reserve:' || seq end as source,
    case seq when 1 then 'group_admin' else 'manager' end as role
  from book_claims
  cross join lateral (values
    (1, 'submitted', 1, created_at + interval '1 hour'),
    (2, case when state in ('approved', 'paid') then 'approved' when state = 'rejected' then 'rejected' end, -1,
      created_at + case state when 'rejected' then interval '5 hours' else interval '7 hours' end)
  ) moved (seq, cause, sign, at)
  where state <> 'draft' and cause is not null;
insert into claim_reserve_movements (id, group_id, claim_id, seq, policy_id, cause, moved_on, change_cents, reserve_cents, source, moved_by, moved_at)
select gen_random_uuid(), group_id, id, seq, policy_id, cause, at::date, change, reserve, source, pg_temp.person(role), at
from book_reserves;

-- # payouts
create temp table book_payouts as
  select *, row_number() over (partition by extract(year from created_at) order by created_at, c) as payout_place, pg_temp.id('payout', c) as payout_id,
    case when state = 'paid' then 'completed' else (array['pending', 'pending', 'processing', 'failed'])[1 + c / 100 % 4] end as payout_state
  from book_claims where state = 'paid' or (state = 'approved' and c % 2 = 0);
insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, member_id, amount_cents, method, reference, status, payee_name, payee_bank,
  payee_branch_code, payee_account_number, prepared_by, created_by, created_at, released_by, released_at, completed_on, completed_at, status_reason)
select payout_id, group_id, policy_id, pg_temp.numbered('PAY', created_at::date, payout_place), 'claim', id, pg_temp.numbered('CLM', created_at::date, number_in_year), member_id, asked, 'eft',
  pg_temp.numbered('CLM', created_at::date, number_in_year), payout_state, 'Nomsa Nkosi', 'FNB', '250655', '62000000000',
  array[pg_temp.person('manager')], pg_temp.person('manager'), created_at + interval '1 day',
  case when payout_state in ('processing', 'completed') then pg_temp.person('admin') end,
  case when payout_state in ('processing', 'completed') then created_at + interval '2 days' end,
  case when payout_state = 'completed' then created_at::date + 5 end,
  case when payout_state = 'completed' then created_at + interval '5 days' end,
  case when payout_state = 'failed' then 'The account is closed' end
from book_payouts;

-- # ledger
create temp table book_entries as
  with events (source, kind, on_day, at, description, record_kind, record_id, policy_id, group_id, reverses, sign, amounts) as (
    select 'invoice:' || invoice_id || ':sent', 'invoice_sent', invoice_on, invoice_on + time '10:00', 'Invoice sent', 'invoice', invoice_id, id, group_id, null::text, 1,
      jsonb_build_object('premium_debtors', subtotal + vat_cents, 'premium_income', -subtotal, 'vat_output', -vat_cents)
    from book_invoices where state = 'sent'
    union all
    select 'credit-note:' || id, 'credit_note', credited_on, created_at, 'Credit note ' || number, 'invoice', invoice_id, policy_id, group_id, null, 1,
      jsonb_build_object('premium_income', net_cents, 'vat_output', vat_cents, 'premium_debtors', -total_cents)
    from credit_notes
    union all
    select 'receipt:' || receipt_id, 'receipt_taken', received_on, received_on + time '11:00', 'Receipt', 'receipt', receipt_id, id, group_id, null, 1,
      jsonb_build_object('bank', cents + beyond, 'unallocated_receipts', -cents - beyond)
    from book_receipts
    union all
    select 'allocation:' || allocation_id, 'allocation', received_on, received_on + time '11:00', 'Receipt allocated', 'receipt', receipt_id, id, group_id, null, 1,
      jsonb_build_object('unallocated_receipts', cents, 'premium_debtors', -cents)
    from book_receipts
    union all
    select 'receipt:' || receipt_id || ':reversed', 'reversal', received_on, received_on + time '12:00', 'Receipt reversed', 'receipt', receipt_id, id, group_id, 'receipt:' || receipt_id, -1,
      jsonb_build_object('bank', cents + beyond, 'unallocated_receipts', -cents - beyond)
    from book_receipts where bounced
    union all
    select 'allocation:' || allocation_id || ':reversed', 'reversal', received_on, received_on + time '12:00', 'Allocation released', 'receipt', receipt_id, id, group_id, 'allocation:' || allocation_id, -1,
      jsonb_build_object('unallocated_receipts', cents, 'premium_debtors', -cents)
    from book_receipts where bounced
    union all
    select source, 'claim_reserve_changed', at::date, at, 'Reserve of claim ' || case when change > 0 then 'increased' else 'reduced' end, 'claim', id, policy_id, group_id, null, 1,
      jsonb_build_object('claims_expense', change, 'claims_outstanding', -change)
    from book_reserves where cause <> 'approved'
    union all
    select 'claim:' || id || ':approved', 'claim_approved', created_at::date, created_at + interval '7 hours', 'Claim approved', 'claim', id, policy_id, group_id, null, 1,
      jsonb_build_object('claims_outstanding', asked, 'claims_payable', -asked)
    from book_claims where state in ('approved', 'paid')
    union all
    select 'payout:' || payout_id || ':completed', 'claim_payout_completed', created_at::date + 5, created_at + interval '5 days', 'Claim paid', 'payout', payout_id, policy_id, group_id, null, 1,
      jsonb_build_object('claims_payable', asked, 'bank', -asked)
    from book_payouts where payout_state = 'completed'
  )
  select events.*, row_number() over (order by on_day, at, source) as place, overlay(overlay(md5('entry' || source) placing '4' from 13) placing '8' from 17)::uuid as entry_id
  from events;
insert into ledger_entries (id, source, kind, reverses_id, effective_on, posted_at, description, record_kind, record_id)
select entry_id, source, kind, overlay(overlay(md5('entry' || reverses) placing '4' from 13) placing '8' from 17)::uuid, on_day, at, description, record_kind, record_id
from book_entries order by place;
insert into ledger_postings (entry_id, line, account, policy_id, group_id, amount_cents, effective_on, seq, words)
select entry_id, row_number() over (partition by entry_id order by account) - 1, account, policy_id, group_id, sign * cents::bigint, on_day, e.seq, lower(e.description)
from book_entries join ledger_entries e on e.id = entry_id cross join jsonb_each_text(amounts) leg (account, cents) where cents::bigint <> 0;
insert into ledger_months (account, policy_id, group_id, month, debit_cents, credit_cents, postings)
select p.account, p.policy_id, p.group_id, date_trunc('month', e.effective_on), coalesce(sum(p.amount_cents) filter (where p.amount_cents > 0), 0),
  coalesce(-sum(p.amount_cents) filter (where p.amount_cents < 0), 0), count(*)
from ledger_postings p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3, 4;

-- # audit trail
insert into audit_log (at, actor_id, actor_name, actor_role, request_id, fact, record_kind, record_id, record_label, group_id, detail)
select at, pg_temp.person('manager'), 'Max Manager', 'manager', null, fact, kind, id, label, group_id, detail
from (
  select start_on + time '08:00' as at, 'MemberAdded' as fact, 'member' as kind, id, 'Member ' || n as label, group_id, jsonb_build_object('startOn', start_on) as detail from book_members
  union all
  select start_on + time '09:00', 'MemberUpdated', 'member', id, 'Member ' || n, group_id, '{"before": {"phone": ""}, "after": {"phone": "0820000000"}}' from book_members where n % 6 = 1
  union all
  select created_at + step * interval '1 hour', fact, 'claim', id, pg_temp.numbered('CLM', created_at::date, number_in_year), group_id,
    case fact when 'ClaimSubmitted' then '{"after": {}}' when 'ClaimPaid' then jsonb_build_object('paidOn', created_at::date + 5)
      when 'ClaimDecided' then jsonb_build_object('stage', 'underwriter', 'decision', 'approved', 'approvedAmountCents', asked, 'reason', null) else '{}' end
  from book_claims cross join (values (1, 'ClaimSubmitted'), (2, 'ClaimReviewStarted'), (3, 'ClaimRouted'), (6, 'ClaimDecided'), (120, 'ClaimPaid')) facts (step, fact)
  where state <> 'draft' and (state = 'paid' or fact not in ('ClaimPaid', 'ClaimDecided'))
  union all
  select created_at + step * interval '1 day', fact, 'payout', payout_id, pg_temp.numbered('PAY', created_at::date, payout_place), group_id,
    jsonb_build_object('amountCents', asked, 'claimId', id, 'completedOn', created_at::date + 5, 'after', '{}'::jsonb)
  from book_payouts cross join (values (1, 'PayoutMade'), (2, 'PayoutReleased'), (5, 'PayoutCompleted')) facts (step, fact) where payout_state = 'completed'
  union all
  select invoice_on + time '10:00', fact, 'invoice', invoice_id, pg_temp.numbered('INV', invoice_on, number_in_year), group_id,
    jsonb_build_object('totalCents', subtotal + vat_cents, 'policyId', id, 'dueOn', due_on, 'to', 'hr@employer.example')
  from book_invoices cross join (values ('InvoiceGenerated'), ('InvoiceSent')) facts (fact) where state = 'sent'
  union all
  select received_on + time '11:00', 'ReceiptRecorded', 'receipt', receipt_id, pg_temp.numbered('REC', received_on, place_in_year), group_id,
    jsonb_build_object('policyId', id, 'amountCents', cents + beyond, 'after', '{}'::jsonb) from book_receipts
  union all
  -- A policy that is looked after for years has a long history.
  select start_on + step * interval '1 day', 'PolicyUpdated', 'policy', id, pg_temp.numbered('GP', pg_temp.today(), place), group_id,
    '{"section": "contact", "before": {"contactPhone": ""}, "after": {"contactPhone": "0215550100"}}'
  from book_policies cross join generate_series(1, 200) step where place <= 50
) told order by at;

-- # mails and staff lists
insert into mails (id, group_id, to_address, subject, text_body, about_kind, about_id, state, next_attempt_at, created_at, sent_at, last_error)
select gen_random_uuid(), group_id, 'hr' || c % 1000 || '@employer.example', 'Claim ' || c || ' was received', 'Thank you.', 'claim', id,
  (array['sent', 'sent', 'sent', 'kept', 'failed'])[1 + c % 5], created_at, created_at, case when c % 5 < 3 then created_at end, case when c % 5 = 4 then 'Refused' end
from book_claims;
insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, created_at)
select pg_temp.id('list', place), group_id, 'staff_list', 'staff.csv', 'text/csv', 1, '', 'list-' || place, start_on from book_policies where place % 5 = 1;
insert into staff_lists (id, group_id, policy_id, file_id, file_name, extension, status, headers, header_line, sample, mapping, row_count,
  ready_count, joiner_count, added_count, created_by, created_at, committed_by, committed_at)
select pg_temp.id('import', place), group_id, id, pg_temp.id('list', place), 'staff.csv', 'csv', 'completed', '{Name}', 1, '[]', '{}', size, size, size, size,
  pg_temp.person('manager'), start_on, pg_temp.person('manager'), start_on from book_policies where place % 5 = 1;
insert into staff_list_rows (staff_list_id, group_id, row, line, status, outcome, member_id, first_name, last_name, tier_id, start_on)
select pg_temp.id('import', place), m.group_id, row_number() over (partition by place order by n), 1 + row_number() over (partition by place order by n),
  'ready', 'joiner', m.id, 'Thabo', 'Nkosi ' || n, m.tier_id, m.start_on
from book_members m where place % 5 = 1;

-- # counters
insert into number_counters (kind, year, last)
select 'policy', extract(year from pg_temp.today())::int, pg_temp.number('groups')
union all select 'invoice', extract(year from invoice_on)::int, max(number_in_year) from book_invoices group by 2
union all select 'credit_note', extract(year from pg_temp.today())::int, count(*) from credit_notes
union all select 'receipt', extract(year from received_on)::int, max(place_in_year) from book_receipts group by 2
union all select 'claim', extract(year from created_at)::int, max(number_in_year) from book_claims group by 2
union all select 'payout', extract(year from created_at)::int, max(payout_place) from book_payouts group by 2
on conflict (kind, year) do update set last = excluded.last;
select setval('member_numbers', max(last_n)) from book_policies;
