-- ID numbers that members of several groups have: one person covered twice, or one of two numbers typed wrong. They are
-- few, and were looked for among all members whenever the report of doubtful data was asked for. Whoever writes members
-- keeps them; a number goes when it is no longer shared, also when its member is made anonymous.

create table shared_id_numbers (
  id_number text primary key
);
grant select on shared_id_numbers to milkwood_staff;

alter table members no force row level security;
insert into shared_id_numbers
select id_number from members where id_number is not null group by id_number having count(distinct group_id) > 1;
alter table members force row level security;

-- Numbers are given out one at a time, so that of two who come at the same moment the later one sees the other. The
-- counter of members' numbers is held as long by whoever adds members.
create function share_id_numbers() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from added where id_number is not null) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('', 15));
  insert into shared_id_numbers
  select distinct a.id_number from added a
  where exists (select from members o where o.id_number = a.id_number and o.group_id <> a.group_id)
  on conflict do nothing;
  return null;
end $$;
create trigger members_added_share_id_numbers after insert on members
  referencing new table as added for each statement execute function share_id_numbers();

create function share_id_number() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.id_number is not null then
    perform pg_advisory_xact_lock(hashtextextended('', 15));
    insert into shared_id_numbers
    select new.id_number where exists (select from members where id_number = new.id_number and group_id <> new.group_id)
    on conflict do nothing;
  end if;
  perform forget_shared_id_number(old.id_number);
  return null;
end $$;
create trigger members_changed_share_id_numbers after update of id_number on members
  for each row when (old.id_number is distinct from new.id_number) execute function share_id_number();

create function unshare_id_numbers() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform forget_shared_id_number(id_number) from (select distinct id_number from removed) r;
  return null;
end $$;
create trigger members_removed_share_id_numbers after delete on members
  referencing old table as removed for each statement execute function unshare_id_numbers();

create function forget_shared_id_number(gone text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if gone is null then
    return;
  end if;
  -- Before the look: who shares it just now has not committed yet.
  perform pg_advisory_xact_lock(hashtextextended('', 15));
  delete from shared_id_numbers s where s.id_number = gone and not exists (
    select from members a join members b on b.id_number = a.id_number and b.group_id > a.group_id where a.id_number = gone);
end $$;
revoke execute on function forget_shared_id_number from public;
