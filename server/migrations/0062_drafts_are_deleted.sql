-- A draft policy can be deleted, with what hangs on it alone: its pending members, its staff lists. Any other policy
-- stays for ever, and so does whatever it was the reason of.
alter table members
  drop constraint members_policy_id_group_id_fkey,
  add constraint members_policy_id_group_id_fkey
    foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade;
alter table staff_lists
  drop constraint staff_lists_policy_id_group_id_fkey,
  add constraint staff_lists_policy_id_group_id_fkey
    foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade;

create trigger only_drafts_are_deleted before delete on policies
  for each row when (old.status <> 'Draft') execute function refuse_change();

grant delete on policies, employer_groups to milkwood_staff;
