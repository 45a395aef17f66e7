create table ledger_entries (
  id uuid primary key,
  -- The posted event. Unique, so that an event is never posted twice.
  source text not null unique,
  kind text not null check (kind in (
    'invoice_sent', 'credit_note', 'premium_earned', 'receipt_taken', 'receipt_deposited', 'allocation', 'claim_approved',
    'claim_payout_completed', 'claim_payout_returned', 'refund_released', 'refund_completed', 'refund_returned',
    'write_off', 'bank_opening', 'bank_charge', 'bank_interest', 'reversal'
  )),
  reverses_id uuid unique,
  effective_on date not null,
  posted_at timestamptz not null,
  description text not null check (description <> ''),
  record_kind text not null check (record_kind <> ''),
  record_id uuid not null,
  -- Order of posting, also among entries of the same instant.
  seq bigint not null generated always as identity unique,
  foreign key (reverses_id) references ledger_entries (id),
  check ((kind = 'reversal') = (reverses_id is not null)),
  constraint ledger_entries_date_is_plausible check (effective_on between '2000-01-01' and '2199-12-31')
);
create index ledger_entries_record on ledger_entries (record_kind, record_id);
create index ledger_entries_effective on ledger_entries (effective_on, seq);
grant select, insert on ledger_entries to milkwood_staff;

create table ledger_postings (
  entry_id uuid not null references ledger_entries (id),
  line smallint not null check (line >= 0),
  account text not null check (account in (
    'bank', 'undeposited', 'premium_debtors', 'accrued_premium', 'unallocated_receipts', 'claims_payable', 'refunds_payable',
    'vat_output', 'unearned_premium', 'premium_income', 'interest_received', 'claims_expense', 'bank_charges',
    'opening_balances', 'write_offs'
  )),
  policy_id uuid,
  group_id uuid,
  amount_cents bigint not null check (amount_cents <> 0),
  id uuid not null default gen_random_uuid() unique,
  effective_on date not null,
  seq bigint not null,
  words text not null,
  bank_account_id uuid,
  primary key (entry_id, line),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null)),
  constraint ledger_postings_check1
    check (account not in ('premium_debtors', 'unallocated_receipts') or policy_id is not null),
  constraint ledger_postings_bank_account check (bank_account_id is null or account = 'bank')
);
create index ledger_postings_account on ledger_postings (account, effective_on, seq, line, id) include (amount_cents);
create index ledger_postings_policy on ledger_postings (policy_id, account, effective_on, seq, line, id) include (amount_cents);
create index ledger_postings_words on ledger_postings using gin (account, words gin_trgm_ops);
create index ledger_postings_bank_account_of on ledger_postings (bank_account_id) where bank_account_id is not null;
select protect('ledger_postings');
grant select, insert on ledger_postings to milkwood_staff;

create table ledger_months (
  account text not null,
  policy_id uuid,
  group_id uuid,
  month date not null check (month = date_trunc('month', month)),
  debit_cents bigint not null check (debit_cents >= 0),
  credit_cents bigint not null check (credit_cents >= 0),
  postings integer not null check (postings > 0),
  constraint ledger_months_once unique nulls not distinct (account, policy_id, month),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null))
);
create index ledger_months_policy on ledger_months (policy_id, account, month);
select protect('ledger_months');
grant select, insert, update on ledger_months to milkwood_staff;

create table closed_months (
  id uuid primary key,
  month date not null check (month = date_trunc('month', month)),
  -- Every account at the month end, debit above zero, and the last journal entry by then.
  balances jsonb not null,
  last_seq bigint not null,
  closed_by uuid,
  closed_at timestamptz not null,
  reopened_by uuid,
  reopened_at timestamptz,
  reopen_reason text check (btrim(reopen_reason) <> ''),
  reopened_seq bigint,
  check ((reopened_at is null) = (reopen_reason is null) and (reopened_at is null) = (reopened_seq is null)),
  constraint closed_months_check1 check (reopened_seq >= last_seq)
);
create unique index closed_months_once on closed_months (month) where reopened_at is null;
grant select, insert on closed_months to milkwood_staff;
grant update (reopened_by, reopened_at, reopen_reason, reopened_seq) on closed_months to milkwood_staff;

-- Amount of a sent invoice or credit note per cover month, without VAT, after discount. Negative if it credits premium.
create table premium_parts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  -- Null: the invoice itself.
  credit_note_id uuid,
  -- The document's number.
  number text not null check (number <> ''),
  month date not null check (extract(day from month) = 1),
  net_cents bigint not null check (net_cents <> 0),
  -- The effective day of the document's entry.
  posted_on date not null,
  -- The day on which it becomes income; null until its month begins. Equal to posted_on if the document's entry posts
  -- it as income.
  earned_on date,
  -- Posted before premium was deferred: income on the document's day.
  is_earned_at_once boolean not null default false,
  constraint premium_parts_once unique nulls not distinct (invoice_id, credit_note_id, month),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
create index premium_parts_due on premium_parts (month) where earned_on is null;
create index premium_parts_policy on premium_parts (policy_id, month) include (net_cents, earned_on);
create index premium_parts_month on premium_parts (month) include (policy_id, net_cents, earned_on);
select protect('premium_parts');
grant select, insert on premium_parts to milkwood_staff;
grant update (earned_on) on premium_parts to milkwood_staff;
