-- Reasons not to bill a policy for a month.
create table month_excuses (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  month date not null check (month = date_trunc('month', month)),
  reason text not null check (btrim(reason) <> ''),
  excused_by uuid,
  excused_at timestamptz not null,
  withdrawn_by uuid,
  withdrawn_at timestamptz,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
create unique index month_excuses_once on month_excuses (month, policy_id) where withdrawn_at is null;
select protect('month_excuses');
grant select, insert on month_excuses to milkwood_staff;
grant update (withdrawn_by, withdrawn_at) on month_excuses to milkwood_staff;

-- The rest of the receipt is intentionally left as credit.
create table held_credits (
  id uuid primary key,
  group_id uuid not null,
  receipt_id uuid not null,
  reason text not null check (btrim(reason) <> ''),
  held_by uuid,
  held_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  unique (id, group_id),
  foreign key (receipt_id, group_id) references receipts (id, group_id)
);
create unique index held_credits_once on held_credits (receipt_id) where released_at is null;
select protect('held_credits');
grant select, insert on held_credits to milkwood_staff;
grant update (released_by, released_at) on held_credits to milkwood_staff;

-- The checklist when the month was closed; the PDF is added right after.
create table signed_checklists (
  closed_month_id uuid primary key references closed_months (id),
  checks jsonb not null,
  file_id uuid references files (id),
  sha256 text,
  check ((file_id is null) = (sha256 is null))
);
create index signed_checklists_file on signed_checklists (file_id) where file_id is not null;
grant select, insert on signed_checklists to milkwood_staff;
grant update (file_id, sha256) on signed_checklists to milkwood_staff;

-- The bank reconciliation when the month was closed; PDF and CSV are added right after.
create table signed_reconciliations (
  closed_month_id uuid primary key references closed_months (id),
  content jsonb not null,
  pdf_file_id uuid references files (id),
  pdf_sha256 text,
  csv_file_id uuid references files (id),
  csv_sha256 text,
  check ((pdf_file_id is null) = (pdf_sha256 is null) and (pdf_file_id is null) = (csv_file_id is null)
    and (pdf_file_id is null) = (csv_sha256 is null))
);
create index signed_reconciliations_pdf_file on signed_reconciliations (pdf_file_id) where pdf_file_id is not null;
create index signed_reconciliations_csv_file on signed_reconciliations (csv_file_id) where csv_file_id is not null;
grant select, insert on signed_reconciliations to milkwood_staff;
grant update (pdf_file_id, pdf_sha256, csv_file_id, csv_sha256) on signed_reconciliations to milkwood_staff;
