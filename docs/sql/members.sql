-- As it is opened

with source as not materialized (
    select m.id as "id", m.number as "number", m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email as "email", m.job_title as "jobTitle", m.employee_number as "employeeNumber", m.group_id as "groupId", m.policy_id as "policyId", m.status as "status", m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version as "version", m.group_id as "_groupId", m.policy_id as "_policyId", m.tier_id as "_tierId", m.forgotten_on as "_forgottenOn", (m.to_complete <> '{}' and m.status <> 'Terminated') as "_toComplete", m.last_name_key as "_lastName", m.name_key as "_name", m.search_key as "_search", g.name as "groupName", p.number as "policyNumber",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents", t.name as "tierName",
      p.status as "_policyStatus", lower(g.name) as _group, p.number as _policy, t.position as _tier
    from members m
    left join policies p on p.id = m.policy_id
    left join employer_groups g on g.id = m.group_id
    left join benefit_tiers t on t.id = m.tier_id
),
found as materialized (
  select s.id from (select m.last_name_key as "_lastName", m.name_key as "_name", m.id as "id", m.status as "status", m.group_id as "_groupId" from members m) s where s."_lastName" is not null
  order by s."_lastName" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s."id", s."number", s."firstName", s."lastName", s."idNumber", s."email", s."jobTitle", s."employeeNumber", s."groupId", s."groupName", s."policyId", s."policyNumber", s."tierName", s."status", s."startOn", s."endOn", s."premiumCents", s."toComplete", s."version", s."_policyStatus", s."_forgottenOn", (select count(*) from dependents d where d.member_id = s.id) as dependents from found join source s on s.id = found.id order by s."_lastName" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', coalesce(sum(s.count), 0)) as figures
    from (
  select c.status, c.count from (
    select sum(pending) as pending, sum(active) as active, sum(suspended) as suspended, sum(terminated) as terminated
    from (select policy_id as "_policyId", group_id as "_groupId", * from member_counts) s where true
  ) m cross join lateral (
    values ('Pending', m.pending), ('Active', m.active), ('Suspended', m.suspended), ('Terminated', m.terminated)
  ) c (status, count)) s group by 1) each) as figures;

-- Searched

with source as not materialized (
    select m.id as "id", m.number as "number", m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email as "email", m.job_title as "jobTitle", m.employee_number as "employeeNumber", m.group_id as "groupId", m.policy_id as "policyId", m.status as "status", m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version as "version", m.group_id as "_groupId", m.policy_id as "_policyId", m.tier_id as "_tierId", m.forgotten_on as "_forgottenOn", (m.to_complete <> '{}' and m.status <> 'Terminated') as "_toComplete", m.last_name_key as "_lastName", m.name_key as "_name", m.search_key as "_search", g.name as "groupName", p.number as "policyNumber",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents", t.name as "tierName",
      p.status as "_policyStatus", lower(g.name) as _group, p.number as _policy, t.position as _tier
    from members m
    left join policies p on p.id = m.policy_id
    left join employer_groups g on g.id = m.group_id
    left join benefit_tiers t on t.id = m.tier_id
),
others_2 as materialized (select d.member_id as id from dependents d where lower(d.first_name || ' ' || d.last_name) like '%nkosi%' limit 2501
),
others_3 as materialized (select g.id from employer_groups g where lower(g.name) like '%nkosi%' limit 2501
),
hits as materialized (
  (select s."_lastName", s."_name", s."id", s."status" from source s where s._search like '%nkosi%' limit 2501) union
  (select s."_lastName", s."_name", s."id", s."status" from source s where s."id" = any (array(select id from others_2)) limit 2501) union
  (select s."_lastName", s."_name", s."id", s."status" from source s where s."_groupId" = any (array(select id from others_3)) limit 2501)
),
found as materialized (
  select s.id from hits s where s."_lastName" is not null
  order by s."_lastName" asc, s."_name" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s."id", s."number", s."firstName", s."lastName", s."idNumber", s."email", s."jobTitle", s."employeeNumber", s."groupId", s."groupName", s."policyId", s."policyNumber", s."tierName", s."status", s."startOn", s."endOn", s."premiumCents", s."toComplete", s."version", s."_policyStatus", s."_forgottenOn", (select count(*) from dependents d where d.member_id = s.id) as dependents from found join source s on s.id = found.id order by s."_lastName" asc, s."_name" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 2500 from hits) or (select count(*) > 2500 from others_2) or (select count(*) > 2500 from others_3) as overflows, (
    select s.id from hits s where true
    order by s."_lastName" asc, s."_name" asc, s.id asc limit 1 offset 24) as bound;
