-- The balance with which a bank account begins here may have been typed wrongly: it is corrected with a reason, each
-- correction posted by itself and kept.
create table bank_opening_corrections (
  id uuid primary key,
  account_id uuid not null references bank_accounts (id),
  -- The first correction of its account is 1.
  nth integer not null check (nth > 0),
  before_cents bigint not null,
  after_cents bigint not null,
  reason text not null check (btrim(reason) <> ''),
  corrected_by uuid,
  corrected_at timestamptz not null,
  unique (account_id, nth),
  check (before_cents <> after_cents)
);

-- Of what the account begins with now, in the order of their count, and not once its first day is closed.
create function check_opening_correction() returns trigger language plpgsql as $$
begin
  if not exists (select from bank_accounts a where a.id = new.account_id and a.opening_cents = new.before_cents)
    or new.nth <> (select count(*) + 1 from bank_opening_corrections where account_id = new.account_id) then
    raise exception 'the account begins with another balance'
      using errcode = 'check_violation', constraint = 'bank_opening_corrections_follow';
  end if;
  if (select opened_on from bank_accounts where id = new.account_id) < books_open_from() then
    raise exception 'the month in which the account begins is closed'
      using errcode = 'restrict_violation', constraint = 'bank_opening_corrections_in_open_month';
  end if;
  return new;
end $$;
create trigger bank_opening_corrections_follow before insert on bank_opening_corrections
  for each row execute function check_opening_correction();
create trigger bank_opening_corrections_are_kept before update or delete or truncate on bank_opening_corrections
  for each statement execute function refuse_change();

-- At commit the account begins with what its last correction says.
create function check_corrected_opening() returns trigger language plpgsql as $$
begin
  if (select opening_cents from bank_accounts where id = new.account_id) is distinct from
    (select after_cents from bank_opening_corrections where account_id = new.account_id order by nth desc limit 1) then
    raise exception 'the account does not begin with what was corrected'
      using errcode = 'check_violation', constraint = 'bank_opening_corrections_count';
  end if;
  return null;
end $$;
create constraint trigger bank_opening_corrections_count after insert on bank_opening_corrections
  deferrable initially deferred for each row execute function check_corrected_opening();

create or replace function keep_bank_account() returns trigger language plpgsql as $$
begin
  if new.is_main is distinct from old.is_main or old.opened_on is not null and (
    (new.account_number, new.opened_on, new.opened_at) is distinct from (old.account_number, old.opened_on, old.opened_at)
    or new.opening_posted_cents - old.opening_posted_cents <> new.opening_cents - old.opening_cents
    -- Once for each correction: the account has what the last one says from then on.
    or new.opening_cents <> old.opening_cents and (old.opening_cents, new.opening_cents) is distinct from (
      select (before_cents, after_cents) from bank_opening_corrections where account_id = new.id order by nth desc limit 1))
  then
    raise exception 'a bank account with statements keeps its number and where it begins' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

grant select, insert on bank_opening_corrections to milkwood_staff;
