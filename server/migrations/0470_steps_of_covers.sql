-- What changes between one cover of a member and the next is kept as a row of its day, by the statements that change
-- covers: the movements of a period are read along an index, and not laid side by side of all that begins and ends in it.

-- By the employer's name as lists sort it; the key that steps refer to.
alter table employer_groups add name_key text not null generated always as (lower(name)) stored;
alter table employer_groups add unique (id, name_key);

create table cover_steps (
  id uuid primary key,
  member_id uuid not null,
  group_id uuid not null,
  policy_id uuid not null,
  tier_id uuid not null,
  tier_before uuid,
  on_day date not null,
  movement text not null check (movement in ('joiner', 'leaver', 'suspended', 'resumed', 'transfer', 'tier_change')),
  -- Lives that are covered from the day on, or no longer.
  joined smallint not null check (joined between -1 and 1),
  group_key text not null,
  -- The rest is as the covers have it, which refer to members, policies and tiers; a step goes with them.
  foreign key (group_id, group_key) references employer_groups (id, name_key) on update cascade
);

-- The steps of all covers as they stand; of some members where they are asked for by their ids. A cover that follows none,
-- or a gap, is a joiner; one that nothing follows, a leaver on the day after it. A suspension costs what cover costs.
-- Covers of a member never overlap. A leaver has an id of its own: the cover that ends has its id where it begins.
create view steps_of_covers with (security_invoker = true) as
select step.id, c.member_id, c.group_id, c.policy_id, c.tier_id,
  case step.movement when 'tier_change' then c.tier_before end as tier_before, step.on_day, step.movement,
  case
    when step.movement in ('joiner', 'resumed') then 1
    when step.movement = 'leaver' and c.kind = 'covered' then -1
    when step.movement = 'suspended' and c.follows and c.kind_before = 'covered' then -1
    else 0
  end::smallint as joined,
  g.name_key as group_key
from (
  select id, member_id, group_id, policy_id, tier_id, kind, lower(valid) as begins, upper(valid) as ends,
    coalesce(lag(upper(valid)) over each = lower(valid), false) as follows, lag(policy_id) over each as policy_before,
    lag(kind) over each as kind_before, lag(tier_id) over each as tier_before, lead(lower(valid)) over each as next_begins
  from member_covers where superseded_at is null
  window each as (partition by member_id order by lower(valid))
) c
cross join lateral (
  select c.id, c.begins as on_day, case
    when not c.follows then case c.kind when 'covered' then 'joiner' else 'suspended' end
    when c.policy_before <> c.policy_id then 'transfer'
    when c.kind_before <> c.kind then case c.kind when 'covered' then 'resumed' else 'suspended' end
    when c.tier_before <> c.tier_id then 'tier_change' end as movement
  union all
  select overlay(c.id::text placing '8' from 15)::uuid, c.ends, 'leaver'
  where c.ends is not null and c.next_begins is distinct from c.ends
) step
join employer_groups g on g.id = c.group_id
where step.movement is not null;

alter table member_covers no force row level security;
alter table employer_groups no force row level security;
insert into cover_steps (id, member_id, group_id, policy_id, tier_id, tier_before, on_day, movement, joined, group_key)
select id, member_id, group_id, policy_id, tier_id, tier_before, on_day, movement, joined, group_key from steps_of_covers;
alter table member_covers force row level security;
alter table employer_groups force row level security;

create index cover_steps_member on cover_steps (member_id);
create index cover_steps_group on cover_steps (group_id, on_day);
-- With all that a step has, so that a period is read of it alone.
create index cover_steps_day on cover_steps (on_day, group_key)
  include (id, member_id, group_id, policy_id, tier_id, tier_before, movement, joined);

-- After the covers are counted (by the names of the triggers), which holds the policy's members (0420): who changes the
-- covers of one policy at the same time waits there, and sees here what the other one made of them.
create function keep_cover_steps() returns trigger language plpgsql as $$
declare
  whose uuid[];
begin
  if tg_op = 'DELETE' then
    whose := array(select distinct member_id from removed);
  else
    whose := array(select distinct member_id from added);
  end if;
  delete from cover_steps where member_id = any (whose);
  insert into cover_steps (id, member_id, group_id, policy_id, tier_id, tier_before, on_day, movement, joined, group_key)
  select id, member_id, group_id, policy_id, tier_id, tier_before, on_day, movement, joined, group_key
  from steps_of_covers where member_id = any (whose);
  return null;
end $$;
create trigger covers_added_make_steps after insert on member_covers
  referencing new table as added for each statement execute function keep_cover_steps();
create trigger covers_changed_make_steps after update on member_covers
  referencing new table as added for each statement execute function keep_cover_steps();
create trigger covers_removed_make_steps after delete on member_covers
  referencing old table as removed for each statement execute function keep_cover_steps();

-- Nobody else writes them.
create trigger cover_steps_follow before insert or update or delete on cover_steps
  for each statement when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('cover_steps');
grant select, insert, delete on cover_steps to milkwood_staff, milkwood_scoped;
grant select on steps_of_covers to milkwood_staff, milkwood_scoped;
