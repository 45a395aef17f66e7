-- What matching is measured on: policies with ten open invoices each, what they paid last year, payers that were learnt, and
-- a line of the bank for every invoice, written as payers write. Made as book.sql is.
--
-- Settings: book.policies (a multiple of 10), book.account (the main bank account), book.today.
--
-- Every fifth group has two policies. Of half the policies all months are alike, as premiums are, and the same amounts
-- stand with many others. Truth is kept in bench_truth: whose a line is, and which invoice it pays.

-- # employers
create temp table book_policies as
  select p, pg_temp.id('policy', p) as id, pg_temp.id('group', g) as group_id, g, name,
    upper(regexp_replace(name, '[^A-Za-z ]', '', 'g')) as said, p = g as is_first
  from (select p, case when p > size * 5 / 6 then p - size * 5 / 6 else p end as g
    from (select p, pg_temp.number('policies') as size from generate_series(1, pg_temp.number('policies')) p) sized) of
  cross join lateral (select
    (array['Soweto','Umlazi','Karoo','Highveld','Cape','Zululand','Limpopo','Tshwane','Algoa','Kalahari','Mopane','Baobab','Overberg',
      'Magalies','Garden Route','Drakens','Maluti','Waterberg','Swartland','Pongola'])[1 + g % 20] || ' '
    || (array['Retail','Mining Supplies','Transport','Security','Bakery','Citrus','Textiles','Engineering','Plumbing','Foods','Logistics',
      'Motors','Timber','Hotels','Dairy','Poultry','Printing','Steel','Optics','Roofing'])[1 + g / 20 % 20]
    || case when g >= 400 then ' ' || (array['Abel','Botha','Cele','Dube','Els','Fourie','Gumede','Hadebe','Ismail','Jacobs','Khoza',
      'Louw','Molefe','Nkosi','Olivier','Pillay','Radebe','Sithole','Tau','Venter'])[g / 400 % 20 + 1] else '' end
    || case when g >= 8000 then ' ' || (array['North','South','East','West'])[1 + g / 8000 % 4] else '' end as name) named;
insert into employer_groups (id, name, created_at)
select group_id, name || (array[' (Pty) Ltd','',' CC',' (Pty) Ltd',' Ltd'])[1 + g % 5], pg_temp.today() - 400 from book_policies where is_first;
insert into policies (id, group_id, number, status, description, product_type_id, coverage_type, premium_cents, sum_assured_cents,
  start_on, activated_at, created_at, updated_at)
select id, group_id, pg_temp.numbered('GP', pg_temp.today() - 365, p), 'Active', 'Staff scheme', (select id from product_types order by name limit 1),
  'life', 35000, 100000000, pg_temp.today() - 390, pg_temp.today() - 390, pg_temp.today() - 400, pg_temp.today() - 390
from book_policies;

-- # invoices
create temp table book_invoices as
  select b.*, m, pg_temp.id('invoice', m * pg_temp.number('policies') + p) as invoice_id,
    pg_temp.numbered('INV', invoice_on, m * pg_temp.number('policies') + p) as number, invoice_on,
    case when p % 2 = 0 then 35000 * (1 + p % 60) else 30011 + p * 37 + m * 1009 end as cents
  from book_policies b cross join generate_series(0, 9) m
  cross join lateral (select make_date(extract(year from pg_temp.today())::int, m + 1, 1) as invoice_on) month;
insert into invoices (id, group_id, policy_id, number, kind, status, invoice_on, due_on, period_start_on, period_end_on, subtotal_cents,
  vat_percent, vat_cents, total_cents, sent_to, pdf_file_id, created_at, approved_at, sent_at)
select invoice_id, group_id, id, number, 'premium', 'sent', invoice_on, invoice_on + 30, invoice_on, (invoice_on + interval '1 month')::date - 1,
  cents, 0, 0, cents, 'hr@employer.example', pg_temp.id('pdf', p), invoice_on, invoice_on, invoice_on
from book_invoices;
insert into receipts (id, group_id, policy_id, number, amount_cents, method, received_on, reference, created_at)
select pg_temp.id('receipt', p), group_id, id, pg_temp.numbered('REC', received_on, p), cents, 'bank_transfer', received_on, 'EFT ' || said, received_on
from book_invoices cross join lateral (select invoice_on - 27 as received_on) before where m = 0;

-- # payers
-- Those of every third policy pay through a bureau, whose text people confirmed.
create temp table book_payers as
  select p, 'BUREAU ' || translate(lpad(p::text, 6, '0'), '0123456789', 'BCDFGHJKLM') as payer from book_policies where p % 3 = 0;
insert into bank_payers (id, payer, policy_id, group_id, confirmed, last_at)
select pg_temp.id('payer', p), payer, id, group_id, 1 + p % 4, pg_temp.today() - 30 from book_payers join book_policies using (p);

-- # lines
-- How the payer of each writes; what they pay by name alone is the oldest of its amount.
create temp table book_lines as
  select i.*, (m * 7 + p / 4) % 10 as way, payer, m * pg_temp.number('policies') + p as place
  from book_invoices i left join book_payers using (p);
insert into bank_statements (id, number, account_id, file_id, file_name, sha256, format, from_on, to_on, new_count, known_count, imported_at)
select pg_temp.id('statement', 1), 'BST-0001', pg_temp.person('account'), pg_temp.id('file', 1), 'statement.csv', 'x', 'csv',
  pg_temp.today() - 15, pg_temp.today(), count(*), 0, pg_temp.today() from book_lines;
insert into bank_lines (id, account_id, statement_id, line, day, amount_cents, text, reference, ordinal)
select pg_temp.id('line', place), pg_temp.person('account'), pg_temp.id('statement', 1), place, pg_temp.today() - (place % 15)::int,
  case when place % 100 = 7 then -7500 - place % 9 else cents end,
  case when place % 100 = 7 then 'MONTHLY ACCOUNT FEE'
    else (array['ACB CREDIT ','FNB APP PAYMENT FROM ','IB PAYMENT FROM ','MAGTAPE CREDIT '])[1 + place % 4] || case
      when way <= 3 then said || ' ' || number
      when way = 4 then number
      when way = 5 then said || ' ' || pg_temp.numbered('GP', pg_temp.today() - 365, p)
      when way = 6 then said || ' PREMIUM'
      when way = 7 then said || ' ' || regexp_replace(number, '-0*([0-9]+)$', '-\1')
      when way = 8 and payer is not null then payer
      else (regexp_replace(said, ' ', '', 'g')) || translate(number, '0', 'O') end end, '',
  row_number() over (order by place)
from book_lines;
create table bench_truth as
  select pg_temp.id('line', place) as line_id, case when place % 100 <> 7 then id end as policy_id,
    case when place % 100 = 7 then null when p % 2 = 0 and (way in (5, 6) or way = 8 and payer is not null)
      then pg_temp.id('invoice', p) else invoice_id end as invoice_id
  from book_lines;
