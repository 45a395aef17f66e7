-- What an invoice was credited and paid, and what of a receipt is set against invoices, stand on their rows: kept by
-- triggers in the transaction that writes a credit note or an allocation, so that nobody has to add up all there ever was.

alter table invoices
  add column credited_cents bigint not null default 0 check (credited_cents >= 0),
  add column allocated_cents bigint not null default 0 check (allocated_cents >= 0);
alter table receipts
  add column allocated_cents bigint not null default 0,
  add constraint receipt_not_over_allocated check (allocated_cents between 0 and amount_cents);

create or replace function keep_sent_invoice() returns trigger language plpgsql as $$
declare
  moving text[] := array['credited_whole_at', 'credited_cents', 'allocated_cents', 'version'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a sent or cancelled invoice is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace function keep_receipt() returns trigger language plpgsql as $$
declare
  added text[] := array['reversed_on', 'reversed_at', 'reversed_by', 'reverse_reason', 'allocated_cents', 'version'];
  after_reversal text[] := array['allocated_cents'];
begin
  if (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added)
    or (old.reversed_at is not null and (to_jsonb(old) - after_reversal) is distinct from (to_jsonb(new) - after_reversal)) then
    raise exception 'a receipt is never changed, only reversed once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- An invoice's lines are added up anew when they or its status changed, and not whenever something is paid on it.
drop trigger invoice_subtotal_is_its_lines on invoices;
create constraint trigger invoice_subtotal_is_its_lines after insert or update of subtotal_cents, status on invoices
  deferrable initially deferred for each row execute function check_invoice_subtotal();

alter table invoices no force row level security;
alter table receipts no force row level security;
alter table credit_notes no force row level security;
alter table receipt_allocations no force row level security;
update invoices i set credited_cents = c.cents
  from (select invoice_id, sum(total_cents) as cents from credit_notes group by invoice_id) c where c.invoice_id = i.id;
update invoices i set allocated_cents = a.cents
  from (select invoice_id, sum(amount_cents) as cents from receipt_allocations where released_at is null group by invoice_id) a
  where a.invoice_id = i.id;
update receipts r set allocated_cents = a.cents
  from (select receipt_id, sum(amount_cents) as cents from receipt_allocations where released_at is null group by receipt_id) a
  where a.receipt_id = r.id;
set constraints all immediate;
alter table invoices force row level security;
alter table receipts force row level security;
alter table credit_notes force row level security;
alter table receipt_allocations force row level security;

create function keep_credited() returns trigger language plpgsql as $$
begin
  update invoices set credited_cents = credited_cents + new.total_cents where id = new.invoice_id;
  return null;
end $$;
create trigger credit_notes_are_counted after insert on credit_notes for each row execute function keep_credited();

create function keep_allocated() returns trigger language plpgsql as $$
declare
  cents bigint := case when new.released_at is null then new.amount_cents else 0 end;
begin
  if tg_op = 'UPDATE' and old.released_at is null then
    cents := cents - old.amount_cents;
  end if;
  if cents <> 0 then
    update invoices set allocated_cents = allocated_cents + cents where id = new.invoice_id;
    update receipts set allocated_cents = allocated_cents + cents where id = new.receipt_id;
  end if;
  return null;
end $$;
create trigger allocations_are_counted after insert or update on receipt_allocations
  for each row execute function keep_allocated();

-- Nobody else sets them: what a statement of its own would write is refused.
create function refuse_kept_figures() returns trigger language plpgsql as $$
begin
  raise exception 'these figures of % follow from other rows', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger invoice_figures_follow before update of credited_cents, allocated_cents on invoices
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();
create trigger invoice_figures_begin before insert on invoices
  for each row when (new.credited_cents <> 0 or new.allocated_cents <> 0) execute function refuse_kept_figures();
create trigger receipt_figures_follow before update of allocated_cents on receipts
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();
create trigger receipt_figures_begin before insert on receipts
  for each row when (new.allocated_cents <> 0) execute function refuse_kept_figures();

-- What is open, and what has changed since a day: figures of an earlier day are today's, less what came since.
create index invoices_open on invoices (due_on, id) where status = 'sent' and credited_cents + allocated_cents < total_cents;
create index receipts_open on receipts (policy_id, received_on) where reversed_at is null and allocated_cents < amount_cents;
create index receipts_reversed on receipts (reversed_on) where reversed_on is not null;
create index credit_notes_day on credit_notes (credited_on);
create index receipt_allocations_day on receipt_allocations (allocated_on);
create index receipt_allocations_released on receipt_allocations (released_on) where released_on is not null;
drop index receipt_allocations_receipt;
drop index receipt_allocations_invoice;
create index receipt_allocations_receipt on receipt_allocations (receipt_id);
create index receipt_allocations_invoice on receipt_allocations (invoice_id);
