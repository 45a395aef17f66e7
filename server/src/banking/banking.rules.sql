create function check_placement_change() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null
    or (to_jsonb(old) - array['undone_by', 'undone_at']) is distinct from (to_jsonb(new) - array['undone_by', 'undone_at']) then
    raise exception 'a bank placement is never changed, only undone once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_placement_change before update on bank_placements for each row execute function check_placement_change();

-- The commands lock the receipt, so that concurrent matches see each other.
create function check_match() returns trigger language plpgsql as $$
declare
  whole bigint;
  reversed timestamptz;
  matched bigint;
begin
  if new.receipt_id is not null then
    select amount_cents, reversed_at into whole, reversed from receipts where id = new.receipt_id;
    if reversed is not null then
      raise exception 'a reversed receipt cannot be matched to a bank line' using errcode = 'check_violation', constraint = 'bank_matches_fit';
    end if;
    if new.kind = 'returned' then
      matched := -new.amount_cents;
    else
      select coalesce(sum(amount_cents), 0) + new.amount_cents into matched from bank_matches
      where receipt_id = new.receipt_id and undone_at is null and kind in ('made', 'linked');
    end if;
    if matched > whole or new.kind = 'returned' and matched <> whole then
      raise exception 'the matches of a receipt must not exceed its amount, and a returned receipt is matched whole' using errcode = 'check_violation', constraint = 'bank_matches_fit';
    end if;
  elsif abs(new.amount_cents) <> (select amount_cents from payouts where id = new.payout_id) then
    raise exception 'a match must have the amount of its payment' using errcode = 'check_violation', constraint = 'bank_matches_fit';
  end if;
  return new;
end $$;
create trigger check_match before insert on bank_matches for each row execute function check_match();

create function check_reversed_receipt() returns trigger language plpgsql as $$
begin
  if exists (select from bank_matches where receipt_id = new.id and undone_at is null and kind in ('made', 'linked'))
    and not exists (select from bank_matches where receipt_id = new.id and undone_at is null and kind = 'returned') then
    raise exception 'a reversed receipt must not be matched to a bank line'
      using errcode = 'check_violation', constraint = 'bank_matches_stand';
  end if;
  return null;
end $$;

create function check_match_change() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null or (to_jsonb(old) - 'undone_at') is distinct from (to_jsonb(new) - 'undone_at')
    or new.undone_at is distinct from (select undone_at from bank_placements where id = new.placement_id) then
    raise exception 'a bank match is never changed, only undone with its placement' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_match_change before update on bank_matches for each row execute function check_match_change();

create function undo_matches() returns trigger language plpgsql as $$
begin
  update bank_matches set undone_at = new.undone_at where placement_id = new.id;
  return null;
end $$;
create trigger undo_matches after update of undone_at on bank_placements
  for each row when (old.undone_at is null and new.undone_at is not null) execute function undo_matches();

-- At commit, matches sum to their line, and receipts and payouts have the implied status.
create function check_placement() returns trigger language plpgsql as $$
declare
  the_placement uuid := case tg_table_name when 'bank_placements' then new.id else (to_jsonb(new) ->> 'placement_id')::uuid end;
begin
  if exists (
    select from bank_placements p join bank_lines l on l.id = p.line_id
    where p.id = the_placement and p.undone_at is null and case when p.kind in ('receipt', 'payout', 'returned')
      then l.amount_cents <> (select coalesce(sum(m.amount_cents), 0) from bank_matches m where m.placement_id = p.id)
      else exists (select from bank_matches m where m.placement_id = p.id) end
  ) then
    raise exception 'the matches of a bank line must add up to its amount' using errcode = 'check_violation', constraint = 'bank_matches_sum';
  end if;
  if exists (
    select from bank_matches m left join receipts r on r.id = m.receipt_id left join payouts o on o.id = m.payout_id
    where m.placement_id = the_placement and m.undone_at is null and case m.kind
      when 'returned' then r.reversed_at is null
      when 'completed' then o.status not in ('completed', 'returned')
      when 'paid' then o.status not in ('completed', 'returned')
      when 'came_back' then o.status <> 'returned'
      when 'back' then o.status <> 'returned'
      else false end
  ) then
    raise exception 'a matched receipt or payment must have the status that the match implies' using errcode = 'check_violation', constraint = 'bank_matches_stand';
  end if;
  return null;
end $$;
create constraint trigger check_placement after insert or update on bank_placements
  deferrable initially deferred for each row execute function check_placement();

create function check_bank_statement_change() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null
    or (to_jsonb(old) - array['undone_by', 'undone_at']) is distinct from (to_jsonb(new) - array['undone_by', 'undone_at']) then
    raise exception 'a statement is never changed, only undone once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_bank_statement_change before update on bank_statements
  for each row when (not is_forgetting()) execute function check_bank_statement_change();

create function check_statement_undone() returns trigger language plpgsql as $$
declare
  the_row jsonb := to_jsonb(old);
  the_line uuid := case tg_table_name when 'bank_lines' then (the_row ->> 'id')::uuid
    when 'learned_payers' then (select line_id from bank_placements where id = (the_row ->> 'placement_id')::uuid)
    else (the_row ->> 'line_id')::uuid end;
