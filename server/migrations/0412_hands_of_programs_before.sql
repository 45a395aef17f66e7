-- What programs did before it was said whose hands they are (0406): whoever made their key stands there too, whatever
-- became of it since, for a payment may fail and be made again. And a claim has its makers of keys where it has all who
-- had a hand in it, so that the rule knows of them, and who may decide is not offered what would be refused.

alter table payouts no force row level security;
alter table payouts disable trigger user;
update payouts o set prepared_by = o.prepared_by || array(
  select distinct k.made_by from service_keys k where k.id = any (o.prepared_by) and k.made_by <> all (o.prepared_by))
where exists (select from service_keys k where k.id = any (o.prepared_by) and k.made_by <> all (o.prepared_by));
alter table payouts enable trigger user;
alter table payouts force row level security;

alter table claims no force row level security;
alter table claims disable trigger user;
update claims c set captured_by = c.captured_by || array(
  select distinct k.made_by from service_keys k
  where k.id = any (c.captured_by || c.submitted_by || c.reviewed_by) and k.made_by <> all (c.captured_by))
where exists (select from service_keys k
  where k.id = any (c.captured_by || c.submitted_by || c.reviewed_by) and k.made_by <> all (c.captured_by));
alter table claims enable trigger user;
alter table claims force row level security;

drop trigger deciders_made_no_key_of_it on claim_approvals;
drop function check_maker_of_key();
drop function makers_of_keys(uuid[]);

create function check_hands_on_claim() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from service_keys k
    where k.id = any (new.captured_by || new.submitted_by || new.reviewed_by) and k.made_by <> all (new.captured_by)
  ) then
    raise exception 'who made the key of a program has a hand in its claim' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger claims_have_makers_of_keys before insert or update of captured_by, submitted_by, reviewed_by on claims
  for each row execute function check_hands_on_claim();

-- What stands already is not asked again when something else is written.
create or replace function refuse_program() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
begin
  if exists (select from unnest(tg_argv) said join service_keys k on k.id = (to_jsonb(new) ->> said)::uuid
    where to_jsonb(new) ->> said is distinct from before ->> said
  ) then
    raise exception 'only a person can do this' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What runs as its owner looks at no table that whoever calls it made for the moment.
alter function analyze_staff_lists() set search_path = public, pg_temp;
alter function check_preparers() set search_path = public, pg_temp;
alter function check_asker() set search_path = public, pg_temp;
alter function list_unsealed() set search_path = public, pg_temp;

-- Lines of the bank are money of the house before they are posted.
create or replace function keep_currency() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Whoever posts the first entry just now is waited for; whoever begins to meanwhile waits, and posts in the new one.
  if not exists (select from ledger_entries) and not exists (select from bank_lines) then
    lock table ledger_entries, bank_lines in share mode;
  end if;
  if exists (select from ledger_entries) or exists (select from bank_lines) then
    raise exception 'the currency stays: amounts are on record in it' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
