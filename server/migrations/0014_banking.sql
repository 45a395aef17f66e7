-- Banking: bank accounts, statements, lines, and where each line belongs.

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
  -- When an account was opened here: what the ledger had by then is in its opening balance.
  opened_at timestamptz,
  check ((opened_on is null) = (opening_cents is null) and (opened_on is null) = (opening_posted_cents is null)),
  constraint bank_accounts_check1 check ((opened_on is null) = (opened_at is null))
);
alter table ledger_postings add foreign key (bank_account_id) references bank_accounts (id);
alter table payouts add foreign key (bank_account_id) references bank_accounts (id);
alter table payout_batches add foreign key (bank_account_id) references bank_accounts (id);
create unique index bank_accounts_one_main on bank_accounts (is_main) where is_main;
-- Setup adds the bank account that was typed in it as the first one, in the transaction that makes the administrator.
grant select, insert, update on bank_accounts to milkwood_staff;
grant select, insert on bank_accounts to milkwood_auth;

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
create index bank_uploads_file on bank_uploads (file_id) where file_id is not null;
create index bank_uploads_age on bank_uploads (uploaded_at);
grant select, insert, delete on bank_uploads to milkwood_staff;

create table bank_statements (
  id uuid primary key,
  -- BST-2026-000001.
  number text not null unique,
  account_id uuid not null references bank_accounts (id),
  file_id uuid references files (id),
  file_name text not null,
  sha256 text not null,
  format text not null check (format in ('csv', 'ofx', 'mt940', 'camt053')),
  from_on date not null check (from_on between '1980-01-01' and '2199-12-31'),
  to_on date not null,
  -- As the file says them.
  opening_cents bigint,
  closing_cents bigint,
  new_count integer not null check (new_count >= 0),
  known_count integer not null check (known_count >= 0),
  -- What was wrong with the file, accepted by whoever imported it.
  faults text[] not null default '{}',
  imported_by uuid,
  imported_at timestamptz not null,
  -- The import of a statement is undone as a whole: the statement stays on record, its lines go, and with them what was
  -- said of them and taken back. What the ledger knows of a line keeps it.
  undone_by uuid,
  undone_at timestamptz,
  unique (id, account_id),
  check (to_on between from_on and '2199-12-31'),
  constraint bank_statements_undone_by_somebody check ((undone_by is null) = (undone_at is null))
);
create index bank_statements_file on bank_statements (file_id) where file_id is not null;
create index bank_statements_newest on bank_statements (imported_at, id);
create index bank_statements_from on bank_statements (from_on, id);
create index bank_statements_to on bank_statements (to_on, id);
create index bank_statements_account on bank_statements (account_id, to_on);
create unique index bank_statements_file_once on bank_statements (account_id, sha256) where undone_at is null;
grant select, insert on bank_statements to milkwood_staff;
grant update (undone_by, undone_at) on bank_statements to milkwood_staff;

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
  foreign key (statement_id, account_id) references bank_statements (id, account_id),
  constraint bank_lines_within_bounds check (abs(amount_cents) <= 10000000000000)
);
-- The line is known again by these: whatever files overlap, it is here once.
create unique index bank_lines_once on bank_lines
  (account_id, day, amount_cents, md5(lower(text) || chr(10) || lower(reference)), ordinal);
create index bank_lines_newest on bank_lines (day, line, id);
create index bank_lines_amount on bank_lines (amount_cents, id);
create index bank_lines_statement on bank_lines (statement_id, line);
create index bank_lines_text_trigrams on bank_lines using gin (lower(text) gin_trgm_ops);
create index bank_lines_reference_trigrams on bank_lines using gin (lower(reference) gin_trgm_ops);
grant select, insert, delete on bank_lines to milkwood_staff;

create table bank_placements (
  id uuid primary key,
  line_id uuid not null references bank_lines (id),
  kind text not null check (kind in ('receipt', 'payout', 'returned', 'charge', 'interest', 'transfer', 'unknown')),
  note text not null default '',
  placed_by uuid,
  placed_at timestamptz not null,
  undone_by uuid,
  undone_at timestamptz,
  -- Posted by the setting, and nobody confirmed it.
  is_automatic boolean not null default false,
  unique (id, line_id),
  constraint bank_placements_check1 check (kind <> 'unknown' or btrim(note) <> '')
);
create index bank_placements_of_line on bank_placements (line_id);
-- A line belongs to one thing at a time, and a receipt to one line.
create unique index bank_placements_line on bank_placements (line_id) where undone_at is null;
create index bank_placements_kind on bank_placements (kind, line_id) where undone_at is null;
grant select, insert, delete on bank_placements to milkwood_staff;
grant update (undone_by, undone_at) on bank_placements to milkwood_staff;

