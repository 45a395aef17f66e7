-- Members by policy and status stand in one row of the policy with a column for each status: a list adds up a row for each
-- policy and not for each status that it has.

alter table member_counts no force row level security;
create temporary table counted_before on commit drop as select policy_id, group_id, status, members from member_counts;

drop trigger members_added_are_counted on members;
drop trigger members_changed_are_counted on members;
drop trigger members_removed_are_counted on members;
drop function count_members();
drop table member_counts;

create table member_counts (
  policy_id uuid primary key,
  group_id uuid not null,
  pending integer not null default 0 check (pending >= 0),
  active integer not null default 0 check (active >= 0),
  suspended integer not null default 0 check (suspended >= 0),
  terminated integer not null default 0 check (terminated >= 0),
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade
);
create index member_counts_group on member_counts (group_id);

insert into member_counts (policy_id, group_id, pending, active, suspended, terminated)
select policy_id, group_id, coalesce(sum(members) filter (where status = 'Pending'), 0),
  coalesce(sum(members) filter (where status = 'Active'), 0), coalesce(sum(members) filter (where status = 'Suspended'), 0),
  coalesce(sum(members) filter (where status = 'Terminated'), 0)
from counted_before group by 1, 2;

-- A row is there before it is added to: a check looks at what would be inserted, also where it is added to what stands.
-- Members who go with their draft policy are taken from rows that went before them.
create function count_members() returns trigger language plpgsql as $$
declare
  moved record;
begin
  for moved in execute format(
    'select policy_id, group_id, sum(one) filter (where status = ''Pending'') as pending,
      sum(one) filter (where status = ''Active'') as active, sum(one) filter (where status = ''Suspended'') as suspended,
      sum(one) filter (where status = ''Terminated'') as terminated
    from (select policy_id, group_id, status, sum(one) as one from (%s) each group by 1, 2, 3 having sum(one) <> 0) each
    group by 1, 2 order by 1',
    case tg_op
      when 'INSERT' then 'select policy_id, group_id, status, 1 as one from added'
      when 'DELETE' then 'select policy_id, group_id, status, -1 as one from removed'
      else 'select policy_id, group_id, status, 1 as one from added
        union all select policy_id, group_id, status, -1 from removed'
    end)
  loop
    if greatest(moved.pending, moved.active, moved.suspended, moved.terminated) > 0 then
      insert into member_counts (policy_id, group_id) values (moved.policy_id, moved.group_id) on conflict do nothing;
    end if;
    update member_counts set pending = pending + coalesce(moved.pending, 0), active = active + coalesce(moved.active, 0),
      suspended = suspended + coalesce(moved.suspended, 0), terminated = terminated + coalesce(moved.terminated, 0)
    where policy_id = moved.policy_id;
  end loop;
  return null;
end $$;
create trigger members_added_are_counted after insert on members
  referencing new table as added for each statement execute function count_members();
create trigger members_changed_are_counted after update on members
  referencing new table as added old table as removed for each statement execute function count_members();
create trigger members_removed_are_counted after delete on members
  referencing old table as removed for each statement execute function count_members();

-- Nobody else counts.
create trigger member_counts_follow before insert or update or delete on member_counts
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('member_counts');
grant select, insert, update on member_counts to milkwood_staff, milkwood_scoped;
