-- A closed month stays as it is: nothing is posted into it, or into what came before it, whoever asks.

create table closed_months (
  id uuid primary key,
  month date not null check (month = date_trunc('month', month)),
  -- Every account at its end, debit above zero; and the last entry of the journal by then.
  balances jsonb not null,
  last_seq bigint not null,
  closed_by uuid,
  closed_at timestamptz not null,
  reopened_by uuid,
  reopened_at timestamptz,
  reopen_reason text,
  reopened_seq bigint,
  check ((reopened_at is null) = (reopen_reason is null) and (reopened_at is null) = (reopened_seq is null)),
  check (btrim(reopen_reason) <> ''),
  check (reopened_seq >= last_seq)
);
create unique index closed_months_once on closed_months (month) where reopened_at is null;

-- Where posting may begin; null while nothing is closed. Whoever posts holds the books open to the end of their
-- transaction, so that a month closes before them or after them.
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
create trigger ledger_entries_in_open_month before insert on ledger_entries
  for each row execute function refuse_closed_month();

-- Months close in order, while nobody posts; the last one closed reopens, once.
create function close_in_order() returns trigger language plpgsql as $$
declare
  last date;
begin
  perform pg_advisory_xact_lock(hashtextextended('', 19));
  last := (select max(month) from closed_months where reopened_at is null);
  if tg_op = 'INSERT' then
    if last is not null and new.month <> (last + interval '1 month')::date then
      raise exception 'months close in order: after % comes not %', last, new.month
        using errcode = 'check_violation', constraint = 'closed_months_in_order';
    end if;
  elsif old.reopened_at is not null or old.month <> last
    or (to_jsonb(old) - array['reopened_by', 'reopened_at', 'reopen_reason', 'reopened_seq'])
      is distinct from (to_jsonb(new) - array['reopened_by', 'reopened_at', 'reopen_reason', 'reopened_seq'])
  then
    raise exception 'of closed months the last one is reopened, and nothing else is changed'
      using errcode = 'restrict_violation', constraint = 'closed_months_in_order';
  end if;
  return new;
end $$;
create trigger closed_months_in_order before insert or update on closed_months
  for each row execute function close_in_order();
create trigger closed_months_stay before delete or truncate on closed_months for each statement execute function refuse_change();

grant select, insert, update (reopened_by, reopened_at, reopen_reason, reopened_seq) on closed_months to milkwood_staff;
