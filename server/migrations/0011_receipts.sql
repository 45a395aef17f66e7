create table receipts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- REC-2026-000123, unless the user entered another.
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
  allocated_cents bigint not null default 0,
  deposit_id uuid,
  refunded_cents bigint not null default 0,
  -- The version of the current posting.
  posted_version integer not null default 1,
  paid_into text not null default 'bank' check (paid_into in ('bank', 'undeposited')),
  unique (id, group_id),
  unique (id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((reversed_at is null) = (reversed_on is null) and (reversed_at is null) = (reverse_reason is null)),
  constraint receipts_check1 check (reversed_on >= received_on),
  constraint receipts_date_is_plausible check (received_on between '2000-01-01' and '2199-12-31'),
  constraint receipts_check2 check (posted_version between 1 and version),
  constraint receipt_not_over_allocated
    check (allocated_cents >= 0 and refunded_cents >= 0 and allocated_cents + refunded_cents <= amount_cents),
  constraint receipt_reversed_is_not_refunded check (reversed_at is null or refunded_cents = 0),
  -- A bank transfer is already in the bank.
  constraint receipts_transfer_into_bank check (paid_into = 'bank' or method <> 'bank_transfer')
);
create unique index receipts_number on receipts (lower(number));
create index receipts_newest on receipts (received_on desc, number desc);
create index receipts_policy on receipts (policy_id, received_on);
create index receipts_group on receipts (group_id);
create index receipts_number_trigrams on receipts using gin (lower(number) gin_trgm_ops);
create index receipts_by_number on receipts (number);
create index receipts_by_amount on receipts (amount_cents, id);
create index receipts_reference_trigrams on receipts using gin (lower(reference) gin_trgm_ops);
create index receipts_reversed on receipts (reversed_on) where reversed_on is not null;
create index receipts_amount_received on receipts (amount_cents, received_on) where reversed_at is null;
create index receipts_deposit on receipts (deposit_id) where deposit_id is not null;
create index receipts_open on receipts (policy_id, received_on)
  where reversed_at is null and allocated_cents + refunded_cents < amount_cents;
-- For the monthly totals of a year, by index-only scan.
create index receipts_by_month on receipts (received_on) include (amount_cents) where reversed_at is null;
select protect('receipts');
grant select, insert, update on receipts to milkwood_staff;

-- Part of a receipt, allocated to an invoice of the same policy. It is released, never deleted.
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
  constraint receipt_allocations_check1 check (released_on >= allocated_on)
);
create index receipt_allocations_day on receipt_allocations (allocated_on);
create index receipt_allocations_released on receipt_allocations (released_on) where released_on is not null;
create index receipt_allocations_receipt on receipt_allocations (receipt_id);
create index receipt_allocations_invoice on receipt_allocations (invoice_id);
select protect('receipt_allocations');
-- Users of an employer read allocations, because these make invoices paid, but not receipts.
grant select, insert, update on receipt_allocations to milkwood_staff;
grant select on receipt_allocations to milkwood_scoped;

create table write_offs (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  net_cents bigint not null check (net_cents >= 0),
  -- The VAT share, reclaimed as bad debt relief.
  vat_cents bigint not null check (vat_cents >= 0),
  total_cents bigint not null,
  reason text not null check (btrim(reason) <> ''),
  asked_by uuid not null,
  asked_at timestamptz not null,
  -- The amount that one user could write off alone at the time.
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
  -- The user who created the requesting service key.
  key_made_by uuid,
  unique (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (invoice_id, policy_id) references invoices (id, policy_id),
  check (total_cents > 0 and total_cents = net_cents + vat_cents),
  constraint write_offs_above_the_limit_have_two_people
    check (written_off_on is null or total_cents <= limit_cents or confirmed_by is not null),
  constraint write_offs_are_confirmed_by_another check (confirmed_by <> asked_by),
  constraint write_offs_check1 check ((confirmed_by is null) = (confirmed_at is null)),
  constraint write_offs_check2 check ((declined_by is null) = (declined_at is null)),
  constraint write_offs_check3 check (declined_at is null or written_off_on is null),
  constraint write_offs_check4
    check ((reversed_at is null) = (reversed_on is null) and (reversed_at is null) = (reverse_reason is null)),
  constraint write_offs_check5 check (reversed_on is null or reversed_on >= written_off_on),
  constraint write_offs_are_confirmed_by_no_maker_of_the_key check (confirmed_by <> key_made_by)
);
create index write_offs_invoice on write_offs (invoice_id);
create index write_offs_waiting on write_offs (asked_at) where written_off_on is null and declined_at is null;
create index write_offs_day on write_offs (written_off_on) where written_off_on is not null;
create index write_offs_reversed on write_offs (reversed_on) where reversed_on is not null;
create unique index write_offs_one_waiting on write_offs (invoice_id) where written_off_on is null and declined_at is null;
select protect('write_offs');
-- Users of an employer read the amounts written off their invoices, which reduce what is owed, but not reasons or
-- users.
grant select, insert, update on write_offs to milkwood_staff;
grant select (id, group_id, invoice_id, total_cents, written_off_on, reversed_on) on write_offs to milkwood_scoped;

-- One payment for several policies, possibly of several groups. Its receipts name the policies.
create table deposits (
  id uuid primary key,
  -- DEP-2026-000001.
  number text not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'cheque', 'cash', 'credit_card', 'debit_card')),
  received_on date not null check (received_on between '2000-01-01' and '2199-12-31'),
  reference text not null default '',
  notes text not null default '',
  created_by uuid,
  created_at timestamptz not null
);
alter table receipts add foreign key (deposit_id) references deposits (id);
-- A bank line may be a whole deposit: matching reads the deposits around its day.
create index deposits_received on deposits (received_on);
grant select, insert on deposits to milkwood_staff;

-- Postings of a receipt before a correction, since reversed. The receipt may have had another group then.
create table receipt_edits (
  receipt_id uuid not null references receipts (id),
  -- The receipt's version at that posting.
  posted_version integer not null,
  policy_id uuid not null references policies (id),
  amount_cents bigint not null check (amount_cents > 0),
  method text not null,
  paid_into text not null check (paid_into in ('bank', 'undeposited')),
  received_on date not null,
  edited_by uuid,
  edited_at timestamptz not null,
  primary key (receipt_id, posted_version)
);
grant select, insert on receipt_edits to milkwood_staff;
