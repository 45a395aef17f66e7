-- How many members of each status a policy has, kept by the statements that change members; and how many were Active at
-- the end of each month, kept once the month is over.

create table member_counts (
  policy_id uuid not null,
  group_id uuid not null,
  status text not null check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  members integer not null check (members >= 0),
  primary key (policy_id, status),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade
);
create index member_counts_group on member_counts (group_id);

create table member_month_ends (
  month_end date not null,
  policy_id uuid not null,
  group_id uuid not null,
  active integer not null check (active >= 0),
  primary key (month_end, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade
);

alter table members no force row level security;
insert into member_counts (policy_id, group_id, status, members)
select policy_id, group_id, status, count(*) from members group by policy_id, group_id, status;
alter table members force row level security;

-- A row is there before it is added to: a check looks at what would be inserted, also where it is added to what stands.
-- Members who go with their draft policy are taken from rows that went before them.
create function count_members() returns trigger language plpgsql as $$
declare
  moved record;
begin
  for moved in execute case tg_op
    when 'INSERT' then 'select policy_id, group_id, status, count(*) as members from added group by 1, 2, 3 order by 1, 3'
    when 'DELETE' then 'select policy_id, group_id, status, -count(*) as members from removed group by 1, 2, 3 order by 1, 3'
    else 'select policy_id, group_id, status, sum(one) as members from (
        select policy_id, group_id, status, 1 as one from added union all select policy_id, group_id, status, -1 from removed
      ) each group by 1, 2, 3 having sum(one) <> 0 order by 1, 3'
  end loop
    if moved.members > 0 then
      insert into member_counts (policy_id, group_id, status, members)
        values (moved.policy_id, moved.group_id, moved.status, 0) on conflict do nothing;
    end if;
    update member_counts set members = members + moved.members
      where policy_id = moved.policy_id and status = moved.status;
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
select protect('member_month_ends');
grant select, insert, update on member_counts to milkwood_staff, milkwood_scoped;
grant select, insert on member_month_ends to milkwood_staff;
grant select on member_month_ends to milkwood_scoped;

-- How many a policy insures is kept now.
drop index members_insured;
