-- All money of a house is in one currency. It can change only while nothing has been posted: no amount is ever converted.

alter table settings add constraint settings_currency_is_known
  check (key <> 'currency' or value in ('"ZAR"', '"USD"', '"EUR"'));

create function keep_currency() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from ledger_entries) then
    raise exception 'the currency stays: amounts have been posted in it' using errcode = 'restrict_violation';
  end if;
  -- Whoever posts the first entry just now is waited for; whoever begins to meanwhile waits, and posts in the new one.
  lock table ledger_entries in share mode;
  if exists (select from ledger_entries) then
    raise exception 'the currency stays: amounts have been posted in it' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
-- Nobody saved one: it is rand, as the domain has it.
create trigger currency_is_chosen after insert on settings for each row
  when (new.key = 'currency' and new.value <> '"ZAR"') execute function keep_currency();
create trigger currency_is_kept after update on settings for each row
  when ((old.key = 'currency' or new.key = 'currency') and (old.key, old.value) is distinct from (new.key, new.value))
  execute function keep_currency();
create trigger currency_is_not_forgotten after delete on settings for each row
  when (old.key = 'currency' and old.value <> '"ZAR"') execute function keep_currency();