create table bank_matches (
  id uuid primary key,
  placement_id uuid not null,
  line_id uuid not null,
  -- Of the receipt or payment.
  group_id uuid not null,
  -- A receipt made for the line, one that was there, or one that the bank took back; a payment completed by the line, one
  -- that was completed already, or one that came back.
  kind text not null check (kind in ('made', 'linked', 'returned', 'completed', 'paid', 'came_back', 'back')),
  receipt_id uuid,
  payout_id uuid,
  -- Signed as the line: out is below zero.
  amount_cents bigint not null check (amount_cents <> 0),
  -- With its placement.
  undone_at timestamptz,
  foreign key (receipt_id, group_id) references receipts (id, group_id),
  foreign key (payout_id, group_id) references payouts (id, group_id),
  foreign key (placement_id, line_id) references bank_placements (id, line_id),
  check ((kind in ('made', 'linked', 'returned')) = (receipt_id is not null)),
  constraint bank_matches_of_a_payment
    check ((kind in ('completed', 'paid', 'came_back', 'back')) = (payout_id is not null)),
  constraint bank_matches_direction check ((kind in ('made', 'linked', 'came_back', 'back')) = (amount_cents > 0))
);
create index bank_matches_placement on bank_matches (placement_id);
create index bank_matches_receipt on bank_matches (receipt_id) where undone_at is null and receipt_id is not null;
create index bank_matches_payout on bank_matches (payout_id) where undone_at is null and payout_id is not null;
-- A payment leaves once and comes back once, and a receipt is taken back once.
create unique index bank_matches_paid_once on bank_matches (payout_id) where undone_at is null and kind in ('completed', 'paid');
create unique index bank_matches_returned_once on bank_matches (receipt_id) where undone_at is null and kind = 'returned';
create unique index bank_matches_receipt_once on bank_matches (placement_id, receipt_id) where receipt_id is not null;
create unique index bank_matches_back_once on bank_matches (payout_id)
  where undone_at is null and kind in ('came_back', 'back');
-- Whether the bank ever showed a receipt.
create index bank_matches_ever_receipt on bank_matches (receipt_id) where receipt_id is not null;
select protect('bank_matches');
grant select, insert, delete on bank_matches to milkwood_staff;
grant update (undone_at) on bank_matches to milkwood_staff;

-- What people said of a payer's text: whose it is, or why such lines are not ours. Forgotten, a row stays for its matches.
create table bank_payers (
  id uuid primary key,
  -- Normalised: words without numbers, days and the bank's own.
  payer text not null check (payer <> ''),
  policy_id uuid,
  group_id uuid,
  reason text check (reason in ('charge', 'interest', 'transfer', 'unknown')),
  confirmed integer not null default 0 check (confirmed >= 0),
  declined integer not null default 0 check (declined >= 0),
  last_at timestamptz not null,
  forgotten_at timestamptz,
  forgotten_by uuid,
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null) and (policy_id is null) <> (reason is null))
);
create unique index bank_payers_policy on bank_payers (payer, policy_id) where forgotten_at is null and policy_id is not null;
create unique index bank_payers_reason on bank_payers (payer, reason) where forgotten_at is null and reason is not null;
-- Looked for by its letters alone.
create index bank_payers_letters on bank_payers (replace(payer, ' ', '')) where forgotten_at is null;
create index bank_payers_of_policy on bank_payers (policy_id, last_at) where forgotten_at is null;
-- What was learnt of payers, the latest first.
create index bank_payers_newest on bank_payers (last_at, id) where forgotten_at is null;
select protect('bank_payers');
grant select, insert on bank_payers to milkwood_staff;
grant update (confirmed, declined, last_at, forgotten_at, forgotten_by) on bank_payers to milkwood_staff;

-- What a placement taught: taken back with it.
create table learned_payers (
  placement_id uuid not null references bank_placements (id),
  payer_id uuid not null references bank_payers (id),
  primary key (placement_id, payer_id)
);
grant select, insert, delete on learned_payers to milkwood_staff;

-- What somebody said a line is not.
create table bank_declines (
  line_id uuid not null references bank_lines (id),
  -- The candidate's.
  key text not null,
  declined_by uuid,
  declined_at timestamptz not null,
  primary key (line_id, key)
);
grant select, insert, delete on bank_declines to milkwood_staff;

-- The balance with which a bank account begins here may have been typed wrongly: it is corrected with a reason, each
-- correction posted by itself and kept.
create table bank_opening_corrections (
  id uuid primary key,
  account_id uuid not null references bank_accounts (id),
  -- The first correction of its account is 1.
  nth integer not null check (nth > 0),
  before_cents bigint not null,
  after_cents bigint not null,
  reason text not null check (btrim(reason) <> ''),
  corrected_by uuid,
  corrected_at timestamptz not null,
  unique (account_id, nth),
  check (before_cents <> after_cents)
);
grant select, insert on bank_opening_corrections to milkwood_staff;

-- The days of each statement as its file states them: month end takes the bank's balance of a day from here, and compares
-- statements that overlap.
create table bank_statement_days (
  statement_id uuid not null references bank_statements (id),
  day date not null,
  -- The lines of the day in their order, those that other files had already included.
  amounts bigint[] not null check (cardinality(amounts) > 0),
  -- The balance after the last of them; null where the file states no balances.
  closing_cents bigint,
  -- Of the texts and amounts of the lines; null where they are only known by their amounts.
  digest text,
  primary key (statement_id, day)
);
grant select, insert on bank_statement_days to milkwood_staff;
