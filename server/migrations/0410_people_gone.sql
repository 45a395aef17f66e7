-- People who were taken out of a draft, or went with it or with an import that was undone: nothing was insured, so no row
-- is left of them, but the trail goes on naming them, under their keys. From the day on which it was seen that they are
-- gone their keys are kept as long as any data, and then go; the trail stays whole.

create table people_gone (
  person_id uuid primary key references person_keys (person_id) on delete cascade,
  seen_on date not null
);
create index people_gone_seen on people_gone (seen_on);
create trigger people_gone_stay before update or truncate on people_gone for each statement execute function refuse_change();
grant select on people_gone to milkwood_staff;

-- Notes whose keys belong to no member any more. Answers how many these are anew. Where rows of members were hidden from it,
-- it would take everybody for gone: then it fails.
create function see_who_is_gone(today date) returns bigint
language plpgsql security definer set search_path = public, pg_temp set row_security = off as $$
declare
  seen bigint;
begin
  insert into people_gone (person_id, seen_on)
    select k.person_id, today from person_keys k
    where not exists (select from members m where m.id = k.person_id)
      and not exists (select from people_gone g where g.person_id = k.person_id);
  get diagnostics seen = row_count;
  return seen;
end $$;
revoke execute on function see_who_is_gone from public;
grant execute on function see_who_is_gone to milkwood_staff;

-- Deletes at most so many keys of people who were seen to be gone before a day. Answers how many.
create function forget_removed_people(before date, today date, at_most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp set row_security = off as $$
declare
  forgotten bigint;
begin
  if before > today - interval '5 years' then
    raise exception 'nobody is forgotten within five years' using errcode = 'restrict_violation';
  end if;
  delete from person_keys where person_id in (
    select g.person_id from people_gone g
    where g.seen_on < before and not exists (select from members m where m.id = g.person_id)
    order by g.seen_on limit at_most);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_removed_people from public;
grant execute on function forget_removed_people to milkwood_staff;
