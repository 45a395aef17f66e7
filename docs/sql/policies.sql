-- As it is opened

with source as not materialized (
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", t.name as "productTypeName", p.status,
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = p.id) as "memberCount",
      p.created_at as "_createdAt", p.group_id as "_groupId", p.product_type_id as "_productTypeId",
      lower(p.number) as _number, lower(g.name) as _group
    from policies p
    left join employer_groups g on g.id = p.group_id
    left join product_types t on t.id = p.product_type_id
),
found as materialized (
  select s.id from source s where s."_createdAt" is not null
  order by s."_createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- Searched

with source as not materialized (
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", t.name as "productTypeName", p.status,
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      (
  select coalesce(sum(c.pending + c.active + c.suspended), 0)::integer from member_counts c where c.policy_id = p.id) as "memberCount",
      p.created_at as "_createdAt", p.group_id as "_groupId", p.product_type_id as "_productTypeId",
      lower(p.number) as _number, lower(g.name) as _group
    from policies p
    left join employer_groups g on g.id = p.group_id
    left join product_types t on t.id = p.product_type_id
),
hits as materialized (
  (select s."_createdAt", s."number", s."id", s."status" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."_createdAt", s."number", s."id", s."status" from source s where s._number like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_createdAt" is not null
  order by s."_createdAt" desc, s."number" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_createdAt" desc, s."number" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."status" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_createdAt" desc, s."number" desc, s.id desc limit 1 offset 24) as bound;
