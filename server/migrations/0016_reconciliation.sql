create table month_resolutions (
  id uuid primary key,
  group_id uuid not null references employer_groups (id),
  month date not null check (month = date_trunc('month', month)),
  kind text not null check (kind in ('write_off', 'carry_forward', 'keep_as_credit', 'refund')),
  -- Received minus expected, at the time.
  difference_cents bigint not null check (difference_cents <> 0),
  note text not null check (btrim(note) <> ''),
  resolved_by uuid not null,
  resolved_at timestamptz not null,
  check ((kind = 'write_off' and difference_cents < 0) or (kind in ('keep_as_credit', 'refund') and difference_cents > 0)
    or kind = 'carry_forward')
);
create index month_resolutions_newest on month_resolutions (group_id, month, resolved_at desc);
select protect('month_resolutions');
grant select, insert on month_resolutions to milkwood_staff;

create table remittances (
  id uuid primary key,
  group_id uuid not null,
  invoice_id uuid not null,
  file_id uuid references files (id),
  file_name text not null,
  sha256 text not null,
  headers text[] not null,
  -- Column mapping. Null until known; only then is the list compared.
  columns jsonb,
  -- Skipped parts of the file, as sentences.
  notes text[] not null default '{}',
  paid_cents bigint not null default 0,
  billed_cents bigint not null default 0,
  differing_count integer,
  created_by uuid,
  created_at timestamptz not null,
  version integer not null default 1,
  unique (id, group_id),
  constraint remittances_file_once unique (invoice_id, sha256),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  check ((columns is null) = (differing_count is null))
);
create index remittances_file on remittances (file_id) where file_id is not null;
create index remittances_newest on remittances (created_at, id);
select protect('remittances');
grant select, insert, update, delete on remittances to milkwood_staff;

-- The parsed file: per row, its line, then its cells.
create table remittance_contents (
  remittance_id uuid primary key,
  group_id uuid not null,
  rows jsonb not null,
  foreign key (remittance_id, group_id) references remittances (id, group_id) on delete cascade
);
select protect('remittance_contents');
grant select, insert, delete on remittance_contents to milkwood_staff;

create table remittance_rows (
  id uuid primary key,
  group_id uuid not null,
  remittance_id uuid not null,
  position integer not null check (position > 0),
  -- Null once the import of the member is undone; `who` remains.
  member_id uuid,
  who text not null,
  line integer,
  outcome text not null,
  -- With VAT, before discount. Null: not on the list (paid), not on the invoice (billed).
  paid_cents bigint,
  billed_cents bigint,
  words text not null,
  unique (remittance_id, "position"),
  foreign key (remittance_id, group_id) references remittances (id, group_id) on delete cascade,
  foreign key (member_id, group_id) references members (id, group_id) on delete set null (member_id),
  check ((line is null) = (paid_cents is null)),
  constraint remittance_rows_outcome check (case outcome
    when 'agrees' then paid_cents = billed_cents
    when 'other_amount' then paid_cents <> billed_cents
    when 'not_billed' then paid_cents <> 0 and billed_cents is null
    when 'not_paid' then billed_cents <> 0 and paid_cents is null
    else false end is true)
);
create unique index remittance_rows_member on remittance_rows (remittance_id, member_id) where member_id is not null;
create index remittance_rows_of_member on remittance_rows (member_id) where member_id is not null;
create index remittance_rows_outcome_of on remittance_rows (remittance_id, outcome, position);
create index remittance_rows_by_position on remittance_rows (position, id);
select protect('remittance_rows');
grant select, insert, delete on remittance_rows to milkwood_staff;
