create table bank_accounts (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  bank text not null check (btrim(bank) <> ''),
  account_number text not null unique check (account_number ~ '^\d{5,16}$'),
  branch_code text not null default '' check (branch_code ~ '^(\d{6})?$'),
  -- Receipts and payouts are booked to the main account.
  is_main boolean not null,
  -- Set once, by the first statement. opening_posted_cents is the part of the opening balance that the ledger did not
  -- have from receipts and payouts.
  opened_on date check (opened_on between '2000-01-01' and '2199-12-31'),
  opening_cents bigint,
  opening_posted_cents bigint,
  -- Column mapping of the last CSV, if it was not a format of a known bank.
  columns jsonb,
  created_by uuid,
  created_at timestamptz not null,
  version integer not null default 1,
  -- The opening balance includes what the ledger contained then.
  opened_at timestamptz,
  check ((opened_on is null) = (opening_cents is null) and (opened_on is null) = (opening_posted_cents is null)),
  constraint bank_accounts_check1 check ((opened_on is null) = (opened_at is null))
);
alter table ledger_postings add foreign key (bank_account_id) references bank_accounts (id);
alter table payouts add foreign key (bank_account_id) references bank_accounts (id);
alter table payout_batches add foreign key (bank_account_id) references bank_accounts (id);
create unique index bank_accounts_one_main on bank_accounts (is_main) where is_main;
-- Setup inserts the first bank account as milkwood_auth, in the transaction that creates the administrator.
grant select, insert, update on bank_accounts to milkwood_staff;
grant select, insert on bank_accounts to milkwood_auth;

-- An uploaded file before its import. The row is deleted afterwards.
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
  -- As stated in the file.
  opening_cents bigint,
  closing_cents bigint,
  new_count integer not null check (new_count >= 0),
  known_count integer not null check (known_count >= 0),
  -- Faults that the importing user accepted.
  faults text[] not null default '{}',
  imported_by uuid,
  imported_at timestamptz not null,
  -- An import is undone as a whole: the statement remains, and its lines, placements and matches are deleted. Lines
  -- that the ledger refers to cannot be deleted.
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
  -- Position in the file.
  line integer not null check (line > 0),
  day date not null check (day between '1980-01-01' and '2199-12-31'),
  amount_cents bigint not null check (amount_cents <> 0),
  text text not null check (char_length(text) <= 400),
  reference text not null check (char_length(reference) <= 140),
  balance_cents bigint,
  -- Position among lines of equal day, amount and texts.
  ordinal integer not null check (ordinal > 0),
  foreign key (statement_id, account_id) references bank_statements (id, account_id),
  constraint bank_lines_within_bounds check (abs(amount_cents) <= 10000000000000)
);
-- Identifies a line, so that overlapping files add it once.
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
  -- Placed automatically, without confirmation by a user.
  is_automatic boolean not null default false,
  unique (id, line_id),
  constraint bank_placements_check1 check (kind <> 'unknown' or btrim(note) <> '')
);
create index bank_placements_of_line on bank_placements (line_id);
create unique index bank_placements_line on bank_placements (line_id) where undone_at is null;
create index bank_placements_kind on bank_placements (kind, line_id) where undone_at is null;
grant select, insert, delete on bank_placements to milkwood_staff;
grant update (undone_by, undone_at) on bank_placements to milkwood_staff;

create table bank_matches (
  id uuid primary key,
  placement_id uuid not null,
  line_id uuid not null,
  -- The group of the receipt or payout.
  group_id uuid not null,
  -- Receipts: made for the line, linked to it, or returned by the bank. Payouts: completed by the line, already
  -- completed, or returned.
  kind text not null check (kind in ('made', 'linked', 'returned', 'completed', 'paid', 'came_back', 'back')),
  receipt_id uuid,
  payout_id uuid,
  -- Signed like the line: negative for money out.
  amount_cents bigint not null check (amount_cents <> 0),
  -- Set together with the placement.
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
-- A payout is paid once and returned once. A receipt is returned once.
create unique index bank_matches_paid_once on bank_matches (payout_id) where undone_at is null and kind in ('completed', 'paid');
create unique index bank_matches_returned_once on bank_matches (receipt_id) where undone_at is null and kind = 'returned';
create unique index bank_matches_receipt_once on bank_matches (placement_id, receipt_id) where receipt_id is not null;
create unique index bank_matches_back_once on bank_matches (payout_id)
  where undone_at is null and kind in ('came_back', 'back');
-- Includes undone matches: whether the bank ever showed the receipt.
create index bank_matches_ever_receipt on bank_matches (receipt_id) where receipt_id is not null;
select protect('bank_matches');
grant select, insert, delete on bank_matches to milkwood_staff;
grant update (undone_at) on bank_matches to milkwood_staff;

-- Users' answers about a payer's text: its policy, or why such lines have none. A forgotten row remains for its
-- references.
create table bank_payers (
  id uuid primary key,
  -- Normalised: without numbers, days and words that the bank adds.
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
-- For searches without spaces.
create index bank_payers_letters on bank_payers (replace(payer, ' ', '')) where forgotten_at is null;
create index bank_payers_of_policy on bank_payers (policy_id, last_at) where forgotten_at is null;
create index bank_payers_newest on bank_payers (last_at, id) where forgotten_at is null;
select protect('bank_payers');
grant select, insert on bank_payers to milkwood_staff;
grant update (confirmed, declined, last_at, forgotten_at, forgotten_by) on bank_payers to milkwood_staff;

-- Payers learnt from a placement; deleted with it.
create table learned_payers (
  placement_id uuid not null references bank_placements (id),
  payer_id uuid not null references bank_payers (id),
  primary key (placement_id, payer_id)
);
grant select, insert, delete on learned_payers to milkwood_staff;

-- Candidates that a user declined for a line.
create table bank_declines (
  line_id uuid not null references bank_lines (id),
  -- The key of the candidate.
  key text not null,
  declined_by uuid,
  declined_at timestamptz not null,
  primary key (line_id, key)
);
grant select, insert, delete on bank_declines to milkwood_staff;

-- A wrong opening balance is corrected with a reason. Each correction is posted separately.
create table bank_opening_corrections (
  id uuid primary key,
  account_id uuid not null references bank_accounts (id),
  -- Counts from 1 per account.
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

-- Days of a statement, as its file states them. Month end reads bank balances here, and compares overlapping
-- statements.
create table bank_statement_days (
  statement_id uuid not null references bank_statements (id),
  day date not null,
  -- The day's lines in order, including those imported from other files.
  amounts bigint[] not null check (cardinality(amounts) > 0),
  -- The balance after the last line; null if the file states none.
  closing_cents bigint,
  -- Hash of the texts and amounts; null if only the amounts are known.
  digest text,
  primary key (statement_id, day)
);
grant select, insert on bank_statement_days to milkwood_staff;
