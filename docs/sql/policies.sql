-- The list as it is opened

with source as not materialized (
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", t.name as "productTypeName", p.status,
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      r.cents as "monthlyPremiumCents", r.unrated, (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = p.id) as "memberCount",
      p.created_at as "_createdAt", p.group_id as "_groupId", p.product_type_id as "_productTypeId",
      lower(p.number) as _number, lower(g.name) as _group
    from policies p
    left join employer_groups g on g.id = p.group_id
    left join product_types t on t.id = p.product_type_id
    left join lateral (
  select case when p.rate_table_id is null then p.premium_cents * (
      select coalesce(sum(n.pending + n.active), 0) from member_counts n where n.policy_id = p.id)::bigint
    else min(r.cents) end as cents,
    min(r.unrated) as unrated
  from (
  with mo as materialized (
    select o.*,
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents from (select p.id as policy_id, p.rate_table_id, p.start_on where p.rate_table_id is not null) o join rate_tables t on t.id = o.rate_table_id
  ), c as materialized (
    select mo.policy_id, k.*,
  case mo.age_on when 'month' then date_trunc('month', k.on_day::timestamp)::date else (coalesce(mo.start_on, date_trunc('month', k.on_day::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', k.on_day::timestamp)::date::timestamp, mo.start_on::timestamp))::int)))::date end as ages_on, mo.sum_kind, mo.rates_families,
      mo.rates_dependents
    from mo cross join lateral (
      select m.id as member_id, m.tier_id, m.date_of_birth as born_on,
        least(greatest('2026-11-02'::date, m.start_on, mo.start_on), m.end_on) as on_day
      from members m where m.policy_id = mo.policy_id and m.status in ('Active', 'Pending')) k
  )
  select mo.policy_id,
    case when coalesce(sum(who.people) filter (where rate.cents is null and who.people is not null), 0) = 0
      then coalesce(sum(who.people * rate.cents), 0)::bigint end as cents,
    case sum(who.people) filter (where rate.cents is null) when 1 then 'No rate for 1 person'
      else replace('No rate for 2 people', '2', (sum(who.people) filter (where rate.cents is null))::text) end as unrated,
    coalesce(sum(who.people) filter (where rate.cents is null), 0)::int as without_rate
  from mo left join (
    select policy_id, person, tier_id, date_part('year', age(greatest(ages_on, born_on)::timestamp, born_on::timestamp))::int as age, salary_cents, count(*) as people
    from (
      select c.policy_id, 'member' as person, c.tier_id, c.ages_on, c.born_on, case c.sum_kind when 'salary' then (
        select e.monthly_cents from member_salaries e
        where e.member_id = c.member_id and e.valid @> c.on_day and e.superseded_at is null) end as salary_cents
      from c
      union all
      select c.policy_id, d.relationship, c.tier_id, c.ages_on, d.born_on, null
      from c join dependent_covers d on d.member_id = c.member_id and d.valid @> c.on_day and d.superseded_at is null
      where c.rates_dependents
      union all
      select c.policy_id, 'family', c.tier_id, c.ages_on, c.born_on, null
      from c
      where c.rates_families and exists (select from dependent_covers d
        where d.member_id = c.member_id and d.valid @> c.on_day and d.superseded_at is null)
    ) people
    group by policy_id, person, tier_id, age, salary_cents
  ) who on who.policy_id = mo.policy_id
  left join rate_rows one on one.rate_table_id = mo.rate_table_id and one.person = who.person
      and (one.ages is null or one.ages @> who.age) and one.tier_id = who.tier_id
  left join rate_rows every on one.position is null and every.rate_table_id = mo.rate_table_id and every.person = who.person
      and (every.ages is null or every.ages @> who.age) and every.tier_id is null
  cross join lateral (
    select coalesce(one.cents, every.cents, round(case mo.sum_kind
        when 'fixed' then mo.sum_cents
        when 'tier' then (select s.cents from rate_sums s where s.rate_table_id = mo.rate_table_id and s.tier_id = who.tier_id)
        when 'salary' then mo.salary_multiple * who.salary_cents
      end * coalesce(one.per_mille, every.per_mille) / 1000)) as cents
  ) rate
  group by mo.policy_id) r) r on true
),
found as materialized (
  select s.id from source s where s."_createdAt" is not null
  order by s."_createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as not materialized (
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", t.name as "productTypeName", p.status,
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      r.cents as "monthlyPremiumCents", r.unrated, (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = p.id) as "memberCount",
      p.created_at as "_createdAt", p.group_id as "_groupId", p.product_type_id as "_productTypeId",
      lower(p.number) as _number, lower(g.name) as _group
    from policies p
    left join employer_groups g on g.id = p.group_id
    left join product_types t on t.id = p.product_type_id
    left join lateral (
  select case when p.rate_table_id is null then p.premium_cents * (
      select coalesce(sum(n.pending + n.active), 0) from member_counts n where n.policy_id = p.id)::bigint
    else min(r.cents) end as cents,
    min(r.unrated) as unrated
  from (
  with mo as materialized (
    select o.*,
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents from (select p.id as policy_id, p.rate_table_id, p.start_on where p.rate_table_id is not null) o join rate_tables t on t.id = o.rate_table_id
  ), c as materialized (
    select mo.policy_id, k.*,
  case mo.age_on when 'month' then date_trunc('month', k.on_day::timestamp)::date else (coalesce(mo.start_on, date_trunc('month', k.on_day::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', k.on_day::timestamp)::date::timestamp, mo.start_on::timestamp))::int)))::date end as ages_on, mo.sum_kind, mo.rates_families,
      mo.rates_dependents
    from mo cross join lateral (
      select m.id as member_id, m.tier_id, m.date_of_birth as born_on,
        least(greatest('2026-11-02'::date, m.start_on, mo.start_on), m.end_on) as on_day
      from members m where m.policy_id = mo.policy_id and m.status in ('Active', 'Pending')) k
  )
  select mo.policy_id,
    case when coalesce(sum(who.people) filter (where rate.cents is null and who.people is not null), 0) = 0
      then coalesce(sum(who.people * rate.cents), 0)::bigint end as cents,
    case sum(who.people) filter (where rate.cents is null) when 1 then 'No rate for 1 person'
      else replace('No rate for 2 people', '2', (sum(who.people) filter (where rate.cents is null))::text) end as unrated,
    coalesce(sum(who.people) filter (where rate.cents is null), 0)::int as without_rate
  from mo left join (
    select policy_id, person, tier_id, date_part('year', age(greatest(ages_on, born_on)::timestamp, born_on::timestamp))::int as age, salary_cents, count(*) as people
    from (
      select c.policy_id, 'member' as person, c.tier_id, c.ages_on, c.born_on, case c.sum_kind when 'salary' then (
        select e.monthly_cents from member_salaries e
        where e.member_id = c.member_id and e.valid @> c.on_day and e.superseded_at is null) end as salary_cents
      from c
      union all
      select c.policy_id, d.relationship, c.tier_id, c.ages_on, d.born_on, null
      from c join dependent_covers d on d.member_id = c.member_id and d.valid @> c.on_day and d.superseded_at is null
      where c.rates_dependents
      union all
      select c.policy_id, 'family', c.tier_id, c.ages_on, c.born_on, null
      from c
      where c.rates_families and exists (select from dependent_covers d
        where d.member_id = c.member_id and d.valid @> c.on_day and d.superseded_at is null)
    ) people
    group by policy_id, person, tier_id, age, salary_cents
  ) who on who.policy_id = mo.policy_id
  left join rate_rows one on one.rate_table_id = mo.rate_table_id and one.person = who.person
      and (one.ages is null or one.ages @> who.age) and one.tier_id = who.tier_id
  left join rate_rows every on one.position is null and every.rate_table_id = mo.rate_table_id and every.person = who.person
      and (every.ages is null or every.ages @> who.age) and every.tier_id is null
  cross join lateral (
    select coalesce(one.cents, every.cents, round(case mo.sum_kind
        when 'fixed' then mo.sum_cents
        when 'tier' then (select s.cents from rate_sums s where s.rate_table_id = mo.rate_table_id and s.tier_id = who.tier_id)
        when 'salary' then mo.salary_multiple * who.salary_cents
      end * coalesce(one.per_mille, every.per_mille) / 1000)) as cents
  ) rate
  group by mo.policy_id) r) r on true
),
hits as materialized (
  (select s."_createdAt", s."number", s."id", s."status" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."_createdAt", s."number", s."id", s."status" from source s where s._number like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_createdAt" is not null
  order by s."_createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
