-- What takes two people is not done by one who also holds the key of a program: who made a key counts with the program
-- for what it prepared, and what only people do is done by no program, whatever the server says.

create function refuse_program() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from unnest(tg_argv) said join service_keys k on k.id = (to_jsonb(new) ->> said)::uuid) then
    raise exception 'only a person can do this' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payouts_are_released_by_people before insert or update of released_by, payee_changed_by, payee_confirmed_by on payouts
  for each row execute function refuse_program('released_by', 'payee_changed_by', 'payee_confirmed_by');
create trigger batches_are_released_by_people before insert or update of released_by on payout_batches
  for each row execute function refuse_program('released_by');
create trigger write_offs_are_confirmed_by_people before insert or update of confirmed_by on write_offs
  for each row execute function refuse_program('confirmed_by');
create trigger claims_are_decided_by_people before update of decided_by, decided_for on claim_approvals
  for each row execute function refuse_program('decided_by', 'decided_for');
create trigger reports_are_scheduled_by_people before insert or update of owner_id on report_schedules
  for each row execute function refuse_program('owner_id');

-- Payments: who made the key stands among those who prepared it.
alter table payouts no force row level security;
update payouts o set prepared_by = o.prepared_by || array(
  select distinct k.made_by from service_keys k where k.id = any (o.prepared_by) and k.made_by <> all (o.prepared_by))
where o.status in ('pending', 'failed') and exists (
  select from service_keys k where k.id = any (o.prepared_by) and k.made_by <> all (o.prepared_by));
set constraints all immediate;
alter table payouts force row level security;

create function check_preparers() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from service_keys k where k.id = any (new.prepared_by) and k.made_by <> all (new.prepared_by)) then
    raise exception 'who made the key of a program prepares with it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payouts_are_prepared_by_makers_of_keys before insert or update of prepared_by on payouts
  for each row execute function check_preparers();

-- Write-offs: one asks.
alter table write_offs no force row level security;
alter table write_offs disable trigger write_offs_are_kept;
alter table write_offs
  -- Who made the key of the program that asked.
  add column key_made_by uuid,
  add constraint write_offs_are_confirmed_by_no_maker_of_the_key check (confirmed_by <> key_made_by);
update write_offs w set key_made_by = k.made_by
from service_keys k where k.id = w.asked_by and w.written_off_on is null and w.declined_at is null;
set constraints all immediate;
alter table write_offs enable trigger write_offs_are_kept;
alter table write_offs force row level security;

create function check_asker() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.key_made_by is distinct from (select made_by from service_keys where id = new.asked_by) then
    raise exception 'who made the key of a program asks with it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger write_offs_are_asked_by_makers_of_keys before insert on write_offs
  for each row execute function check_asker();

-- Claims: who makes keys decides none, unless they became somebody else.
create function makers_of_keys(programs uuid[]) returns uuid[] language sql stable security definer set search_path = public as $$
  select array(select made_by from service_keys where id = any (programs))
$$;
revoke execute on function makers_of_keys(uuid[]) from public;
grant execute on function makers_of_keys(uuid[]) to milkwood_staff, milkwood_scoped;

create function check_maker_of_key() returns trigger language plpgsql as $$
begin
  if exists (
    select from claims c where c.id = new.claim_id
      and array[new.decided_by, new.decided_for] && makers_of_keys(c.captured_by || c.submitted_by || c.reviewed_by)
  ) then
    raise exception 'who made the key that captured a claim does not decide it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger deciders_made_no_key_of_it before update of decided_by, decided_for on claim_approvals
  for each row when (new.decided_by is not null) execute function check_maker_of_key();
