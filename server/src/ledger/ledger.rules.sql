create function check_ledger_entry() returns trigger language plpgsql as $$
declare
  entry uuid := case tg_table_name when 'ledger_entries' then (to_jsonb(new) ->> 'id')::uuid
                                   else (to_jsonb(new) ->> 'entry_id')::uuid end;
  total numeric;
  lines integer;
begin
  select coalesce(sum(amount_cents), 0), count(*) into total, lines from ledger_postings where entry_id = entry;
  if lines < 2 or total <> 0 then
    raise exception 'ledger entry % does not balance: % postings, % cents', entry, lines, total
      using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;
create constraint trigger check_ledger_entry after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_entry();
create constraint trigger check_ledger_entry after insert on ledger_postings
  deferrable initially deferred for each row execute function check_ledger_entry();

create function sync_ledger_months() returns trigger language plpgsql as $$
begin
  insert into ledger_months as kept (account, policy_id, group_id, month, debit_cents, credit_cents, postings)
  select p.account, p.policy_id, p.group_id, date_trunc('month', e.effective_on), coalesce(sum(p.amount_cents) filter (where p.amount_cents > 0), 0),
    coalesce(-sum(p.amount_cents) filter (where p.amount_cents < 0), 0), count(*)
  from added p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict on constraint ledger_months_once do update set debit_cents = kept.debit_cents + excluded.debit_cents,
    credit_cents = kept.credit_cents + excluded.credit_cents, postings = kept.postings + excluded.postings;
  return null;
end $$;
create trigger sync_ledger_months after insert on ledger_postings
  referencing new table as added for each statement execute function sync_ledger_months();

create function set_entry_columns() returns trigger language plpgsql as $$
begin
  select effective_on, seq, lower(description) into new.effective_on, new.seq, new.words
  from ledger_entries where id = new.entry_id;
  return new;
end $$;
create trigger set_entry_columns before insert on ledger_postings
  for each row execute function set_entry_columns();

-- The first day that accepts postings; null while no month is closed. The shared lock lasts until the transaction ends,
-- so that a month closes before or after it.
create function books_open_from() returns date language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('', 19));
  return (select (max(month) + interval '1 month')::date from closed_months where reopened_at is null);
end $$;

create function refuse_closed_month() returns trigger language plpgsql as $$
begin
  if new.effective_on < books_open_from() then
    raise exception 'the month of % is closed', new.effective_on
      using errcode = 'restrict_violation', constraint = 'ledger_entries_in_open_month';
  end if;
  return new;
end $$;
create trigger refuse_closed_month before insert on ledger_entries
  for each row execute function refuse_closed_month();

-- Waits for posting transactions. Only the last closed month can be reopened, once.
create function check_closing_order() returns trigger language plpgsql as $$
declare
  last date;
begin
  perform pg_advisory_xact_lock(hashtextextended('', 19));
  last := (select max(month) from closed_months where reopened_at is null);
  if tg_op = 'INSERT' then
    if last is not null and new.month <> (last + interval '1 month')::date then
      raise exception 'months must be closed in order: after %, the next month is not %', last, new.month
        using errcode = 'check_violation', constraint = 'closed_months_in_order';
    end if;
  elsif old.reopened_at is not null or old.month <> last
    or (to_jsonb(old) - array['reopened_by', 'reopened_at', 'reopen_reason', 'reopened_seq'])
      is distinct from (to_jsonb(new) - array['reopened_by', 'reopened_at', 'reopen_reason', 'reopened_seq'])
  then
    raise exception 'only the last closed month can be reopened, and nothing else is changed'
      using errcode = 'restrict_violation', constraint = 'closed_months_in_order';
  end if;
  return new;
end $$;
create trigger check_closing_order before insert or update on closed_months
  for each row execute function check_closing_order();

create function check_premium_part() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.earned_on is not null or new.earned_on is null
    or (to_jsonb(old) - 'earned_on') is distinct from (to_jsonb(new) - 'earned_on')
  then
    raise exception 'a premium part is released once and otherwise never changed'
      using errcode = 'restrict_violation', constraint = 'premium_parts_are_kept';
  end if;
  if not exists (select from ledger_entries where effective_on = new.earned_on
    and source = case when new.credit_note_id is null then 'invoice:' || new.invoice_id else 'credit-note:' || new.credit_note_id end
      || ':earned:' || to_char(new.month, 'YYYY-MM'))
  then
    raise exception 'no ledger entry releases the premium of %', new.month
      using errcode = 'check_violation', constraint = 'premium_parts_are_posted';
  end if;
  return new;
end $$;
create trigger check_premium_part before update or delete on premium_parts
  for each row execute function check_premium_part();

create function refuse_unreleased_premium() returns trigger language plpgsql as $$
begin
  if exists (select from premium_parts where earned_on is null and month <= new.month) then
    raise exception 'premium up to % must be released before the month closes', new.month
      using errcode = 'restrict_violation', constraint = 'closed_months_are_released';
  end if;
  return new;
end $$;
create trigger refuse_unreleased_premium before insert on closed_months
  for each row execute function refuse_unreleased_premium();

-- Waits for a transaction that posts the first entry. A later one waits for this transaction. Does nothing once the
-- table has rows.
create function lock_unused_ledger() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from ledger_entries) then lock table ledger_entries in share mode; end if;
end $$;
revoke execute on function lock_unused_ledger() from public;
grant execute on function lock_unused_ledger() to milkwood_staff;

-- Triggers that call functions of other rooms.
create trigger refuse_change before update or delete or truncate on ledger_entries execute function refuse_change();
create trigger refuse_change before update or delete or truncate on ledger_postings execute function refuse_change();
create trigger refuse_derived_figures before insert or update or delete on ledger_months
  for each row when (pg_trigger_depth() = 0) execute function refuse_derived_figures();
create trigger refuse_delete before delete or truncate on closed_months for each statement execute function refuse_change();
create trigger refuse_truncate before truncate on premium_parts execute function refuse_change();
