-- The list as it is opened

with source as not materialized (
    select m.id, m.number, m.first_name || ' ' || m.last_name as name, coalesce(m.id_number, m.passport_number) as "idNumber",
      m.date_of_birth as "dateOfBirth", m.gender, g.name as "groupName", p.number as "policyNumber", t.name as tier, c.kind as cover,
      m.start_on as "startOn", (select count(*)::int from dependents d where d.member_id = m.id and d.from_on <= '2026-11-02'::date
        and coalesce(d.until_on >= '2026-11-02'::date, true)) as dependents,
      case c.kind when 'covered' then r.cents else 0 end as "premiumCents", case c.kind when 'covered' then r.unrated end as unrated,
      (c.kind = 'covered' and r.unrated is not null)::int as "withoutRate",
      jsonb_build_object('kind', 'member', 'id', m.id) as opens, m.group_id as "_groupId", c.policy_id as "_policyId", m.last_name_key as "_lastName",
      m.name_key as _name, lower(g.name) as _group
    from (
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> '2026-11-02'::date) c join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = m.group_id left join benefit_tiers t on t.id = c.tier_id
    left join lateral (
  select min(case when f.rate_table_id is null then f.premium_cents else r.cents end) as cents, min(r.unrated) as unrated
  from policy_premiums f join policies fp on fp.id = f.policy_id
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
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents, '2026-11-02'::date as month,
  case t.age_on when 'month' then date_trunc('month', '2026-11-02'::date::timestamp)::date else (coalesce(fp.start_on, date_trunc('month', '2026-11-02'::date::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', '2026-11-02'::date::timestamp)::date::timestamp, fp.start_on::timestamp))::int)))::date end as ages_on
    from rate_tables t where t.id = f.rate_table_id
  ) mo
  cross join (select c.member_id as member_id, c.tier_id as tier_id) c
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
  where m.id = c.member_id and f.rate_table_id is not null
  ) r on true
  where f.policy_id = c.policy_id and f.superseded_at is null and f.valid @> '2026-11-02'::date) r on true
),
found as materialized (
  select s.id from source s where true
  order by s."number" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."number" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (select '' as value, jsonb_build_object('count', (select count(*) from (select from source s where true limit 10001) counted)) as figures) each) as figures;
