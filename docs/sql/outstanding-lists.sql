-- The list as it is opened

with source as materialized (
    select o.policy_id as id, p.number as "policyNumber", o.group_id as "groupId", g.name as "groupName", o.month,
      o.due_on as "dueOn", o.state, o.days_late as "daysLate", o.last_list_id as "lastListId",
      o.last_list_on as "lastListOn", o.group_id as "_groupId", lower(g.name) as _group, lower(p.number) as _policy
    from (
  select d.policy_id, d.group_id, d.month, d.due_on, greatest('2026-11-02'::date - d.due_on, 0) as days_late,
    case when d.due_on < '2026-11-02'::date then 'late' else 'expected' end as state, d.last_list_id, d.last_list_on
  from (
    select w.*, (w.month + (w.staff_list_day - 1)) as due_on
    from (
      select f.*, greatest(
          (date_trunc('month', f.since::timestamp)
            + case when extract(day from f.since) > f.staff_list_day then interval '1 month' else interval '0' end)::date,
          (date_trunc('month', f.last_list_on::timestamp) + interval '1 month')::date) as month
      from (
        select p.id as policy_id, p.group_id, p.staff_list_day, p.end_on, l.id as last_list_id, l.imported_on as last_list_on,
          greatest(p.start_on, p.staff_lists_from_on, (p.activated_at at time zone 'Africa/Johannesburg')::date) as since
        from policies p
        left join lateral (
          select s.id, (s.committed_at at time zone 'Africa/Johannesburg')::date as imported_on from staff_lists s
          where s.policy_id = p.id and s.status = 'completed' order by s.committed_at desc, s.id desc limit 1
        ) l on true
        where p.status = 'Active' and p.staff_list_day is not null
      ) f
    ) w
  ) d
  where d.month <= '2026-11-02'::date and (d.end_on is null or d.due_on <= d.end_on)) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."dueOn" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."dueOn" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from source s where true group by 1) each) as figures;

-- A search

with source as materialized (
    select o.policy_id as id, p.number as "policyNumber", o.group_id as "groupId", g.name as "groupName", o.month,
      o.due_on as "dueOn", o.state, o.days_late as "daysLate", o.last_list_id as "lastListId",
      o.last_list_on as "lastListOn", o.group_id as "_groupId", lower(g.name) as _group, lower(p.number) as _policy
    from (
  select d.policy_id, d.group_id, d.month, d.due_on, greatest('2026-11-02'::date - d.due_on, 0) as days_late,
    case when d.due_on < '2026-11-02'::date then 'late' else 'expected' end as state, d.last_list_id, d.last_list_on
  from (
    select w.*, (w.month + (w.staff_list_day - 1)) as due_on
    from (
      select f.*, greatest(
          (date_trunc('month', f.since::timestamp)
            + case when extract(day from f.since) > f.staff_list_day then interval '1 month' else interval '0' end)::date,
          (date_trunc('month', f.last_list_on::timestamp) + interval '1 month')::date) as month
      from (
        select p.id as policy_id, p.group_id, p.staff_list_day, p.end_on, l.id as last_list_id, l.imported_on as last_list_on,
          greatest(p.start_on, p.staff_lists_from_on, (p.activated_at at time zone 'Africa/Johannesburg')::date) as since
        from policies p
        left join lateral (
          select s.id, (s.committed_at at time zone 'Africa/Johannesburg')::date as imported_on from staff_lists s
          where s.policy_id = p.id and s.status = 'completed' order by s.committed_at desc, s.id desc limit 1
        ) l on true
        where p.status = 'Active' and p.staff_list_day is not null
      ) f
    ) w
  ) d
  where d.month <= '2026-11-02'::date and (d.end_on is null or d.due_on <= d.end_on)) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
),
hits as materialized (
  (select s."dueOn", s."id", s."state" from source s where s._group like '%nkosi%' limit 10001) union
  (select s."dueOn", s."id", s."state" from source s where s._policy like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."dueOn" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."dueOn" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select s."state" as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true group by 1) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."dueOn" asc, s.id asc limit 1 offset 24) as bound;
