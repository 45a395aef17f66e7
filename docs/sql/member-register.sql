-- As it is opened

with source as not materialized (
    select m.id, m.number, m.first_name || ' ' || m.last_name as name, coalesce(m.id_number, m.passport_number) as "idNumber",
      m.date_of_birth as "dateOfBirth", m.gender, g.name as "groupName", p.number as "policyNumber", t.name as tier, c.kind as cover,
      m.start_on as "startOn", (select count(*)::int from dependents d where d.member_id = m.id and d.from_on <= '2026-11-02'::date
        and coalesce(d.until_on >= '2026-11-02'::date, true)) as dependents,
      case c.kind when 'covered' then (
  select case when f.rate_table_id is null then f.premium_cents end from policy_premiums f
  where f.policy_id = c.policy_id and f.superseded_at is null and f.valid @> '2026-11-02'::date) else 0 end as "premiumCents",
      jsonb_build_object('kind', 'member', 'id', m.id) as opens, m.group_id as "_groupId", c.policy_id as "_policyId", m.last_name_key as "_lastName",
      m.name_key as _name, lower(g.name) as _group
    from (
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> '2026-11-02'::date) c join members m on m.id = c.member_id left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = m.group_id left join benefit_tiers t on t.id = c.tier_id
),
found as materialized (
  select s.id from source s where true
  order by s."number" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."number" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (select '' as value, jsonb_build_object('count', (select count(*) from (select from source s where true limit 10001) counted)) as figures) each) as figures;
