-- Room receipts: money that came in, and the invoices that it was set against.

create table receipts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- REC-2026-000123 unless whoever captured it gave it another.
  number text not null check (btrim(number) <> ''),
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'cheque', 'cash', 'credit_card', 'debit_card')),
  received_on date not null,
  reference text not null default '',
  notes text not null default '',
  created_by uuid,
  created_at timestamptz not null,
  reversed_on date,
  reversed_at timestamptz,
  reversed_by uuid,
  reverse_reason text,
  version integer not null default 1,
  unique (id, group_id),
  unique (id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((reversed_at is null) = (reversed_on is null) and (reversed_at is null) = (reverse_reason is null)),
  check (reversed_on >= received_on)
);

create unique index receipts_number on receipts (lower(number));
create index receipts_newest on receipts (received_on desc, number desc);
create index receipts_policy on receipts (policy_id, received_on);
create index receipts_group on receipts (group_id);
create index receipts_number_trigrams on receipts using gin (lower(number) gin_trgm_ops);

-- A part of a receipt set against an invoice of the same policy. It is released, never deleted.
create table receipt_allocations (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  receipt_id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  allocated_on date not null,
  created_by uuid,
  created_at timestamptz not null,
  released_on date,
  released_at timestamptz,
  release_reason text,
  unique (id, group_id),
  foreign key (receipt_id, group_id) references receipts (id, group_id),
  foreign key (receipt_id, policy_id) references receipts (id, policy_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (invoice_id, policy_id) references invoices (id, policy_id),
  check ((released_at is null) = (released_on is null) and (released_at is null) = (release_reason is null)),
  check (released_on >= allocated_on)
);

create index receipt_allocations_receipt on receipt_allocations (receipt_id) include (amount_cents) where released_at is null;
create index receipt_allocations_invoice on receipt_allocations (invoice_id) include (amount_cents) where released_at is null;

-- At commit: no receipt is allocated beyond its amount, no reversed one at all, and no invoice beyond what it asks for.
create function check_allocation() returns trigger language plpgsql as $$
declare
  the_receipt uuid := case tg_table_name when 'receipts' then new.id else (to_jsonb(new) ->> 'receipt_id')::uuid end;
  the_invoice uuid := (to_jsonb(new) ->> 'invoice_id')::uuid;
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
  return null;
end $$;

create constraint trigger allocations_fit after insert or update on receipt_allocations
  deferrable initially deferred for each row execute function check_allocation();
create constraint trigger receipts_fit after update on receipts
  deferrable initially deferred for each row execute function check_allocation();

-- What was received stays as it was captured; only its reversal is added.
create function keep_receipt() returns trigger language plpgsql as $$
declare
  added text[] := array['reversed_on', 'reversed_at', 'reversed_by', 'reverse_reason', 'version'];
begin
  if (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) or old.reversed_at is not null then
    raise exception 'a receipt is never changed, only reversed once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger receipts_are_kept before update on receipts for each row execute function keep_receipt();

create function keep_allocation() returns trigger language plpgsql as $$
declare
  added text[] := array['released_on', 'released_at', 'release_reason'];
begin
  if (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) or old.released_at is not null then
    raise exception 'an allocation is never changed, only released once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger allocations_are_kept before update on receipt_allocations for each row execute function keep_allocation();

select protect('receipts');
select protect('receipt_allocations');

grant select, insert, update on receipts, receipt_allocations to milkwood_staff;
-- An employer's people see what was set against their invoices, which makes them paid; not the receipts.
grant select on receipt_allocations to milkwood_scoped;
