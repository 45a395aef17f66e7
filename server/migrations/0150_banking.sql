-- Room banking: the organisation's accounts at banks, their statements, and the lines of those. No group has part in it.

create table bank_accounts (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  bank text not null check (btrim(bank) <> ''),
  account_number text not null unique check (account_number ~ '^\d{5,16}$'),
  branch_code text not null default '' check (branch_code ~ '^(\d{6})?$'),
  -- Receipts and payouts are booked to it.
  is_main boolean not null,
  -- Set once, by the first statement: from this day on its lines are here. The ledger had a part of the balance already,
  -- from receipts and payouts before that day; the rest was posted.
  opened_on date check (opened_on between '2000-01-01' and '2199-12-31'),
  opening_cents bigint,
  opening_posted_cents bigint,
  -- What the columns of its last CSV stood for, where that was no bank's own.
  columns jsonb,
  created_by uuid,
  created_at timestamptz not null,
  version integer not null default 1,
  check ((opened_on is null) = (opening_cents is null) and (opened_on is null) = (opening_posted_cents is null))
);
create unique index bank_accounts_one_main on bank_accounts (is_main) where is_main;

-- A file between its upload and its import: what was read of it, thrown away afterwards.
create table bank_uploads (
  id uuid primary key,
  account_id uuid not null references bank_accounts (id),
  file_id uuid not null references files (id),
  file_name text not null,
  sha256 text not null,
  content jsonb not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz not null
);
create index bank_uploads_age on bank_uploads (uploaded_at);

create table bank_statements (
  id uuid primary key,
  -- BST-2026-000001.
  number text not null unique,
  account_id uuid not null references bank_accounts (id),
  file_id uuid not null references files (id),
  file_name text not null,
  sha256 text not null,
  format text not null check (format in ('csv', 'ofx', 'mt940', 'camt053')),
  from_on date not null check (from_on between '1980-01-01' and '2199-12-31'),
  to_on date not null check (to_on between from_on and '2199-12-31'),
  -- As the file says them.
  opening_cents bigint,
  closing_cents bigint,
  new_count integer not null check (new_count > 0),
  known_count integer not null check (known_count >= 0),
  -- What was wrong with the file, accepted by whoever imported it.
  faults text[] not null default '{}',
  imported_by uuid,
  imported_at timestamptz not null,
  -- A file is imported once into its account.
  constraint bank_statements_file_once unique (account_id, sha256),
  unique (id, account_id)
);
create index bank_statements_newest on bank_statements (imported_at, id);
create index bank_statements_from on bank_statements (from_on, id);
create index bank_statements_to on bank_statements (to_on, id);
create index bank_statements_account on bank_statements (account_id, to_on);

create table bank_lines (
  id uuid primary key,
  account_id uuid not null,
  statement_id uuid not null,
  -- Where it stands in its file.
  line integer not null check (line > 0),
  day date not null check (day between '1980-01-01' and '2199-12-31'),
  amount_cents bigint not null check (amount_cents <> 0),
  text text not null check (char_length(text) <= 400),
  reference text not null check (char_length(reference) <= 140),
  balance_cents bigint,
  -- Its place among lines that are equal in day, amount and texts.
  ordinal integer not null check (ordinal > 0),
  foreign key (statement_id, account_id) references bank_statements (id, account_id)
);
-- The line is known again by these: whatever files overlap, it is here once.
create unique index bank_lines_once on bank_lines
  (account_id, day, amount_cents, md5(lower(text) || chr(10) || lower(reference)), ordinal);
create index bank_lines_newest on bank_lines (day, line, id);
create index bank_lines_amount on bank_lines (amount_cents, id);
create index bank_lines_statement on bank_lines (statement_id, line);
create index bank_lines_text_trigrams on bank_lines using gin (lower(text) gin_trgm_ops);
create index bank_lines_reference_trigrams on bank_lines using gin (lower(reference) gin_trgm_ops);

-- What the bank said stays as it was said.
create trigger bank_statements_are_kept before update or delete or truncate on bank_statements execute function refuse_change();
create trigger bank_lines_are_kept before update or delete or truncate on bank_lines execute function refuse_change();

-- An account begins once, and its number is that of its lines.
create function keep_bank_account() returns trigger language plpgsql as $$
begin
  if old.opened_on is not null
    and (new.account_number, new.opened_on, new.opening_cents, new.opening_posted_cents)
      is distinct from (old.account_number, old.opened_on, old.opening_cents, old.opening_posted_cents)
    or new.is_main is distinct from old.is_main
  then
    raise exception 'a bank account with statements keeps its number and where it begins' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bank_accounts_are_kept before update on bank_accounts for each row execute function keep_bank_account();
create trigger bank_accounts_stay before delete or truncate on bank_accounts execute function refuse_change();

grant select, insert, update on bank_accounts to milkwood_staff;
grant select, insert, delete on bank_uploads to milkwood_staff;
grant select, insert on bank_statements, bank_lines to milkwood_staff;

-- The journal: an account is brought to its bank's balance, and "bank" may say which account of the organisation it is.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in (
  'invoice_sent', 'credit_note', 'receipt_taken', 'allocation', 'claim_approved', 'claim_payout_completed',
  'refund_released', 'refund_completed', 'write_off', 'bank_opening', 'reversal'
));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'bank', 'premium_debtors', 'unallocated_receipts', 'claims_payable', 'refunds_payable', 'vat_output',
  'premium_income', 'claims_expense', 'opening_balances', 'write_offs'
));
alter table ledger_postings
  add column bank_account_id uuid references bank_accounts (id),
  add constraint ledger_postings_bank_account check (bank_account_id is null or account = 'bank');
create index ledger_postings_bank_account_of on ledger_postings (bank_account_id) where bank_account_id is not null;
