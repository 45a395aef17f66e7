-- As it is opened

with common as materialized (
    select s.id, s.on_day as "on", s.movement, s.joined,
      s.joined * case when f.rate_table_id is null then f.premium_cents end as "premiumCents", s.member_id as "_memberId",
      s.group_id as "_groupId", s.policy_id as "_policyId", s.tier_id as "_tierId",
      case when s.movement = 'tier_change' then s.tier_before end as "_tierBefore"
    from (
      select *, case movement when 'joiner' then 1 when 'leaver' then case kind when 'covered' then -1 else 0 end
        when 'resumed' then 1 when 'suspended' then case kind_before when 'covered' then -1 else 0 end else 0 end as joined
      from (
        select coalesce(c.id, overlay(b.id::text placing '8' from 15)::uuid) as id, coalesce(c.member_id, b.member_id) as member_id,
          coalesce(c.group_id, b.group_id) as group_id, coalesce(c.policy_id, b.policy_id) as policy_id,
          coalesce(c.tier_id, b.tier_id) as tier_id, coalesce(c.on_day, b.on_day) as on_day, coalesce(c.kind, b.kind) as kind,
          b.kind as kind_before, b.tier_id as tier_before, case
            when c.id is null then 'leaver'
            when b.id is null then case c.kind when 'covered' then 'joiner' else 'suspended' end
            when b.policy_id <> c.policy_id then 'transfer'
            when b.kind <> c.kind then case c.kind when 'covered' then 'resumed' else 'suspended' end
            when b.tier_id <> c.tier_id then 'tier_change' end as movement
        from (
          select id, member_id, group_id, policy_id, tier_id, kind, lower(valid) as on_day from member_covers
          where superseded_at is null and lower(valid) between '2026-11-02'::date and '2026-11-02'::date
        ) c
        full join (
          select id, member_id, group_id, policy_id, tier_id, kind, upper(valid) as on_day from member_covers
          where superseded_at is null and upper(valid) between '2026-11-02'::date and '2026-11-02'::date
        ) b on b.member_id = c.member_id and b.on_day = c.on_day
      ) steps where movement is not null
    ) s
    left join policy_premiums f on f.policy_id = s.policy_id and f.superseded_at is null
      and f.valid @> (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)
),
source as not materialized (
    select s.*, m.number as "memberNumber", m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName",
      p.number as "policyNumber", t.name as tier, b.name as "tierBefore", jsonb_build_object('kind', 'member', 'id', s."_memberId") as opens,
      lower(g.name) as _group, m.name_key as _name
    from common s
    left join members m on m.id = s."_memberId" left join policies p on p.id = s."_policyId"
    left join employer_groups g on g.id = s."_groupId"
    left join benefit_tiers t on t.id = s."_tierId" left join benefit_tiers b on b.id = s."_tierBefore"
),
found as materialized (
  select s.id from source s where s.id in (
    select s.id from source s where s."_group" is not null
    order by s."on" asc, s."_group" asc fetch first 25 rows with ties
  )
  order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'joined', coalesce(sum(s."joined"), 0), 'premiumCents', coalesce(sum(s."premiumCents"), 0)) as figures
    from source s where true) each) as figures;
