-- As it is opened

with source as materialized (
    with covers as (
      select c.*, lag(kind) over w as kind_before, lag(tier_id) over w as tier_before, lag(policy_id) over w as policy_before,
        lag(valid) over w as valid_before, lead(valid) over w as valid_after
      from member_covers c
      where c.superseded_at is null and c.member_id in (
        select member_id from member_covers where superseded_at is null and not isempty(valid)
          and (lower(valid) between '2026-11-02'::date and '2026-11-02'::date or upper(valid) between '2026-11-02'::date and '2026-11-02'::date))
        and not isempty(c.valid)
      window w as (partition by member_id order by lower(valid))
    ), steps as (
      select c.*, lower(valid) as on_day, case
          when valid_before is null or upper(valid_before) <> lower(valid) then case kind when 'covered' then 'joiner' else 'suspended' end
          when policy_before <> policy_id then 'transfer'
          when kind_before <> kind then case kind when 'covered' then 'resumed' else 'suspended' end
          when tier_before <> tier_id then 'tier_change' end as movement
      from covers c
      union all
      select c.*, upper(valid), 'leaver' from covers c
      where upper(valid) is not null and (valid_after is null or lower(valid_after) <> upper(valid))
    )
    select overlay(overlay(md5(s.id || s.movement || s.on_day) placing '4' from 13) placing '8' from 17)::uuid as id, s.on_day as "on", s.movement, m.number as "memberNumber",
      m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName", p.number as "policyNumber", t.name as tier,
      case when s.movement = 'tier_change' then b.name end as "tierBefore",
      case s.movement when 'joiner' then 1 when 'leaver' then case s.kind when 'covered' then -1 else 0 end
        when 'resumed' then 1 when 'suspended' then case s.kind_before when 'covered' then -1 else 0 end else 0 end as joined,
      case s.movement when 'joiner' then 1 when 'leaver' then case s.kind when 'covered' then -1 else 0 end
        when 'resumed' then 1 when 'suspended' then case s.kind_before when 'covered' then -1 else 0 end else 0 end
        * (
  select case when f.rate_table_id is null then f.premium_cents end from policy_premiums f
  where f.policy_id = s.policy_id and f.superseded_at is null and f.valid @> (case s.movement when 'leaver' then s.on_day - 1 else s.on_day end)) as "premiumCents",
      jsonb_build_object('kind', 'member', 'id', m.id) as opens, s.group_id as "_groupId", lower(g.name) as _group, m.name_key as _name
    from steps s
    join members m on m.id = s.member_id join policies p on p.id = s.policy_id join employer_groups g on g.id = s.group_id
    join benefit_tiers t on t.id = s.tier_id left join benefit_tiers b on b.id = s.tier_before
    where s.movement is not null and s.on_day between '2026-11-02'::date and '2026-11-02'::date
),
found as materialized (
  select s.id from source s where s."_group" is not null
  order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."on" asc, s."_group" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'joined', coalesce(sum(s."joined"), 0), 'premiumCents', coalesce(sum(s."premiumCents"), 0)) as figures
    from source s where true) each) as figures;
