create table invoices (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- INV-2026-000123, without gaps.
  number text not null unique,
  kind text not null check (kind in ('premium', 'other')),
  -- Paid, overdue and credited are derived, not stored.
  status text not null default 'draft' check (status in ('draft', 'pending', 'sent', 'cancelled')),
  invoice_on date not null,
  due_on date not null,
  period_start_on date not null,
  period_end_on date not null,
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  discount_cents bigint not null default 0,
  -- The product type's rate on the invoice's day.
  vat_percent numeric(5,2) not null check (vat_percent between 0 and 100),
  -- Rounded per VAT rate, half away from zero, as in `percentOf` of the domain.
  vat_cents bigint not null,
  total_cents bigint not null,
  notes text not null default '',
  sent_to text,
  pdf_file_id uuid references files (id),
  created_by uuid,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  -- Set when credit notes cover the whole invoice. Its period can then be invoiced again.
  credited_whole_at timestamptz,
  version integer not null default 1,
  credited_cents bigint not null default 0 check (credited_cents >= 0),
  allocated_cents bigint not null default 0 check (allocated_cents >= 0),
  written_off_cents bigint not null default 0 check (written_off_cents >= 0),
  discount_percent numeric(5,2) check (discount_percent > 0 and discount_percent <= 100),
  discount_reason text not null default '',
  paper_deleted_on date,
  line_count integer,
  member_count integer,
  earlier_cents bigint,
  unique (id, group_id),
  unique (id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (discount_cents between 0 and subtotal_cents),
  constraint invoices_check2 check (total_cents = subtotal_cents + vat_cents - discount_cents),
  constraint invoices_check3 check (due_on >= invoice_on),
  constraint invoices_check4 check (period_end_on >= period_start_on),
  constraint invoices_check6 check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint invoices_check7 check (credited_whole_at is null or status = 'sent'),
  constraint invoices_dates_are_plausible check (
    invoice_on between '2000-01-01' and '2199-12-31' and due_on between '2000-01-01' and '2199-12-31'
  ),
  constraint invoice_discount_is_its_percentage
    check (discount_percent is null or discount_cents = round(subtotal_cents * discount_percent / 100)),
  constraint invoices_sent_is_stamped check (
    (status = 'sent') = (sent_at is not null and sent_to is not null and (pdf_file_id is not null or paper_deleted_on is not null))),
  constraint invoice_lines_are_counted_when_sent check (
    status = 'sent' or line_count is null and member_count is null and earlier_cents is null),
  constraint one_premium_invoice_per_period exclude using gist (policy_id with =, daterange(period_start_on, period_end_on, '[]') with &&)
    where (kind = 'premium' and status <> 'cancelled' and credited_whole_at is null)
);
create index invoices_pdf_file on invoices (pdf_file_id) where pdf_file_id is not null;
alter table premium_parts add foreign key (invoice_id, group_id) references invoices (id, group_id);
create index invoices_newest on invoices (created_at desc, number desc);
create index invoices_policy on invoices (policy_id, status, due_on);
create index invoices_group on invoices (group_id, created_at desc);
create index invoices_number_trigrams on invoices using gin (lower(number) gin_trgm_ops);
create index invoices_by_amount on invoices (total_cents, id);
create index invoices_by_date on invoices (invoice_on, id);
create index invoices_by_due_date on invoices (due_on, id);
-- For the amounts that a policy was billed.
create index invoices_billing on invoices (policy_id) where status <> 'cancelled';
create index invoices_month on invoices (period_start_on) where status = 'sent';
create index invoices_by_open on invoices (
  (case when status = 'sent' then total_cents - credited_cents - allocated_cents - written_off_cents else 0 end), id);
create index invoices_open on invoices (due_on, id)
  include (policy_id, status, total_cents, credited_cents, allocated_cents, written_off_cents)
  where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents;
select protect('invoices');
-- Invoices are never deleted: a cancelled draft retains its number.
grant select, insert, update on invoices to milkwood_staff;
grant select on invoices to milkwood_scoped;

create table invoice_lines (
  id uuid primary key,
  group_id uuid not null,
  invoice_id uuid not null,
  position integer not null check (position >= 0),
  description text not null check (btrim(description) <> ''),
  quantity integer not null check (quantity >= 1),
  -- Negative if the line credits an amount.
  unit_cents bigint not null,
  total_cents bigint not null,
  member_id uuid,
  tier_id uuid references benefit_tiers (id),
  billed_month date check (extract(day from billed_month) = 1),
  vat_class text not null check (vat_class in ('standard', 'zero', 'exempt')),
  vat_percent numeric(5,2) not null check (vat_percent between 0 and 100),
  unique (invoice_id, "position"),
  constraint invoice_lines_with_group unique (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id),
  check (total_cents = quantity * unit_cents),
  constraint invoice_lines_month_of_a_member check (billed_month is null or member_id is not null),
  constraint invoice_lines_vat check (vat_class = 'standard' or vat_percent = 0)
);
create index invoice_lines_member on invoice_lines (member_id) where member_id is not null;
-- Finds the months of an invoice without reading its lines.
create index invoice_lines_billed on invoice_lines (invoice_id, billed_month) where billed_month is not null;
-- For the check of deferred income: invoices that bill months after a given one.
create index invoice_lines_months on invoice_lines using brin (billed_month);
select protect('invoice_lines');
grant select, insert, delete on invoice_lines to milkwood_staff;
grant select on invoice_lines to milkwood_scoped;

create table credit_notes (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  number text not null unique,
  credited_on date not null,
  net_cents bigint not null check (net_cents >= 0),
  vat_cents bigint not null,
  total_cents bigint not null,
  reason text not null check (btrim(reason) <> ''),
  created_by uuid,
  created_at timestamptz not null,
  kind text not null check (kind in ('correction', 'concession')),
  discount_cents bigint not null default 0,
  -- Generated once, after the note is issued.
  pdf_file_id uuid references files (id),
  -- The recipient at issue; empty if issued without mail.
  mail_to text not null default '',
  unique (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (invoice_id, policy_id) references invoices (id, policy_id),
  -- A correction of lines that were free or discounted to zero totals 0, but still counts as billed.
  constraint credit_notes_total
    check (total_cents = net_cents + vat_cents and total_cents >= 0 and (total_cents > 0 or kind = 'correction'))
);
create index credit_notes_pdf_file on credit_notes (pdf_file_id) where pdf_file_id is not null;
alter table mail_documents add foreign key (document_id, group_id) references credit_notes (id, group_id);
alter table premium_parts add foreign key (credit_note_id, group_id) references credit_notes (id, group_id);
create index credit_notes_invoice on credit_notes (invoice_id) include (total_cents);
create index credit_notes_day on credit_notes (credited_on);
create index credit_notes_policy on credit_notes (policy_id);
create index credit_notes_newest on credit_notes (created_at, number, id);
create index credit_notes_by_day on credit_notes (credited_on, id);
create index credit_notes_by_amount on credit_notes (total_cents, id);
create index credit_notes_group on credit_notes (group_id, created_at desc);
create index credit_notes_number_trigrams on credit_notes using gin (lower(number) gin_trgm_ops);
create index credit_notes_group_number on credit_notes (group_id, number text_pattern_ops);
select protect('credit_notes');
grant select, insert on credit_notes to milkwood_staff;
grant select on credit_notes to milkwood_scoped;
grant update (pdf_file_id) on credit_notes to milkwood_staff;

create table credit_note_lines (
  id uuid primary key,
  group_id uuid not null,
  credit_note_id uuid not null,
  position integer not null check (position >= 0),
  invoice_line_id uuid not null,
  member_id uuid,
  billed_month date,
  -- The amount credited on the line, without VAT and before discount.
  net_cents bigint not null,
  vat_class text not null check (vat_class in ('standard', 'zero', 'exempt')),
  vat_percent numeric(5,2) not null check (vat_percent between 0 and 100),
  vat_cents bigint not null,
  unique (credit_note_id, "position"),
  unique (credit_note_id, invoice_line_id),
  foreign key (credit_note_id, group_id) references credit_notes (id, group_id),
  foreign key (invoice_line_id, group_id) references invoice_lines (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id)
);
create index credit_note_lines_invoice_line on credit_note_lines (invoice_line_id);
create index credit_note_lines_member on credit_note_lines (member_id) where member_id is not null;
select protect('credit_note_lines');
grant select, insert on credit_note_lines to milkwood_staff;
grant select on credit_note_lines to milkwood_scoped;

create table billing_runs (
  id uuid primary key,
  -- RUN-2026-000001.
  number text not null unique,
  month date not null check (extract(day from month) = 1),
  status text not null default 'previewing' check (status in ('previewing', 'previewed', 'making', 'made', 'cancelled')),
  -- The status of the run's invoices, set when they are made.
  outcome text check (outcome in ('draft', 'pending', 'sent')),
  -- Null: all policies.
  policy_ids uuid[],
  job_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  previewed_at timestamptz,
  making_at timestamptz,
  made_at timestamptz,
  cancelled_at timestamptz,
  version integer not null default 1,
  check ((status in ('making', 'made')) = (making_at is not null) and (making_at is null) = (outcome is null)),
  constraint billing_runs_check1 check (status <> 'made' or made_at is not null),
  constraint billing_runs_check2 check ((status = 'cancelled') = (cancelled_at is not null))
);
create index billing_runs_newest on billing_runs (created_at desc, id);
grant select, insert, update on billing_runs to milkwood_staff;

create table billing_run_policies (
  id uuid primary key,
  group_id uuid not null,
  run_id uuid not null references billing_runs (id),
  policy_id uuid not null,
  state text not null check (state in ('waiting', 'made', 'parked', 'nothing', 'left_out')),
  reason_kind text check (reason_kind in
    ('no_premium', 'no_vat_number', 'no_contact', 'typed_lines', 'draft', 'credit', 'written_off', 'failed')),
  -- Details, where reason_kind is not specific enough.
  reason text,
  mend_invoice_id uuid,
  members integer not null default 0,
  base_cents bigint not null default 0,
  adjustment_cents bigint not null default 0,
  vat_cents bigint not null default 0,
  total_cents bigint not null default 0,
  last_cents bigint,
  joiners_cents bigint,
  leavers_cents bigint,
  premium_cents bigint,
  other_cents bigint,
  marks text[] not null default '{}',
  invoice_id uuid,
  credit_note_ids uuid[] not null default '{}',
  send_failure text,
  -- A run mails its credit notes once, when its invoices are sent.
  credit_notes_mailed_at timestamptz,
  unique (run_id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (mend_invoice_id, group_id) references invoices (id, group_id),
  check (total_cents = base_cents + adjustment_cents + vat_cents),
  constraint billing_run_policies_check1 check ((state = 'parked') = (reason_kind is not null)),
  constraint billing_run_policies_check2
    check ((state = 'made') = (invoice_id is not null or credit_note_ids <> '{}')),
  -- The causes sum to the change from last_cents.
  constraint billing_run_policies_check3
    check ((last_cents is null) = (joiners_cents is null and leavers_cents is null and premium_cents is null and other_cents is null)),
  constraint billing_run_policies_check4
    check (last_cents is null or base_cents + adjustment_cents - last_cents = joiners_cents + leavers_cents + premium_cents + other_cents),
  constraint billing_run_policies_mailed_notes check (credit_notes_mailed_at is null or credit_note_ids <> '{}')
);
create index billing_run_policies_policy on billing_run_policies (policy_id);
create index billing_run_policies_total on billing_run_policies (total_cents, id);
create unique index billing_run_policies_invoice on billing_run_policies (invoice_id) where invoice_id is not null;
select protect('billing_run_policies');
grant select, insert, update, delete on billing_run_policies to milkwood_staff;

create table invoice_vat (
  invoice_id uuid not null,
  group_id uuid not null,
  vat_class text not null check (vat_class in ('standard', 'zero', 'exempt')),
  vat_percent numeric(5,2) not null check (vat_percent between 0 and 100),
  net_cents bigint not null,
  position integer not null,
  primary key (invoice_id, vat_class, vat_percent),
  foreign key (invoice_id, group_id) references invoices (id, group_id)
);
select protect('invoice_vat');
-- Users of an employer read VAT like invoice lines: in their groups, once the invoice is sent.
grant select, insert on invoice_vat to milkwood_staff;
grant select on invoice_vat to milkwood_scoped;

-- The month up to which a premium run billed all that was owed. Later runs compare only members with later facts or
-- documents for those months. They find changes by timestamp, so every change must have one.
create table settled_months (
  policy_id uuid primary key,
  group_id uuid not null,
  month date not null check (extract(day from month) = 1),
  settled_at timestamptz not null,
  -- The policy's invoices of the day before settled_at, including the run's: already counted.
  invoice_ids uuid[] not null,
  foreign key (policy_id, group_id) references policies (id, group_id)
);
select protect('settled_months');
grant select, insert, update, delete on settled_months to milkwood_staff;
