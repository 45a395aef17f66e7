-- The list as it is opened

with source as not materialized (
    select d.id, m.number as "memberNumber", m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName",
      d.first_name || ' ' || d.last_name as name, d.relationship, d.id_number as "idNumber", d.date_of_birth as "dateOfBirth",
      extract(year from age('2026-11-02'::date, d.date_of_birth))::int as age, d.gender, d.from_on as "fromOn", d.until_on as "untilOn", 1 as lives,
      jsonb_build_object('kind', 'member', 'id', m.id) as opens, d.group_id as "_groupId", m.last_name_key as "_lastName", m.name_key as _member,
      m.number as _number, lower(g.name) as _group, lower(d.first_name || ' ' || d.last_name) as _name
    from dependents d left join members m on m.id = d.member_id left join employer_groups g on g.id = d.group_id
    where d.from_on <= '2026-11-02'::date and coalesce(d.until_on >= '2026-11-02'::date, true)
      and exists (select from (
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> '2026-11-02'::date) c where c.member_id = d.member_id and c.kind = 'covered')
),
found as materialized (
  select s.id from source s where s."_number" is not null
  order by s."_number" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_number" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (select '' as value, jsonb_build_object('count', (select count(*) from (select from source s where true limit 10001) counted)) as figures) each) as figures;
