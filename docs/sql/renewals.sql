-- The list as it is opened

with source as materialized (
    select p.id, g.name as "groupName", p.number as "policyNumber", jsonb_build_object('kind', 'policy', 'id', p.id) as opens, p.group_id as "_groupId", lower(g.name) as _group, p.end_on as "endOn", p.status, p.start_on as "startOn",
      coalesce(m.at_start, 0) as "membersAtStart", coalesce(m.members, 0) as members, early.unrated as "unratedAtStart", r.unrated,
      coalesce(early.without_rate, 0) as "withoutRateAtStart", coalesce(r.without_rate, 0) as "withoutRate",
      case when early.policy_id is null then (
  select f.premium_cents * coalesce(m.at_start, 0) from policy_premiums f
  where f.policy_id = p.id and f.superseded_at is null and f.valid @> p.start_on and f.rate_table_id is null) else early.cents end as "premiumAtStartCents",
      case when r.policy_id is null then (
  select f.premium_cents * coalesce(m.members, 0) from policy_premiums f
  where f.policy_id = p.id and f.superseded_at is null and f.valid @> '2026-11-02'::date and f.rate_table_id is null) else r.cents end as "premiumCents", (case when x.earned > 0 then round(x.incurred * 100.0 / x.earned, 1) end)::float8 as "lossRatio"
    from policies p join employer_groups g on g.id = p.group_id
    left join (
      select e.id as policy_id, count(*) filter (where c.valid @> '2026-11-02'::date)::int as members,
        count(*) filter (where c.valid @> e.start_on)::int as at_start
      from (select id, start_on from policies where status <> 'Draft' and end_on between '2026-11-02'::date and '2026-11-02'::date) e
      join member_covers c on c.policy_id = e.id and c.superseded_at is null and c.kind = 'covered'
      group by e.id
    ) m on m.policy_id = p.id
    left join (
  with mo as materialized (
    select o.*,
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents from (
      select q.id as policy_id, q.start_on, q.on_day, f.rate_table_id from (select id, start_on, '2026-11-02'::date as on_day from policies where status <> 'Draft' and end_on between '2026-11-02'::date and '2026-11-02'::date) q
      join policy_premiums f on f.policy_id = q.id and f.superseded_at is null and f.valid @> q.on_day
      where f.rate_table_id is not null) o join rate_tables t on t.id = o.rate_table_id
  ), c as materialized (
    select mo.policy_id, k.*,
  case mo.age_on when 'month' then date_trunc('month', k.on_day::timestamp)::date else (coalesce(mo.start_on, date_trunc('month', k.on_day::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', k.on_day::timestamp)::date::timestamp, mo.start_on::timestamp))::int)))::date end as ages_on, mo.sum_kind, mo.rates_families,
      mo.rates_dependents
    from mo cross join lateral (
      select k.member_id, k.tier_id, km.date_of_birth as born_on, mo.on_day
      from member_covers k join members km on km.id = k.member_id
      where k.policy_id = mo.policy_id and k.superseded_at is null and k.kind = 'covered'
        and lower(k.valid) <= mo.on_day and (upper_inf(k.valid) or mo.on_day < upper(k.valid))) k
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
  group by mo.policy_id) r on r.policy_id = p.id
    left join (
  with mo as materialized (
    select o.*,
    t.sum_kind, t.sum_cents, t.salary_multiple, t.age_on,
    exists (select from rate_rows r where r.rate_table_id = t.id and r.person = 'family') as rates_families,
    exists (select from rate_rows r
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents from (
      select q.id as policy_id, q.start_on, q.on_day, f.rate_table_id from (select id, start_on, start_on as on_day from policies where status <> 'Draft' and end_on between '2026-11-02'::date and '2026-11-02'::date) q
      join policy_premiums f on f.policy_id = q.id and f.superseded_at is null and f.valid @> q.on_day
      where f.rate_table_id is not null) o join rate_tables t on t.id = o.rate_table_id
  ), c as materialized (
    select mo.policy_id, k.*,
  case mo.age_on when 'month' then date_trunc('month', k.on_day::timestamp)::date else (coalesce(mo.start_on, date_trunc('month', k.on_day::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', k.on_day::timestamp)::date::timestamp, mo.start_on::timestamp))::int)))::date end as ages_on, mo.sum_kind, mo.rates_families,
      mo.rates_dependents
    from mo cross join lateral (
      select k.member_id, k.tier_id, km.date_of_birth as born_on, mo.on_day
      from member_covers k join members km on km.id = k.member_id
      where k.policy_id = mo.policy_id and k.superseded_at is null and k.kind = 'covered'
        and lower(k.valid) <= mo.on_day and (upper_inf(k.valid) or mo.on_day < upper(k.valid))) k
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
  group by mo.policy_id) early on early.policy_id = p.id
    left join (
  select policy_id, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
  select policy_id, month, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
    select policy_id, month, net_cents as earned, 0 as incurred, 0 as ledger from premium_parts
    where earned_on is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp) - interval '11 months')::date and date_trunc('month', '2026-11-02'::date::timestamp)::date
    union all
    select policy_id, month, 0, case account when 'claims_expense' then debit_cents - credit_cents else 0 end,
      case account when 'premium_income' then credit_cents - debit_cents else 0 end
    from ledger_months
    where account in ('premium_income', 'claims_expense') and policy_id is not null and month between (date_trunc('month', '2026-11-02'::date::timestamp) - interval '11 months')::date and date_trunc('month', '2026-11-02'::date::timestamp)::date
  ) moved
  group by policy_id, month) months group by policy_id) x on x.policy_id = p.id
    where p.status <> 'Draft' and p.end_on between '2026-11-02'::date and '2026-11-02'::date
),
found as materialized (
  select s.id from source s where true
  order by s."endOn" asc, s."_group" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."endOn" asc, s."_group" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'membersAtStart', coalesce(sum(s."membersAtStart"), 0), 'members', coalesce(sum(s."members"), 0), 'premiumAtStartCents', coalesce(sum(s."premiumAtStartCents"), 0), 'premiumCents', coalesce(sum(s."premiumCents"), 0), 'withoutRateAtStart', coalesce(sum(s."withoutRateAtStart"), 0), 'withoutRate', coalesce(sum(s."withoutRate"), 0)) as figures
    from source s where true) each) as figures;
