-- Compares payee names without case, dots, commas, apostrophes and hyphens.
create function payee_key(name text) returns text language sql immutable parallel safe set search_path = public, pg_temp as $$
  select trim(regexp_replace(lower(name), '[\s.,''-]+', ' ', 'g'))
$$;

create table payouts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  number text not null unique,
  subject_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'eft', 'cheque', 'cash')),
  reference text not null check (btrim(reference) <> ''),
  notes text not null default '',
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled', 'returned')),
  payee_name text not null check (btrim(payee_name) <> ''),
  payee_bank text not null default '',
  payee_branch_code text not null default '',
  payee_account_number text not null default '',
  -- Users who created the payout or changed its payee. None of them may release it above the limit.
  prepared_by uuid[] not null check (cardinality(prepared_by) > 0),
  created_by uuid not null,
  created_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  completed_on date,
  completed_at timestamptz,
  status_reason text,
  version integer not null default 1,
  -- The last user who changed the payee. Another user must release it, whatever the limit.
  payee_changed_by uuid,
  subject_kind text not null check (subject_kind in ('claim', 'refund')),
  subject_label text not null,
  member_id uuid,
  claim_id uuid generated always as (case when subject_kind = 'claim' then subject_id end) stored,
  returned_on date,
  -- Null: the main account.
  bank_account_id uuid,
  -- Number of undone releases, completions and returns. Each repeated step posts again.
  releases_undone integer not null default 0 check (releases_undone >= 0),
  completions_undone integer not null default 0 check (completions_undone >= 0),
  returns_undone integer not null default 0 check (returns_undone >= 0),
  payee_email text not null default '',
  -- The payee of the last payment, if different.
  former_payee jsonb,
  -- Null: unchanged since created_at.
  payee_changed_at timestamptz,
  payee_confirmed_by uuid,
  attempted_payee jsonb,
  attempted_at timestamptz,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  constraint payouts_member_fk foreign key (member_id, group_id) references members (id, group_id),
  constraint payouts_check3
    check (method not in ('bank_transfer', 'eft') or (payee_bank <> '' and payee_branch_code <> '' and payee_account_number <> '')),
  constraint payouts_changed_payee_is_approved check (released_by <> payee_changed_by),
  constraint payouts_released_is_stamped
    check ((status in ('processing', 'completed', 'returned')) = (released_by is not null and released_at is not null)),
  constraint payouts_completed_is_stamped
    check ((status in ('completed', 'returned')) = (completed_on is not null and completed_at is not null)),
  constraint payouts_returned_is_stamped
    check ((status = 'returned') = (returned_on is not null) and coalesce(returned_on >= completed_on, true)),
  constraint payouts_changed_payee_is_confirmed
    check (former_payee is null or payee_confirmed_by is not null or status not in ('processing', 'completed', 'returned')),
  constraint payouts_payee_is_confirmed_by_another
    check (payee_confirmed_by <> coalesce(payee_changed_by, created_by)),
  constraint payouts_payee_change_is_stamped check ((payee_changed_by is null) = (payee_changed_at is null)),
  constraint payouts_tried_payee_is_dated check ((attempted_payee is null) = (attempted_at is null))
);
create index payouts_claim on payouts (claim_id) where claim_id is not null;
create index payouts_newest on payouts (created_at desc, number desc);
create index payouts_status on payouts (status, created_at desc);
create index payouts_policy on payouts (policy_id);
create index payouts_number_trigrams on payouts using gin (lower(number) gin_trgm_ops);
create index payouts_subject on payouts (subject_id);
create index payouts_by_amount on payouts (amount_cents, id);
create index payouts_by_completion on payouts (completed_on, id);
create index payouts_by_completion_back on payouts (completed_on nulls first, id);
create index payouts_reference_trigrams on payouts using gin (lower(reference) gin_trgm_ops);
create index payouts_member on payouts (member_id);
create index payouts_subject_trigrams on payouts using gin (lower(subject_label) gin_trgm_ops);
-- Lists show payments that need action first.
create index payouts_by_need on payouts ((status in ('pending', 'processing', 'failed')), created_at, number, id);
create unique index payouts_one_live_per_subject on payouts (subject_kind, subject_id)
  where status in ('pending', 'processing', 'failed');
