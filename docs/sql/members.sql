-- The list as it is opened

select array(with
source as not materialized (  select m.*
    , m.search_key as search_text
  from members m
  where true)
select s.id from source s
where true
  order by s."last_name_key" asc, s."name_key" asc, s.id asc
  limit 25 offset 0) as ids, (select coalesce(jsonb_object_agg(value, figures), '{}') from (select c.status as value, jsonb_build_object('count', c.count) as figures
from (
  select coalesce(sum(pending), 0) as pending, coalesce(sum(active), 0) as active,
    coalesce(sum(suspended), 0) as suspended, coalesce(sum(terminated), 0) as terminated
  from member_counts m
  where true
) m
cross join lateral (
  values ('Pending', m.pending), ('Active', m.active), ('Suspended', m.suspended), ('Terminated', m.terminated)
) c (status, count)) each) as figures;

-- A search

with
source as not materialized (  select m.*
    , m.search_key as search_text
  from members m
  where true),
by_dependent as materialized (
    select d.member_id as id from dependents d
  where true
    and lower(d.first_name || ' ' || d.last_name) like '%nkosi%' limit 2501
),
by_group as materialized (  select g.id from employer_groups g
  where true
    and lower(g.name) like '%nkosi%' limit 2501),
hits as materialized (
  (select   s.id, s.status, s.last_name_key, s.name_key, s.number, s.employee_number, s.start_on from source s
    where   (true
    and s.search_text like '%nkosi%'
  )
    limit 2501)
  union
  (select   s.id, s.status, s.last_name_key, s.name_key, s.number, s.employee_number, s.start_on from source s
    where s.id = any (array(select id from by_dependent))
    limit 2501)
  union
  (select   s.id, s.status, s.last_name_key, s.name_key, s.number, s.employee_number, s.start_on from source s
    where s.group_id = any (array(select id from by_group))
    limit 2501)
)
select
  array(
    select s.id from hits s
    where true
      order by s."last_name_key" asc, s."name_key" asc, s.id asc
  limit 25 offset 0
  ) as ids
  , (select coalesce(jsonb_object_agg(value, figures), '{}') from (
      select s.status as value, jsonb_build_object('count', count(*)) as figures from hits s group by 1) each) as figures
  , (select count(*) > 2500 from hits)
    or (select count(*) > 2500 from by_dependent)
    or (select count(*) > 2500 from by_group) as overflows
  , (select s.id from hits s
      where true
order by s."last_name_key" asc, s."name_key" asc, s.id asc
      limit 1 offset 24) as bound;

-- The rows of a page

select m.id, m.number, m.first_name as "firstName", m.last_name as "lastName",
m.email as "email", m.preferred_language as "preferredLanguage", m.employee_number as "employeeNumber", m.job_title as "jobTitle",
  m.id_number as "idNumber",
  m.group_id as "groupId", g.name as "groupName",
  m.policy_id as "policyId", p.number as "policyNumber",
  case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated,
  m.tier_id as "_tierId", t.name as "tierName", m.status, m.start_on as "startOn", m.end_on as "endOn",
  m.to_complete as "toComplete", m.version, p.status as "_policyStatus", m.forgotten_on as "_forgottenOn",
  (select count(*) from dependents d where d.member_id = m.id and coalesce(d.until_on >= '2026-11-02'::date, true)) as dependents
from unnest('{}'::uuid[]) with ordinality found (id, place)
join members m on m.id = found.id
left join policies p on p.id = m.policy_id
left join employer_groups g on g.id = m.group_id
left join benefit_tiers t on t.id = m.tier_id
left join lateral (
  select case when bool_and(rate.cents is not null) then sum(rate.cents)::bigint end as cents,
    ('{No rate for the member,No date of birth,No salary,No sum assured for the tier,No rate for the spouse,No date of birth: spouse,No salary,No sum assured for the tier,No rate for the child,No date of birth: child,No salary,No sum assured for the tier,No rate for the parent,No date of birth: parent,No salary,No sum assured for the tier,No rate for the other dependent,No date of birth: other dependent,No salary,No sum assured for the tier,No rate for the family,No date of birth,No salary,No sum assured for the tier}'::text[])[min(array_position('{member no row,member no date of birth,member no salary,member no sum assured,spouse no row,spouse no date of birth,spouse no salary,spouse no sum assured,child no row,child no date of birth,child no salary,child no sum assured,parent no row,parent no date of birth,parent no salary,parent no sum assured,other no row,other no date of birth,other no salary,other no sum assured,family no row,family no date of birth,family no salary,family no sum assured}'::text[], who.person || case
      when coalesce(one.position, every.position) is not null
        then case mo.sum_kind when 'salary' then ' no salary' else ' no sum assured' end
      when who.born_on is null and exists (select from rate_rows r
        where r.rate_table_id = mo.rate_table_id and r.person = who.person and r.ages is not null) then ' no date of birth'
      else ' no row' end)) filter (where rate.cents is null)] as unrated
  from (
    select t.id as rate_table_id,
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents, least(greatest('2026-11-02'::date, m.start_on, p.start_on), m.end_on) as month,
  case t.age_on when 'month' then date_trunc('month', least(greatest('2026-11-02'::date, m.start_on, p.start_on), m.end_on)::timestamp)::date else (coalesce(p.start_on, date_trunc('month', least(greatest('2026-11-02'::date, m.start_on, p.start_on), m.end_on)::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', least(greatest('2026-11-02'::date, m.start_on, p.start_on), m.end_on)::timestamp)::date::timestamp, p.start_on::timestamp))::int)))::date end as ages_on
    from rate_tables t where t.id = p.rate_table_id
  ) mo
  cross join (select m.id as member_id, m.tier_id as tier_id) c
  cross join members m
  left join lateral (select true as found, b.born_on from former_birth_dates b
    where false
    order by b.superseded_at, b.id limit 1) before on true
  cross join lateral (select case when before.found then before.born_on else m.date_of_birth end as born_on) own
  cross join lateral (
    select 'member' as person, own.born_on
    union all
    select d.relationship, d.born_on from dependent_covers d
    where mo.rates_dependents and d.member_id = c.member_id and d.valid @> mo.month and d.superseded_at is null
    union all
    select 'family', own.born_on
    where mo.rates_families and exists (select from dependent_covers d
      where d.member_id = c.member_id and d.valid @> mo.month and d.superseded_at is null)
  ) who
  left join rate_rows one on one.rate_table_id = mo.rate_table_id and one.person = who.person
      and (one.ages is null or one.ages @> date_part('year', age(greatest(mo.ages_on, who.born_on)::timestamp, who.born_on::timestamp))::int) and one.tier_id = c.tier_id
  left join rate_rows every on one.position is null and every.rate_table_id = mo.rate_table_id and every.person = who.person
      and (every.ages is null or every.ages @> date_part('year', age(greatest(mo.ages_on, who.born_on)::timestamp, who.born_on::timestamp))::int) and every.tier_id is null
  cross join lateral (
    select coalesce(one.cents, every.cents, round(case mo.sum_kind
        when 'fixed' then mo.sum_cents
        when 'tier' then (select s.cents from rate_sums s where s.rate_table_id = mo.rate_table_id and s.tier_id = c.tier_id)
        when 'salary' then mo.salary_multiple * (select e.monthly_cents from member_salaries e
          where e.member_id = c.member_id and e.valid @> mo.month and e.superseded_at is null)
      end * coalesce(one.per_mille, every.per_mille) / 1000)) as cents
  ) rate
  where m.id = c.member_id and p.rate_table_id is not null) r on true
order by found.place;
