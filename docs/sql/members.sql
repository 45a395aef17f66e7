-- As it is opened

with source as not materialized (
    select m.id as "id", m.number as "number", m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email as "email", m.preferred_language as "preferredLanguage", m.employee_number as "employeeNumber", m.job_title as "jobTitle", m.group_id as "groupId", m.policy_id as "policyId", m.status as "status", m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version as "version", m.group_id as "_groupId", m.policy_id as "_policyId", m.tier_id as "_tierId", m.forgotten_on as "_forgottenOn", (m.to_complete <> '{}' and m.status <> 'Terminated') as "_toComplete", m.last_name_key as "_lastName", m.name_key as "_name", m.search_key as "_search", g.name as "groupName", p.number as "policyNumber",
      case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated, t.name as "tierName",
      p.status as "_policyStatus", lower(g.name) as _group, p.number as _policy, t.position as _tier
    from members m
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
  left join lateral (select true as found, b.born_on from member_births_before b
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
),
found as materialized (
  select s.id from (select m.last_name_key as "_lastName", m.name_key as "_name", m.id as "id", m.status as "status", m.group_id as "_groupId" from members m) s where s."_lastName" is not null
  order by s."_lastName" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s."id", s."number", s."firstName", s."lastName", s."idNumber", s."email", s."preferredLanguage", s."employeeNumber", s."jobTitle", s."groupId", s."groupName", s."policyId", s."policyNumber", s."tierName", s."status", s."startOn", s."endOn", s."premiumCents", s."unrated", s."toComplete", s."version", s."_policyStatus", s."_forgottenOn", (select count(*) from dependents d where d.member_id = s.id) as dependents from found join source s on s.id = found.id order by s."_lastName" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', coalesce(sum(s.count), 0)) as figures
    from (
  select c.status, c.count from (
    select sum(pending) as pending, sum(active) as active, sum(suspended) as suspended, sum(terminated) as terminated
    from (select policy_id as "_policyId", group_id as "_groupId", * from member_counts) s where true
  ) m cross join lateral (
    values ('Pending', m.pending), ('Active', m.active), ('Suspended', m.suspended), ('Terminated', m.terminated)
  ) c (status, count)) s group by 1) each) as figures;

-- Searched

with source as not materialized (
    select m.id as "id", m.number as "number", m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email as "email", m.preferred_language as "preferredLanguage", m.employee_number as "employeeNumber", m.job_title as "jobTitle", m.group_id as "groupId", m.policy_id as "policyId", m.status as "status", m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version as "version", m.group_id as "_groupId", m.policy_id as "_policyId", m.tier_id as "_tierId", m.forgotten_on as "_forgottenOn", (m.to_complete <> '{}' and m.status <> 'Terminated') as "_toComplete", m.last_name_key as "_lastName", m.name_key as "_name", m.search_key as "_search", g.name as "groupName", p.number as "policyNumber",
      case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated, t.name as "tierName",
      p.status as "_policyStatus", lower(g.name) as _group, p.number as _policy, t.position as _tier
    from members m
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
  left join lateral (select true as found, b.born_on from member_births_before b
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
),
others_2 as materialized (select d.member_id as id from dependents d where lower(d.first_name || ' ' || d.last_name) like '%nkosi%' limit 2501
),
others_3 as materialized (select g.id from employer_groups g where lower(g.name) like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."_lastName", s."_name", s."id", s."status" from source s where s._search like '%nkosi%' limit 2501) union
  (select s."_lastName", s."_name", s."id", s."status" from source s where s."id" = any (array(select id from others_2)) limit 2501) union
  (select s."_lastName", s."_name", s."id", s."status" from source s where s."_groupId" = any (array(select id from others_3)) limit 2501)
),
found as materialized (
  select s.id from hits s where s."_lastName" is not null
  order by s."_lastName" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s."id", s."number", s."firstName", s."lastName", s."idNumber", s."email", s."preferredLanguage", s."employeeNumber", s."jobTitle", s."groupId", s."groupName", s."policyId", s."policyNumber", s."tierName", s."status", s."startOn", s."endOn", s."premiumCents", s."unrated", s."toComplete", s."version", s."_policyStatus", s."_forgottenOn", (select count(*) from dependents d where d.member_id = s.id) as dependents from found join source s on s.id = found.id order by s."_lastName" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 2500 from hits) or (select count(*) > 2500 from others_2) or (select count(*) > 2500 from others_3) as overflows, (
    select s.id from hits s where true
    order by s."_lastName" asc, s."_name" asc, s.id asc limit 1 offset 24) as bound;
