create table refunds (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- REF-2026-000001.
  number text not null unique,
  member_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'eft', 'cheque', 'credit_note')),
  reason text not null check (reason in ('policy_cancellation', 'overpayment', 'pro_rata_refund', 'duplicate_payment', 'other')),
  period_from_on date,
  period_to_on date,
  reference text not null default '',
  notes text not null default '',
  -- The amount of its correcting credit notes.
  corrected_cents bigint not null default 0 check (corrected_cents >= 0),
  -- Copied from the payout, if there is one.
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  refunded_on date,
  status_reason text,
  created_by uuid not null,
  created_at timestamptz not null,
  version integer not null default 1,
  unique (id, group_id),
  unique (id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id),
  check (period_to_on >= period_from_on),
  constraint refunds_check1 check ((status = 'completed') = (refunded_on is not null))
);
create index refunds_by_number on refunds (number, id);
create index refunds_by_amount on refunds (amount_cents, id);
create index refunds_by_day on refunds (refunded_on, id);
create index refunds_by_day_back on refunds (refunded_on nulls first, id);
create index refunds_policy on refunds (policy_id);
create index refunds_group on refunds (group_id);
create index refunds_member on refunds (member_id);
create index refunds_status on refunds (status, number desc);
create index refunds_reference_trigrams on refunds using gin (lower(reference) gin_trgm_ops);
select protect('refunds');
grant select, insert, update on refunds to milkwood_staff;

-- Part of a receipt, reserved by a refund. It is released when given back or allocated, never deleted.
create table refund_parts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  refund_id uuid not null,
  receipt_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  taken_at timestamptz not null,
  released_at timestamptz,
  -- The invoice that the credit was allocated to; null if given back.
  invoice_id uuid,
  -- The used and the remaining amounts are separate parts.
  is_split boolean not null default false,
  foreign key (refund_id, group_id) references refunds (id, group_id),
  foreign key (refund_id, policy_id) references refunds (id, policy_id),
  foreign key (receipt_id, group_id) references receipts (id, group_id),
  foreign key (receipt_id, policy_id) references receipts (id, policy_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  check (invoice_id is null or released_at is not null)
);
create index refund_parts_refund on refund_parts (refund_id);
create index refund_parts_receipt on refund_parts (receipt_id);
select protect('refund_parts');
grant select, insert, update on refund_parts to milkwood_staff;
