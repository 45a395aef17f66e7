create function check_allocation() returns trigger language plpgsql as $$
declare
  the_receipt uuid := case tg_table_name when 'receipts' then new.id else (to_jsonb(new) ->> 'receipt_id')::uuid end;
  the_invoice uuid := case tg_table_name when 'invoices' then new.id else (to_jsonb(new) ->> 'invoice_id')::uuid end;
begin
  if exists (
    select from receipts r
    where r.id = the_receipt
      and (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a where a.receipt_id = r.id and a.released_at is null)
          > case when r.reversed_at is null then r.amount_cents else 0 end
  ) then
    raise exception 'receipt % is allocated beyond its amount', the_receipt
      using errcode = 'check_violation', constraint = 'receipt_not_over_allocated';
  end if;
  if the_invoice is not null and exists (
    select from invoices i
    where i.id = the_invoice
      and (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a where a.invoice_id = i.id and a.released_at is null)
          > case when i.status = 'sent' then i.total_cents - (select coalesce(sum(c.total_cents), 0) from credit_notes c where c.invoice_id = i.id) else 0 end
  ) then
    raise exception 'invoice % is allocated beyond its total', the_invoice
      using errcode = 'check_violation', constraint = 'invoice_not_over_allocated';
  end if;
  if the_invoice is not null and exists (
    select from invoices i
    where i.id = the_invoice and i.allocated_cents <>
      (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a where a.invoice_id = i.id and a.released_at is null)
  ) then
    raise exception 'the allocated amount of invoice % must equal its unreleased allocations', the_invoice
      using errcode = 'check_violation', constraint = 'invoices_allocated_is_allocations';
  end if;
  return null;
end $$;
create constraint trigger check_allocation after insert or update on receipt_allocations
  deferrable initially deferred for each row execute function check_allocation();
create constraint trigger check_allocation after update on receipts
  deferrable initially deferred for each row execute function check_allocation();

create function check_allocation_change() returns trigger language plpgsql as $$
declare
  added text[] := array['released_on', 'released_at', 'release_reason'];
begin
  if (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) or old.released_at is not null then
    raise exception 'an allocation is never changed, only released once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_allocation_change before update on receipt_allocations for each row execute function check_allocation_change();

create function sync_allocated_amount() returns trigger language plpgsql as $$
declare
  cents bigint := case when new.released_at is null then new.amount_cents else 0 end;
begin
  if tg_op = 'UPDATE' and old.released_at is null then
    cents := cents - old.amount_cents;
  end if;
  if cents <> 0 then
    update receipts set allocated_cents = allocated_cents + cents where id = new.receipt_id;
  end if;
  return null;
end $$;
create trigger sync_allocated_amount after insert or update on receipt_allocations
  for each row execute function sync_allocated_amount();

create function check_write_off_change() returns trigger language plpgsql as $$
declare
  deciding text[] := array['written_off_on', 'confirmed_by', 'confirmed_at', 'declined_by', 'declined_at'];
  reversing text[] := array['reversed_on', 'reversed_by', 'reversed_at', 'reverse_reason'];
  waits boolean := old.written_off_on is null and old.declined_at is null;
begin
  if (to_jsonb(old) - case when waits then deciding else reversing end)
       is distinct from (to_jsonb(new) - case when waits then deciding else reversing end)
    or old.declined_at is not null or old.reversed_at is not null then
    raise exception 'a write-off is never changed, only decided once and reversed once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_write_off_change before update on write_offs for each row execute function check_write_off_change();

create function check_written_off_amount() returns trigger language plpgsql as $$
declare
  the_invoice uuid := case tg_table_name when 'invoices' then new.id else (to_jsonb(new) ->> 'invoice_id')::uuid end;
begin
  if (select written_off_cents from invoices where id = the_invoice) <> (select coalesce(sum(total_cents), 0) from write_offs
    where invoice_id = the_invoice and written_off_on is not null and reversed_on is null) then
    raise exception 'the written-off amount of invoice % must equal its effective write-offs', the_invoice
      using errcode = 'check_violation', constraint = 'invoices_written_off_is_write_offs';
  end if;
  return null;
end $$;
create constraint trigger check_written_off_amount after insert or update on write_offs
  deferrable initially deferred for each row execute function check_written_off_amount();