begin
  if not exists (select from bank_lines l join bank_statements s on s.id = l.statement_id
      where l.id = the_line and s.undone_at is not null)
    or tg_table_name = 'bank_placements' and (the_row ->> 'undone_at' is null or the_row ->> 'kind' in ('charge', 'interest'))
    or tg_table_name = 'bank_matches' and exists (select from ledger_entries where source = 'receipt-deposit:' || (the_row ->> 'id'))
  then
    raise exception 'imported bank lines and their matches are never changed' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger check_statement_undone before delete on bank_lines for each row execute function check_statement_undone();
create trigger check_statement_undone before delete on bank_placements for each row execute function check_statement_undone();
create trigger check_statement_undone before delete on bank_matches for each row execute function check_statement_undone();
create trigger check_statement_undone before delete on learned_payers for each row execute function check_statement_undone();
create trigger check_statement_undone before delete on bank_declines for each row execute function check_statement_undone();

create function queue_placement_check() returns trigger language plpgsql as $$
begin
  update bank_placements set undone_at = undone_at where id in (select placement_id from added);
  return null;
end $$;
create trigger queue_placement_check after insert on bank_matches
  referencing new table as added for each statement execute function queue_placement_check();

create function check_bank_account_change() returns trigger language plpgsql as $$
begin
  if new.is_main is distinct from old.is_main or old.opened_on is not null and (
    (new.account_number, new.opened_on, new.opened_at) is distinct from (old.account_number, old.opened_on, old.opened_at)
    or new.opening_posted_cents - old.opening_posted_cents <> new.opening_cents - old.opening_cents
    -- The opening balance changes only by a correction, once for each.
    or new.opening_cents <> old.opening_cents and (old.opening_cents, new.opening_cents) is distinct from (
      select (before_cents, after_cents) from bank_opening_corrections where account_id = new.id order by nth desc limit 1))
  then
    raise exception 'a bank account with statements keeps its number and opening balance' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_bank_account_change before update on bank_accounts for each row execute function check_bank_account_change();

create function check_opening_correction() returns trigger language plpgsql as $$
begin
  if not exists (select from bank_accounts a where a.id = new.account_id and a.opening_cents = new.before_cents)
    or new.nth <> (select count(*) + 1 from bank_opening_corrections where account_id = new.account_id) then
    raise exception 'a correction must start from the current opening balance of the account'
      using errcode = 'check_violation', constraint = 'bank_opening_corrections_follow';
  end if;
  if (select opened_on from bank_accounts where id = new.account_id) < books_open_from() then
    raise exception 'the month of the opening balance is closed'
      using errcode = 'restrict_violation', constraint = 'bank_opening_corrections_in_open_month';
  end if;
  return new;
end $$;
create trigger check_opening_correction before insert on bank_opening_corrections
  for each row execute function check_opening_correction();

create function check_corrected_opening() returns trigger language plpgsql as $$
begin
  if (select opening_cents from bank_accounts where id = new.account_id) is distinct from
    (select after_cents from bank_opening_corrections where account_id = new.account_id order by nth desc limit 1) then
    raise exception 'the opening balance must equal its last correction'
      using errcode = 'check_violation', constraint = 'bank_opening_corrections_count';
  end if;
  return null;
end $$;
create constraint trigger check_corrected_opening after insert on bank_opening_corrections
  deferrable initially deferred for each row execute function check_corrected_opening();

-- Waits for a transaction that imports the first lines, like `lock_unused_ledger`.
create function lock_unused_bank_lines() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from bank_lines) then lock table bank_lines in share mode; end if;
end $$;
revoke execute on function lock_unused_bank_lines() from public;
grant execute on function lock_unused_bank_lines() to milkwood_staff;

-- The currency is fixed once an amount exists: a ledger entry, or a bank line that is not posted yet. The commands lock
-- both tables before they change it.
create function check_currency_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from ledger_entries) or exists (select from bank_lines) then
    raise exception 'the currency must not change once amounts are recorded' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on bank_accounts execute function refuse_change();
create trigger refuse_delete before delete or truncate on bank_statements for each statement execute function refuse_change();
create trigger refuse_update before update or truncate on bank_lines for each statement execute function refuse_change();
create trigger refuse_truncate before truncate on bank_placements for each statement execute function refuse_change();
create trigger refuse_truncate before truncate on bank_matches for each statement execute function refuse_change();
create trigger refuse_update before update or truncate on learned_payers for each statement execute function refuse_change();
create trigger refuse_update before update or truncate on bank_declines for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on bank_opening_corrections
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on bank_statement_days
  for each statement execute function refuse_change();

-- Triggers on tables of other rooms.
create constraint trigger check_reversed_receipt after update of reversed_at on receipts
  deferrable initially deferred for each row when (new.reversed_at is not null) execute function check_reversed_receipt();
-- The default is rand, as in the domain.
create trigger check_currency_change_on_insert after insert on settings for each row
  when (new.key = 'currency' and new.value <> '"ZAR"') execute function check_currency_change();
create trigger check_currency_change_on_update after update on settings for each row
  when ((old.key = 'currency' or new.key = 'currency') and (old.key, old.value) is distinct from (new.key, new.value))
  execute function check_currency_change();
create trigger check_currency_change_on_delete after delete on settings for each row
  when (old.key = 'currency' and old.value <> '"ZAR"') execute function check_currency_change();
