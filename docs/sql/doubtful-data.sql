-- As it is opened

with source as materialized (
    select overlay(overlay(md5(m.id || d.problem || d.what) placing '4' from 13) placing '8' from 17)::uuid as id, m.number as "memberNumber", m.first_name || ' ' || m.last_name as "memberName",
      g.name as "groupName", p.number as "policyNumber", d.problem, d.what, 1 as problems, jsonb_build_object('kind', 'member', 'id', m.id) as opens,
      m.group_id as "_groupId", m.name_key as _name, lower(g.name) as _group
    from (
      select m.id, 'missing' as problem, coalesce('{"firstName":"First name","lastName":"Last name","idNumber":"ID number","passportNumber":"Passport number","dateOfBirth":"Date of birth","gender":"Gender","email":"Email","phone":"Phone","address":"Address","employmentStatus":"Employment status","employer":"Employer","jobTitle":"Job title","tierId":"Benefit tier","tierName":"Benefit tier","startOn":"Start date","dependents":"Dependents","salary":"Monthly salary","dependentIdNumbers":"Dependents'' ID numbers"}'::jsonb ->> field, field) as what
      from members m cross join unnest(m.to_complete) field where m.status <> 'Terminated' and m.to_complete <> '{}'
      union all
      select m.id, 'id_conflict', 'The ID number says another date of birth' from members m
      where m.status <> 'Terminated' and m.id_number is not null and m.date_of_birth is not null
        and left(m.id_number, 6) <> to_char(m.date_of_birth, 'YYMMDD')
      union all
      select m.id, 'several_groups', 'Also in ' || string_agg(distinct og.name, ', ')
      from members m join members o on o.id_number = m.id_number and o.group_id <> m.group_id
      join employer_groups og on og.id = o.group_id
      where m.status <> 'Terminated' and o.status <> 'Terminated' group by m.id
    ) d
    join members m on m.id = d.id join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."memberNumber" asc, s."problem" asc, s."what" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."memberNumber" asc, s."problem" asc, s."what" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'problems', coalesce(sum(s."problems"), 0)) as figures
    from source s where true) each) as figures;