create index payouts_last_of_member on payouts (member_id, released_at desc) where member_id is not null and released_at is not null;
create index payouts_last_of_policy on payouts (policy_id, released_at desc) where member_id is null and released_at is not null;
-- The list of claim payments counts and sums only these; refunds have a separate list.
create index payouts_of_kind_by_status on payouts (subject_kind, status) include (amount_cents);
-- A refund never has a second payment.
create unique index payouts_one_per_refund on payouts (subject_id) where subject_kind = 'refund';
-- For searches by group name.
create index payouts_group on payouts (group_id);
create index payouts_completed_of_claims on payouts (subject_id) include (amount_cents)
  where subject_kind = 'claim' and status = 'completed';
create index payouts_released on payouts (released_at) include (status) where released_at is not null;
create index payouts_to_account_by_name on payouts (group_id, payee_key(payee_name), released_at desc)
  where released_at is not null and payee_account_number <> '';
create index payouts_by_subject on payouts (subject_kind, subject_id);
create index payouts_refunds_of_policy on payouts (policy_id) where subject_kind = 'refund';
select protect('payouts');
grant select, insert, update on payouts to milkwood_staff;

create table payout_batches (
  id uuid primary key,
  -- BAT-2026-000001.
  number text not null unique,
  bank_account_id uuid not null,
  execution_on date not null check (execution_on between '2000-01-01' and '2199-12-31' and extract(isodow from execution_on) <= 5),
  format text not null check (format in ('pain001', 'fnb', 'standard_bank')),
  status text not null default 'open' check (status in ('open', 'released', 'cancelled')),
  created_by uuid not null,
  created_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  status_reason text,
  -- Set by a trigger on the payments.
  payment_count integer not null default 0 check (payment_count between 0 and 10000),
  amount_cents bigint not null default 0 check (amount_cents >= 0),
  version integer not null default 1,
  check ((status = 'released') = (released_by is not null and released_at is not null)),
  constraint payout_batches_check1 check (status <> 'cancelled' or btrim(status_reason) <> '')
);
create index payout_batches_newest on payout_batches (created_at, number, id);
create index payout_batches_day on payout_batches (execution_on, id);
create index payout_batches_amount on payout_batches (amount_cents, id);
create index payout_batches_status on payout_batches (status, created_at);
create index payout_batches_number_trigrams on payout_batches using gin (lower(number) gin_trgm_ops);
grant select, insert, update on payout_batches to milkwood_staff;

-- A payment is in one batch at a time. Removed and failed payments remain as removed rows.
create table payout_batch_payments (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  payout_id uuid not null,
  group_id uuid not null,
  added_by uuid not null,
  added_at timestamptz not null,
  -- Identifies the payment to the bank, from the release on.
  end_to_end_id text unique check (char_length(end_to_end_id) between 1 and 35),
  removed_at timestamptz,
  foreign key (payout_id, group_id) references payouts (id, group_id)
);
create unique index payout_batch_payments_one_batch on payout_batch_payments (payout_id) where removed_at is null;
create index payout_batch_payments_of on payout_batch_payments (batch_id, payout_id);
-- Failed payments reduce the bank's debit.
create index payout_batch_payments_failed on payout_batch_payments (batch_id)
  where removed_at is not null and end_to_end_id is not null;
select protect('payout_batch_payments');
grant select, insert, update on payout_batch_payments to milkwood_staff;

-- All files made for the bank. A batch has one current file.
create table payment_files (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  nth integer not null check (nth >= 1),
  message_id text not null unique check (char_length(message_id) between 1 and 35),
  format text not null check (format in ('pain001', 'fnb', 'standard_bank')),
  file_id uuid unique references files (id),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  payment_count integer not null check (payment_count > 0),
  control_sum_cents bigint not null check (control_sum_cents > 0),
  execution_on date not null,
  made_at timestamptz not null,
  exported_by uuid,
  exported_at timestamptz,
  -- Lets the exporting user download the file once.
  ticket uuid unique,
  withdrawn text check (withdrawn in ('not_sent', 'rejected')),
  withdrawn_by uuid,
  withdrawn_at timestamptz,
  withdrawn_reason text,
  unique (batch_id, nth),
  check ((exported_by is null) = (exported_at is null)),
  constraint payment_files_check1 check ((withdrawn is null) = (withdrawn_at is null)),
  constraint payment_files_check2 check (ticket is null or exported_at is not null)
);
create unique index payment_files_one_that_counts on payment_files (batch_id) where withdrawn is null;
grant select, insert, update on payment_files to milkwood_staff;

-- The bank's answers, as uploaded.
create table payment_answers (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  file_id uuid references files (id),
  sha256 text not null,
  job_id uuid not null,
  content jsonb not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  constraint payment_answers_once unique (batch_id, sha256)
);
create index payment_answers_file on payment_answers (file_id) where file_id is not null;
grant select, insert on payment_answers to milkwood_staff;
