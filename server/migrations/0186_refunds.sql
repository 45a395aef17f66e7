-- Room refunds: credit of a policy that goes back to who paid, or is kept for its invoices. A refund holds its credit from
-- the moment that it is made: each part stands on its receipt, whose row is never used beyond its amount.

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
  -- What correcting credit notes took back for it.
  corrected_cents bigint not null default 0 check (corrected_cents >= 0),
  -- Of one that is paid out: its payment's.
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
  check ((status = 'completed') = (refunded_on is not null))
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

-- What a refund holds of a receipt. Given back, or set against an invoice, it is released; it is never deleted.
create table refund_parts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  refund_id uuid not null,
  receipt_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  taken_at timestamptz not null,
  released_at timestamptz,
  -- The invoice that kept credit was set against; null where it was given back.
  invoice_id uuid,
  -- Used in part: what was used and what was left are parts of their own.
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

create function keep_refunded() returns trigger language plpgsql as $$
declare
  cents bigint := case when new.released_at is null then new.amount_cents else 0 end;
begin
  if tg_op = 'UPDATE' then
    if old.released_at is not null
      or (to_jsonb(old) - array['released_at', 'invoice_id', 'is_split'])
        is distinct from (to_jsonb(new) - array['released_at', 'invoice_id', 'is_split']) then
      raise exception 'a part of a refund is never changed, only released once' using errcode = 'restrict_violation';
    end if;
    cents := cents - old.amount_cents;
  end if;
  if cents <> 0 then
    update receipts set refunded_cents = refunded_cents + cents where id = new.receipt_id;
  end if;
  return null;
end $$;
create trigger refund_parts_are_counted after insert or update on refund_parts
  for each row execute function keep_refunded();
create trigger refund_parts_stay before delete or truncate on refund_parts for each statement execute function refuse_change();

-- What a refund is stays as it was made; its status is that of its payment, or of credit that is kept.
create function keep_refund() returns trigger language plpgsql as $$
declare
  moving text[] := array['status', 'refunded_on', 'status_reason', 'version'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a refund is never changed' using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.method = 'credit_note') = (pg_trigger_depth() > 1) then
    raise exception 'the status of a refund that is paid out is its payment''s' using errcode = 'restrict_violation';
  end if;
  if old.method = 'credit_note' and old.status in ('completed', 'cancelled') and new.status <> old.status then
    raise exception 'a refund that is % stays so', old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refunds_are_kept before update on refunds for each row execute function keep_refund();
create trigger refunds_stay before delete or truncate on refunds for each statement execute function refuse_change();

-- At commit: a refund holds its amount until it has failed, was cancelled or came back; kept credit what is not used yet.
create function check_refund_holds() returns trigger language plpgsql as $$
declare
  the_refund uuid := case tg_table_name when 'refunds' then new.id else (to_jsonb(new) ->> 'refund_id')::uuid end;
begin
  if exists (
    select from refunds f
    cross join lateral (
      select coalesce(sum(amount_cents) filter (where released_at is null), 0) as held,
        coalesce(sum(amount_cents) filter (where invoice_id is not null), 0) as used
      from refund_parts where refund_id = f.id
    ) p
    where f.id = the_refund and (
      p.held <> case when f.status in ('failed', 'cancelled') then 0
        when f.method <> 'credit_note' then f.amount_cents
        when f.status = 'completed' then 0 else f.amount_cents - p.used end
      or f.method = 'credit_note' and f.status = 'completed' and p.used <> f.amount_cents)
  ) then
    raise exception 'refund % does not hold its amount', the_refund
      using errcode = 'check_violation', constraint = 'refund_holds_its_amount';
  end if;
  return null;
end $$;
create constraint trigger refunds_hold_their_amount after insert or update of status on refunds
  deferrable initially deferred for each row execute function check_refund_holds();
create constraint trigger refund_parts_hold_the_amount after insert or update on refund_parts
  deferrable initially deferred for each row execute function check_refund_holds();

-- The payment of a refund is of its policy and amount, and what becomes of it becomes of the refund.
create function follow_payout() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from refunds f where f.id = new.subject_id and f.group_id = new.group_id and f.policy_id = new.policy_id
      and f.amount_cents = new.amount_cents and f.method = new.method and f.status = 'pending') then
      raise exception 'the payment is not of this refund' using errcode = 'check_violation', constraint = 'payouts_pay_their_refund';
    end if;
    return null;
  end if;
  -- What came back is paid by another refund.
  update refunds set status = case new.status when 'returned' then 'failed' else new.status end,
    refunded_on = case when new.status = 'completed' then new.completed_on end, status_reason = new.status_reason, version = version + 1
  where id = new.subject_id;
  return null;
end $$;
create trigger payouts_pay_their_refund after insert or update of status on payouts
  for each row when (new.subject_kind = 'refund') execute function follow_payout();
-- One payment a refund, for good.
create unique index payouts_one_per_refund on payouts (subject_id) where subject_kind = 'refund';

select protect('refunds');
select protect('refund_parts');
grant select, insert, update on refunds, refund_parts to milkwood_staff;
