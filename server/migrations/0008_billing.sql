-- Room billing: invoices, their lines, and the credit notes that correct them once they are sent.

create table invoices (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- INV-2026-000123, without gaps.
  number text not null unique,
  kind text not null check (kind in ('premium', 'other')),
  -- Paid, overdue and credited are derived from allocations, credit notes and today.
  status text not null default 'draft' check (status in ('draft', 'pending', 'sent', 'cancelled')),
  invoice_on date not null,
  due_on date not null,
  period_start_on date not null,
  period_end_on date not null,
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  discount_cents bigint not null default 0 check (discount_cents between 0 and subtotal_cents),
  -- The rate of the product type on the invoice's day, kept as it was.
  vat_percent numeric(5, 2) not null check (vat_percent between 0 and 100),
  -- Once, on the subtotal, half away from zero: the same rule as the domain's percentOf.
  vat_cents bigint not null check (vat_cents = round(subtotal_cents * vat_percent / 100)),
  total_cents bigint not null check (total_cents = subtotal_cents + vat_cents - discount_cents),
  notes text not null default '',
  -- Whom it was sent to, and the PDF that was sent.
  sent_to text,
  pdf_file_id uuid references files (id),
  created_by uuid,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  -- Set when credit notes have taken back all of it: its period may then be invoiced anew.
  credited_whole_at timestamptz,
  version integer not null default 1,
  unique (id, group_id),
  unique (id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (due_on >= invoice_on),
  check (period_end_on >= period_start_on),
  check ((status = 'sent') = (sent_at is not null and pdf_file_id is not null and sent_to is not null)),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check (credited_whole_at is null or status = 'sent'),
  constraint one_premium_invoice_per_period
    exclude using gist (policy_id with =, daterange(period_start_on, period_end_on, '[]') with &&)
    where (kind = 'premium' and status <> 'cancelled' and credited_whole_at is null)
);

create index invoices_newest on invoices (created_at desc, number desc);
create index invoices_policy on invoices (policy_id, status, due_on);
create index invoices_group on invoices (group_id, created_at desc);
create index invoices_number_trigrams on invoices using gin (lower(number) gin_trgm_ops);

create table invoice_lines (
  id uuid primary key,
  group_id uuid not null,
  invoice_id uuid not null,
  position integer not null check (position >= 0),
  description text not null check (btrim(description) <> ''),
  quantity integer not null check (quantity >= 1),
  -- Below zero on a line that takes something back.
  unit_cents bigint not null,
  total_cents bigint not null check (total_cents = quantity * unit_cents),
  member_id uuid,
  tier_id uuid references benefit_tiers (id),
  unique (invoice_id, position),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id)
);

create index invoice_lines_member on invoice_lines (member_id) where member_id is not null;

create table credit_notes (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  number text not null unique,
  credited_on date not null,
  net_cents bigint not null check (net_cents >= 0),
  vat_cents bigint not null check (vat_cents >= 0),
  total_cents bigint not null check (total_cents > 0 and total_cents = net_cents + vat_cents),
  reason text not null check (btrim(reason) <> ''),
  created_by uuid,
  created_at timestamptz not null,
  unique (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (invoice_id, policy_id) references invoices (id, policy_id)
);

create index credit_notes_invoice on credit_notes (invoice_id) include (total_cents);

-- At commit an invoice's subtotal is the sum of its lines. Lines change only with their invoice (next trigger), so
-- looking at the invoice is enough.
create function check_invoice_subtotal() returns trigger language plpgsql as $$
declare
  lines bigint := (select coalesce(sum(total_cents), 0) from invoice_lines where invoice_id = new.id);
begin
  if lines <> (select subtotal_cents from invoices where id = new.id) then
    raise exception 'the lines of invoice % do not add up to its subtotal', new.number
      using errcode = 'check_violation', constraint = 'invoice_subtotal_is_its_lines';
  end if;
  return null;
end $$;

create constraint trigger invoice_subtotal_is_its_lines after insert or update on invoices
  deferrable initially deferred for each row execute function check_invoice_subtotal();

-- Lines are written only while their invoice is a draft.
create function refuse_lines_unless_draft() returns trigger language plpgsql as $$
begin
  if exists (select from changed_lines join invoices on invoices.id = changed_lines.invoice_id where status <> 'draft') then
    raise exception 'the lines of an invoice change only while it is a draft' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger invoice_lines_added after insert on invoice_lines
  referencing new table as changed_lines for each statement execute function refuse_lines_unless_draft();
create trigger invoice_lines_removed after delete on invoice_lines
  referencing old table as changed_lines for each statement execute function refuse_lines_unless_draft();

-- A sent invoice says for ever what was sent; only credit notes correct it.
create function keep_sent_invoice() returns trigger language plpgsql as $$
begin
  if (to_jsonb(old) - array['credited_whole_at', 'version']) is distinct from
     (to_jsonb(new) - array['credited_whole_at', 'version']) then
    raise exception 'a sent or cancelled invoice is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger sent_invoices_are_kept before update on invoices
  for each row when (old.status in ('sent', 'cancelled')) execute function keep_sent_invoice();
create trigger credit_notes_are_kept before update or delete or truncate on credit_notes execute function refuse_change();

select protect('invoices');
select protect('invoice_lines');
select protect('credit_notes');

-- Invoices are never deleted: a draft is cancelled, and its number stays.
grant select, insert, update on invoices to milkwood_staff;
grant select, insert, delete on invoice_lines to milkwood_staff;
grant select, insert on credit_notes to milkwood_staff;
grant select on invoices, invoice_lines, credit_notes to milkwood_scoped;
