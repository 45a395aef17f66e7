-- The list as it is opened

with source as materialized (
    select s.id, s.on_day as "on", s.movement, s.joined, m.number as "memberNumber",
      m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber", t.name as tier,
      b.name as "tierBefore", case when f.rate_table_id is null then s.joined * f.premium_cents
        when s.joined <> 0 then s.joined * r.cents when (s.movement = 'tier_change' and s.kind = 'covered') then r.cents - earlier.cents else 0 end as "premiumCents",
      (case when s.joined <> 0 then r.unrated
        when (s.movement = 'tier_change' and s.kind = 'covered') then coalesce(r.unrated, earlier.unrated) end) as unrated, ((case when s.joined <> 0 then r.unrated
        when (s.movement = 'tier_change' and s.kind = 'covered') then coalesce(r.unrated, earlier.unrated) end) is not null)::int as "withoutRate",
      jsonb_build_object('kind', 'member', 'id', s.member_id) as opens, s.group_id as "_groupId", lower(g.name) as _group, m.name_key as _name
    from (
      select *, case when movement in ('joiner', 'resumed') then 1 when movement = 'leaver' and kind = 'covered' then -1
        when movement = 'suspended' and kind_before = 'covered' then -1 else 0 end as joined
      from (
        select coalesce(c.id, overlay(b.id::text placing '8' from 15)::uuid) as id, coalesce(c.member_id, b.member_id) as member_id,
          coalesce(c.group_id, b.group_id) as group_id, coalesce(c.policy_id, b.policy_id) as policy_id,
          coalesce(c.tier_id, b.tier_id) as tier_id, coalesce(c.on_day, b.on_day) as on_day, coalesce(c.kind, b.kind) as kind,
          b.kind as kind_before, case when c.policy_id = b.policy_id and c.kind = b.kind then b.tier_id end as tier_before, case
            when c.id is null then 'leaver'
            when b.id is null then case c.kind when 'covered' then 'joiner' else 'suspended' end
            when b.policy_id <> c.policy_id then 'transfer'
            when b.kind <> c.kind then case c.kind when 'covered' then 'resumed' else 'suspended' end
            when b.tier_id <> c.tier_id then 'tier_change' end as movement
        from (
          select id, member_id, group_id, policy_id, tier_id, kind, lower(valid) as on_day from member_covers
          where superseded_at is null and lower(valid) between '2026-11-02'::date and '2026-11-02'::date) c
        full join (
          select id, member_id, group_id, policy_id, tier_id, kind, upper(valid) as on_day from member_covers
          where superseded_at is null and upper(valid) between '2026-11-02'::date and '2026-11-02'::date) b on b.member_id = c.member_id and b.on_day = c.on_day
      ) changes where movement is not null
    ) s
    left join members m on m.id = s.member_id left join policies p on p.id = s.policy_id
    left join employer_groups g on g.id = s.group_id
    left join benefit_tiers t on t.id = s.tier_id left join benefit_tiers b on b.id = s.tier_before
    left join policy_premiums f on f.policy_id = s.policy_id and f.superseded_at is null
      and f.valid @> (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)
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
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents, (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end) as month,
  case t.age_on when 'month' then date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date else (coalesce(p.start_on, date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date::timestamp, p.start_on::timestamp))::int)))::date end as ages_on
    from rate_tables t where t.id = f.rate_table_id
  ) mo
  cross join (select s.member_id as member_id, s.tier_id as tier_id) c
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
  where m.id = c.member_id and f.rate_table_id is not null) r on true
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
      where r.rate_table_id = t.id and r.person not in ('member', 'family')) as rates_dependents, (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end) as month,
  case t.age_on when 'month' then date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date else (coalesce(p.start_on, date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date) + make_interval(
    years => greatest(0, extract(year from age(date_trunc('month', (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)::timestamp)::date::timestamp, p.start_on::timestamp))::int)))::date end as ages_on
    from rate_tables t where t.id = case when s.tier_before is not null then f.rate_table_id end
  ) mo
  cross join (select s.member_id as member_id, s.tier_before as tier_id) c
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
  where m.id = c.member_id and case when s.tier_before is not null then f.rate_table_id end is not null) earlier on true
),
found as materialized (
  select s.id from source s where true
  order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'joined', coalesce(sum(s."joined"), 0), 'premiumCents', coalesce(sum(s."premiumCents"), 0), 'withoutRate', coalesce(sum(s."withoutRate"), 0)) as figures
    from source s where true) each) as figures;
