-- As it is opened

with source as not materialized (
    select s.id, s.on_day as "on", s.movement, s.joined, m.number as "memberNumber",
      m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber", t.name as tier,
      b.name as "tierBefore", s.joined * case when f.rate_table_id is null then f.premium_cents end as "premiumCents",
      jsonb_build_object('kind', 'member', 'id', s.member_id) as opens, s.group_id as "_groupId", s.group_key as _key, lower(g.name) as _group,
      m.name_key as _name
    from cover_steps s
    left join members m on m.id = s.member_id left join policies p on p.id = s.policy_id
    left join employer_groups g on g.id = s.group_id
    left join benefit_tiers t on t.id = s.tier_id left join benefit_tiers b on b.id = s.tier_before
    left join policy_premiums f on f.policy_id = s.policy_id and f.superseded_at is null
      and f.valid @> (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)
    where s.on_day between '2026-11-02'::date and '2026-11-02'::date
),
found as materialized (
  select s.id from source s where s."_key" is not null
  order by s."on" asc, s."_key" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."on" asc, s."_key" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'joined', coalesce(sum(s."joined"), 0), 'premiumCents', coalesce(sum(s."premiumCents"), 0)) as figures
    from source s where true) each) as figures;
