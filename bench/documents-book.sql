-- Employers with their policies and 200,000 papers: what the list of policy documents is measured on. Made as book.sql is.
--
-- Settings: book.groups, book.people (papers in all), book.today; book.manager (a user). Every tenth paper is of the first
-- employer; one policy in five lacks its company registration.

-- # groups and policies
create temp table book_policies as
  select place, pg_temp.id('group', 1 + (place - 1) / 2) as group_id, 1 + (place - 1) / 2 as employer, pg_temp.id('policy', place) as id,
    (pg_temp.today() - interval '3 years')::date as start_on,
    (select id from product_types where name = case when place % 3 = 0 then 'Group Health' else 'Group Life' end) as product_type_id
  from generate_series(1, pg_temp.number('groups') * 2) place;
insert into employer_groups (id, name, created_at)
select distinct group_id, (array['Acacia','Baobab','Cedar','Protea','Umkhonto','Karoo','Highveld'])[1 + employer % 7] || ' '
  || (array['Foods','Mining','Logistics','Retail','Textiles','Hotels','Farming','Steel'])[1 + employer % 8] || ' ' || employer, now()
from book_policies;
insert into policies (id, group_id, number, status, description, product_type_id, coverage_type, premium_cents, sum_assured_cents,
  start_on, contact_name, contact_email, contact_phone, contact_position, activated_at, created_at, updated_at)
select id, group_id, pg_temp.numbered('GP', pg_temp.today(), place), 'Active', 'Staff scheme', product_type_id, 'life', 35000, 100000000,
  start_on, 'Thandi Mokoena', 'hr' || place || '@employer.example', '0215550100', 'HR manager',
  start_on + time '08:00', start_on - 20 + time '08:00', start_on + time '08:00'
from book_policies;
-- Somebody in each group, and most in the first: that is how the book's readers are given theirs.
insert into members (id, group_id, policy_id, number, first_name, last_name, id_number, email, phone, date_of_birth, gender,
  employment_status, employer, job_title, tier_id, status, start_on, created_at, updated_at)
select pg_temp.id('member', place * 10 + k), group_id, id, 'M-' || lpad((place * 10 + k)::text, 6, '0'), 'Thabo', 'Nkosi',
  lpad((place * 10 + k)::text, 13, '0'), 'm' || place || k || '@employer.example', '0820000000', date '1980-01-01', 'male', 'employed', '',
  'Clerk', (select id from benefit_tiers order by position limit 1), 'Active', start_on, start_on + time '08:00', start_on + time '08:00'
from book_policies cross join generate_series(1, 5) k where place % 2 = 1 and (k = 1 or employer = 1 or k <= 1 + employer % 4);

-- # papers
create temp table book_papers as
  select n, p.*, t.id as type_id, t.name as type_name,
    pg_temp.today() - (n % 1400)::int + time '08:00' + n % 30000 * interval '1 second' as at
  from generate_series(1, pg_temp.number('people')) n
  join book_policies p on p.place = case when n % 10 = 0 then 1 + n / 10 % 2 else 1 + n * 7919 % (pg_temp.number('groups') * 2) end
  join (select *, row_number() over (order by lower(name)) - 1 as at from policy_document_types) t on t.at = n / 3 % 10
  where t.name <> 'Company registration' or p.place % 5 <> 0;
insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, uploaded_by, created_at)
select pg_temp.id('paper', n), group_id, 'policy_document', 'paper.pdf', 'application/pdf', 1000 + n % 900000, '', 'paper-' || n,
  pg_temp.person('manager'), at from book_papers;
insert into policy_documents (id, group_id, policy_id, document_type, name, file_id, uploaded_by, uploaded_at)
select pg_temp.id('document', n), group_id, id, type_id, type_name || ' ' || (array['signed','scan','copy','final','branch'])[1 + n % 5]
  || ' ' || n, pg_temp.id('paper', n), pg_temp.person('manager'), at from book_papers;