-- A receipt cannot be corrected once part of it is allocated or refunded. receipt_edits records each correction. Number
-- and deposit never change.
create function check_receipt_change() returns trigger language plpgsql as $$
declare
  moving text[] := array[
    'reversed_on', 'reversed_at', 'reversed_by', 'reverse_reason', 'allocated_cents', 'refunded_cents', 'version'
  ];
  money text[] := array['group_id', 'policy_id', 'amount_cents', 'method', 'paid_into', 'received_on', 'posted_version'];
  words text[] := array['reference', 'notes'];
  after_reversal text[] := array['allocated_cents', 'refunded_cents'];
begin
  if old.reversed_at is not null and (to_jsonb(old) - after_reversal) is distinct from (to_jsonb(new) - after_reversal) then
    raise exception 'a receipt that was reversed is never changed' using errcode = 'restrict_violation';
  end if;
  if (to_jsonb(old) - moving - money - words) is distinct from (to_jsonb(new) - moving - money - words) then
    raise exception 'a receipt keeps its number' using errcode = 'restrict_violation';
  end if;
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    if old.allocated_cents + old.refunded_cents > 0 or new.reversed_at is not null then
      raise exception 'a receipt with an allocation or refund cannot be corrected' using errcode = 'restrict_violation';
    end if;
    if (to_jsonb(old) - moving - words) is distinct from (to_jsonb(new) - moving - words) then
      if old.deposit_id is not null
        and (old.amount_cents, old.method, old.received_on) is distinct from (new.amount_cents, new.method, new.received_on) then
        raise exception 'a receipt of a deposit keeps the amount, method and date of the deposit' using errcode = 'restrict_violation';
      end if;
      if new.posted_version <> new.version or not exists (
        select from receipt_edits e where e.receipt_id = old.id and e.posted_version = old.posted_version
          and (e.policy_id, e.amount_cents, e.method, e.received_on, e.paid_into)
            = (old.policy_id, old.amount_cents, old.method, old.received_on, coalesce(to_jsonb(old) ->> 'paid_into', 'bank'))
      ) then
        raise exception 'the posted version of a receipt must be recorded in receipt_edits' using errcode = 'restrict_violation';
      end if;
    end if;
  end if;
  return new;
end $$;
create trigger check_receipt_change before update on receipts for each row execute function check_receipt_change();

create function check_deposit() returns trigger language plpgsql as $$
begin
  if exists (
    select from deposits d where d.id = new.deposit_id and (
      d.amount_cents < (select sum(amount_cents) from receipts where deposit_id = d.id and reversed_at is null)
      or (d.method, d.received_on) is distinct from (new.method, new.received_on))
  ) then
    raise exception 'the receipts of deposit % must have its method and date, and at most its amount', new.deposit_id
      using errcode = 'check_violation', constraint = 'deposit_is_its_receipts';
  end if;
  return null;
end $$;
create constraint trigger check_deposit after insert on receipts
  deferrable initially deferred for each row when (new.deposit_id is not null) execute function check_deposit();

create function check_receipt_paid_into() returns trigger language plpgsql as $$
begin
  if (new.paid_into = 'bank') <> (new.method = 'bank_transfer') then
    raise exception 'a receipt by % cannot be paid into %', new.method, new.paid_into
      using errcode = 'check_violation', constraint = 'receipts_paid_into_by_method';
  end if;
  return new;
end $$;
create trigger check_receipt_paid_into before insert on receipts
  for each row execute function check_receipt_paid_into();

create function check_key_maker_of_write_off() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.key_made_by is distinct from (select made_by from service_keys where id = new.asked_by) then
    raise exception 'a write-off must record the maker of its service key' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_key_maker_of_write_off before insert on write_offs
  for each row execute function check_key_maker_of_write_off();

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on write_offs for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on deposits execute function refuse_change();
create trigger refuse_change before update or delete or truncate on receipt_edits execute function refuse_change();
create trigger refuse_figures_on_update before update of allocated_cents on receipts
  for each row when (pg_trigger_depth() = 0) execute function refuse_derived_figures();
create trigger refuse_figures_on_insert before insert on receipts
  for each row when (new.allocated_cents <> 0 or new.refunded_cents <> 0) execute function refuse_derived_figures();
create trigger refuse_program before insert or update of confirmed_by on write_offs
  for each row execute function refuse_program('confirmed_by');

-- Triggers on tables of other rooms.
create constraint trigger check_allocation after update of allocated_cents on invoices
  deferrable initially deferred for each row execute function check_allocation();
create constraint trigger check_written_off_amount after update of written_off_cents on invoices
  deferrable initially deferred for each row execute function check_written_off_amount();
