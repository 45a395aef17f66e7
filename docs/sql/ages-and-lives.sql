-- The list as it is opened

with source as materialized (
    select overlay(overlay(md5(l.band || coalesce(l.gender, '') || l.tier_id) placing '4' from 13) placing '8' from 17)::uuid as id, l.band, l.gender, t.name as tier,
      sum(l.lives)::int as lives, round(sum(l.lives * l.age) / sum(l.lives), 1)::float8 as "averageAge",
      coalesce(sum(l.insured), 0)::bigint as "insuredCents",
      (array_position('{Under 25,25 to 34,35 to 44,45 to 54,55 to 64,65 and over,Not known}'::text[], l.band) * 1000 + coalesce(array_position('{female,male,other}'::text[], l.gender), 9) * 100
        + max(t.position))::int as place
    from (
      select a.*, case when age is null then 'Not known' when age < 25 then 'Under 25' when age < 35 then '25 to 34'
        when age < 45 then '35 to 44' when age < 55 then '45 to 54' when age < 65 then '55 to 64' else '65 and over' end as band
      from (
        select gender, tier_id, 130::int - width_bucket(born_on, array(
  select ('2026-11-02'::date - make_interval(years => n))::date + 1 from generate_series(130::int, 1, -1) n)) as age,
          count(*) as lives, sum(insured) as insured
        from (
        select m.gender, c.tier_id, m.date_of_birth as born_on,
          case when s.id is null then p.sum_assured_cents else s.sum_assured_cents end as insured
        from (
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> '2026-11-02'::date) c join members m on m.id = c.member_id join policies p on p.id = c.policy_id
        left join policy_cover_terms s on s.policy_id = p.id and s.term = 'sum assured' and s.superseded_at is null
          and s.valid @> '2026-11-02'::date
        where c.kind = 'covered'
        ) b
        group by 1, 2, 3
      ) a
    ) l join benefit_tiers t on t.id = l.tier_id
    group by l.band, l.gender, l.tier_id, t.name
),
found as materialized (
  select s.id from source s where true
  order by s."place" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."place" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'lives', coalesce(sum(s."lives"), 0), 'insuredCents', coalesce(sum(s."insuredCents"), 0)) as figures
    from source s where true) each) as figures;
