-- The list as it is opened

with source as materialized (
    select case when d.is_first then d.id else overlay(overlay(md5(d.id || d.problem || d.what) placing '4' from 13) placing '8' from 17)::uuid end as id, d.number as "memberNumber", g.name as "groupName", d.problem, d.what,
      1 as problems, d.id as "_memberId", d.policy_id as "_policyId", d.group_id as "_groupId", d.name_key as _name, g.key as _group
    from (
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'missing' as problem, coalesce('{"firstName":"First name","lastName":"Last name","idNumber":"ID number","passportNumber":"Passport number","dateOfBirth":"Date of birth","gender":"Gender","email":"Email","phone":"Phone","preferredLanguage":"Preferred language","address":"Address","employmentStatus":"Employment status","employeeNumber":"Employee number","jobTitle":"Job title","employer":"Employer","tierId":"Benefit tier","tierName":"Benefit tier","startOn":"Start date","dependents":"Dependents","salary":"Monthly salary","dependentIdNumbers":"Dependents'' ID numbers"}'::jsonb ->> field, field) as what,
        nth = 1 as is_first
      from members m cross join unnest(m.to_complete) with ordinality f (field, nth) where m.status <> 'Terminated' and m.to_complete <> '{}'
      union all
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'id_conflict', 'The ID number says another date of birth', false
      from members m
      where m.status <> 'Terminated' and left(m.id_number, 6)::int <> (extract(year from m.date_of_birth)::int % 100) * 10000
        + extract(month from m.date_of_birth)::int * 100 + extract(day from m.date_of_birth)::int
      union all
      select m.id, m.number, m.name_key, m.group_id, m.policy_id, 'several_groups', 'Also in ' || string_agg(distinct og.name, ', '), false
      from (
        select id_number from (
          select distinct id_number, group_id from members where id_number is not null and status <> 'Terminated'
        ) each group by id_number having count(*) > 1
      ) n join members m on m.id_number = n.id_number
      join members o on o.id_number = m.id_number and o.group_id <> m.group_id
      join employer_groups og on og.id = o.group_id
      where m.status <> 'Terminated' and o.status <> 'Terminated' group by m.id
    ) d
    left join (select id, name, lower(name) as key from employer_groups offset 0) g on g.id = d.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."memberNumber" asc, s."problem" asc, s."what" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*, (select m.first_name || ' ' || m.last_name from members m where m.id = s."_memberId") as "memberName", (select p.number from policies p where p.id = s."_policyId") as "policyNumber", jsonb_build_object('kind', 'member', 'id', s."_memberId") as "opens" from found join source s on s.id = found.id order by s."memberNumber" asc, s."problem" asc, s."what" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'problems', coalesce(sum(s."problems"), 0)) as figures
    from source s where true) each) as figures;
