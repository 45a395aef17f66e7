-- Lives covered without an end, with what they are insured for, by tier, gender and date of birth: the report of ages
-- takes these and, for the day that it is asked for, the covers that begin or end after it. Whoever changes covers, their
-- members or the sums of their policies adds rows that say what that changes, so that nobody waits for anybody here; at
-- night the rows of one key become one.

create table open_lives (
  tier_id uuid not null,
  gender text,
  born_on date,
  lives integer not null,
  insured_cents bigint not null
);
grant select on open_lives to milkwood_staff;

alter table member_covers no force row level security;
alter table members no force row level security;
alter table policies no force row level security;
insert into open_lives (tier_id, gender, born_on, lives, insured_cents)
select c.tier_id, m.gender, m.date_of_birth, count(*), sum(coalesce(p.sum_assured_cents, 0))
from member_covers c join members m on m.id = c.member_id join policies p on p.id = c.policy_id
where c.kind = 'covered' and c.superseded_at is null and upper_inf(c.valid)
group by 1, 2, 3;
alter table member_covers force row level security;
alter table members force row level security;
alter table policies force row level security;

-- Begins after 0420 by its name, which holds the policy's members first: so do members and policies below, that of two at
-- the same moment the later one sees what the other did. Members are looked up one by one: of many covers the database
-- would read all members. Covers that went with their member find none: they were taken off before.
create function keep_open_lives() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('
    insert into open_lives (tier_id, gender, born_on, lives, insured_cents)
    select tier_id, gender, born_on, sum(one), sum(one * insured) from (
      select c.tier_id, m.gender, m.date_of_birth as born_on, coalesce(p.sum_assured_cents, 0) as insured, c.one
      from (%s) c join policies p on p.id = c.policy_id
      cross join lateral (select gender, date_of_birth from members where id = c.member_id limit 1) m
      where c.kind = ''covered'' and c.superseded_at is null and upper_inf(c.valid)
    ) each group by 1, 2, 3 having sum(one) <> 0 or sum(one * insured) <> 0',
    case tg_op when 'INSERT' then 'select *, 1 as one from added'
      when 'DELETE' then 'select *, -1 as one from removed'
      else 'select *, 1 as one from added union all select *, -1 from removed' end);
  return null;
end $$;
create trigger covers_added_keep_open_lives after insert on member_covers
  referencing new table as added for each statement execute function keep_open_lives();
create trigger covers_changed_keep_open_lives after update on member_covers
  referencing new table as added old table as removed for each statement execute function keep_open_lives();
create trigger covers_removed_keep_open_lives after delete on member_covers
  referencing old table as removed for each statement execute function keep_open_lives();

-- A member's open cover is taken off as whom it was counted, and added as whom it is now.
create function move_open_lives() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from member_counts where policy_id = old.policy_id for update;
  insert into open_lives (tier_id, gender, born_on, lives, insured_cents)
  select c.tier_id, each.gender, each.born_on, each.one, each.one * coalesce(p.sum_assured_cents, 0)
  from member_covers c join policies p on p.id = c.policy_id
  cross join (values (old.gender, old.date_of_birth, -1), (new.gender, new.date_of_birth, 1)) each (gender, born_on, one)
  where c.member_id = old.id and c.kind = 'covered' and c.superseded_at is null and upper_inf(c.valid)
    and (each.one = -1 or tg_op = 'UPDATE');
  return old;
end $$;
create trigger members_changed_keep_open_lives after update of date_of_birth, gender on members for each row
  when ((old.date_of_birth, old.gender) is distinct from (new.date_of_birth, new.gender)) execute function move_open_lives();
-- Before, since covers go with their member; and drafts, which go with their members, have no covers.
create trigger members_removed_keep_open_lives before delete on members for each row execute function move_open_lives();

create function insure_open_lives() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from member_counts where policy_id = new.id for update;
  insert into open_lives (tier_id, gender, born_on, lives, insured_cents)
  select c.tier_id, m.gender, m.date_of_birth, 0,
    count(*) * (coalesce(new.sum_assured_cents, 0) - coalesce(old.sum_assured_cents, 0))
  from member_covers c join members m on m.id = c.member_id
  where c.policy_id = new.id and c.kind = 'covered' and c.superseded_at is null and upper_inf(c.valid)
  group by 1, 2, 3;
  return null;
end $$;
create trigger policies_insure_open_lives after update of sum_assured_cents on policies for each row
  when (coalesce(old.sum_assured_cents, 0) <> coalesce(new.sum_assured_cents, 0)) execute function insure_open_lives();

-- Makes one row of the rows of a key that has several, and none of those that nobody has. What is added meanwhile stays
-- beside it, for the next time. No row is ever updated: its place stays its own.
create function fold_open_lives() returns void
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from open_lives where ctid = any (array(
      select ctid from (select ctid, count(*) over (partition by tier_id, gender, born_on) as several from open_lives) r
      where several > 1))
    returning *
  )
  insert into open_lives (tier_id, gender, born_on, lives, insured_cents)
  select tier_id, gender, born_on, sum(lives), sum(insured_cents) from gone
  group by 1, 2, 3 having sum(lives) <> 0 or sum(insured_cents) <> 0
$$;
revoke execute on function fold_open_lives from public;
grant execute on function fold_open_lives to milkwood_staff;

-- How many covers begin or end after a day: what the indexes of these days know the planner does not use, since they leave
-- out what is superseded, and it would take a third of all covers to do so.
create statistics member_covers_begins on (lower(valid)) from member_covers;
create statistics member_covers_ends on (upper(valid)) from member_covers;
-- Read at once where there are covers; of none there is nothing to know.
do $$ begin
  if exists (select from open_lives) then
    analyze member_covers;
  end if;
end $$;
