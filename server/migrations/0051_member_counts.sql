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

-- The rows are there before they are moved: a check looks at what is inserted, also where it is added to what stands.
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
    insert into member_counts (policy_id, group_id, status, members)
      values (moved.policy_id, moved.group_id, moved.status, 0) on conflict do nothing;
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

-- A policy's members by number or start, without sorting the policy.
create index members_policy_number on members (policy_id, number);
create index members_policy_start on members (policy_id, start_on, id);
create index members_policy_name on members (policy_id, last_name_key, name_key, id);
create index members_policy_status_name on members (policy_id, status, last_name_key, name_key, id);
drop index members_policy;
create index members_to_complete on members (policy_id, last_name_key, name_key, id)
  where to_complete <> '{}' and status <> 'Terminated';

-- When a claim was decided: what was pending on a day is what is pending now and what was decided since.
create index claims_decided on claims (coalesce(final_approval_at, rejected_at), submitted_at)
  where coalesce(final_approval_at, rejected_at) is not null;

-- What the palette looks for among payments and receipts.
create index payouts_reference_trigrams on payouts using gin (lower(reference) gin_trgm_ops);
create index receipts_reference_trigrams on receipts using gin (lower(reference) gin_trgm_ops);
