-- What will not come on an invoice is given up: above a limit only once a second person confirms it, undone by reversal.

create table write_offs (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  net_cents bigint not null check (net_cents >= 0),
  -- The share of VAT in it, taken back as bad debt relief.
  vat_cents bigint not null check (vat_cents >= 0),
  total_cents bigint not null check (total_cents > 0 and total_cents = net_cents + vat_cents),
  reason text not null check (btrim(reason) <> ''),
  asked_by uuid not null,
  asked_at timestamptz not null,
  -- What one person could write off alone when it was asked for.
  limit_cents bigint not null check (limit_cents >= 0),
  written_off_on date,
  confirmed_by uuid,
  confirmed_at timestamptz,
  declined_by uuid,
  declined_at timestamptz,
  reversed_on date,
  reversed_by uuid,
  reversed_at timestamptz,
  reverse_reason text,
  unique (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (invoice_id, policy_id) references invoices (id, policy_id),
  constraint write_offs_above_the_limit_have_two_people
    check (written_off_on is null or total_cents <= limit_cents or confirmed_by is not null),
  constraint write_offs_are_confirmed_by_another check (confirmed_by <> asked_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((declined_by is null) = (declined_at is null)),
  check (declined_at is null or written_off_on is null),
  check ((reversed_at is null) = (reversed_on is null) and (reversed_at is null) = (reverse_reason is null)),
  check (reversed_on is null or reversed_on >= written_off_on)
);
create index write_offs_invoice on write_offs (invoice_id);
create index write_offs_waiting on write_offs (asked_at) where written_off_on is null and declined_at is null;
create index write_offs_day on write_offs (written_off_on) where written_off_on is not null;
create index write_offs_reversed on write_offs (reversed_on) where reversed_on is not null;
-- One at a time waits on an invoice.
create unique index write_offs_one_waiting on write_offs (invoice_id) where written_off_on is null and declined_at is null;

alter table invoices add column written_off_cents bigint not null default 0 check (written_off_cents >= 0);

create or replace function keep_sent_invoice() returns trigger language plpgsql as $$
declare
  moving text[] := array['credited_whole_at', 'credited_cents', 'allocated_cents', 'written_off_cents', 'version'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a sent or cancelled invoice is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What was asked for stays as it was; it is confirmed or declined once, and reversed once.
create function keep_write_off() returns trigger language plpgsql as $$
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
create trigger write_offs_are_kept before update on write_offs for each row execute function keep_write_off();
create trigger write_offs_stay before delete or truncate on write_offs for each statement execute function refuse_change();

create function keep_written_off() returns trigger language plpgsql as $$
declare
  cents bigint := case when new.written_off_on is not null and new.reversed_on is null then new.total_cents else 0 end;
begin
  if tg_op = 'UPDATE' and old.written_off_on is not null and old.reversed_on is null then
    cents := cents - old.total_cents;
  end if;
  if cents <> 0 then
    update invoices set written_off_cents = written_off_cents + cents where id = new.invoice_id;
  end if;
  return null;
end $$;
create trigger write_offs_are_counted after insert or update on write_offs for each row execute function keep_written_off();

create trigger invoice_write_offs_follow before update of written_off_cents on invoices
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();
create trigger invoice_write_offs_begin before insert on invoices
  for each row when (new.written_off_cents <> 0) execute function refuse_kept_figures();

-- At commit nothing is paid, credited and given up beyond what was invoiced.
create function check_invoice_settled() returns trigger language plpgsql as $$
begin
  if exists (select from invoices i where i.id = new.id
    and i.credited_cents + i.allocated_cents + i.written_off_cents > case when i.status = 'sent' then i.total_cents else 0 end) then
    raise exception 'invoice % is settled beyond its total', new.number
      using errcode = 'check_violation', constraint = 'invoice_not_over_settled';
  end if;
  return null;
end $$;
create constraint trigger invoice_not_over_settled after update of credited_cents, allocated_cents, written_off_cents on invoices
  deferrable initially deferred for each row execute function check_invoice_settled();

drop index invoices_open;
create index invoices_open on invoices (due_on, id)
  where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents;

drop index invoices_by_open;
create index invoices_by_open on invoices (
  (case when status = 'sent' then total_cents - credited_cents - allocated_cents - written_off_cents else 0 end), id);

select protect('write_offs');
-- An employer's people see what is left of their invoices, not why.
grant select, insert, update on write_offs to milkwood_staff;
