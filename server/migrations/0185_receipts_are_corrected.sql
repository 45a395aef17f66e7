-- A receipt may be corrected until anything of it is allocated, and one payment may be for several policies. What a refund
-- takes of a receipt stands on its row beside what is allocated: together they are never more than the receipt.

-- One payment for several policies, of several groups perhaps: the receipts say whose it is.
create table deposits (
  id uuid primary key,
  -- DEP-2026-000001.
  number text not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'cheque', 'cash', 'credit_card', 'debit_card')),
  received_on date not null check (received_on between '2000-01-01' and '2199-12-31'),
  reference text not null default '',
  notes text not null default '',
  created_by uuid,
  created_at timestamptz not null
);
create trigger deposits_are_kept before update or delete or truncate on deposits execute function refuse_change();
grant select, insert on deposits to milkwood_staff;

alter table receipts
  add column deposit_id uuid references deposits (id),
  add column refunded_cents bigint not null default 0,
  -- The version at which it was posted as it stands now.
  add column posted_version integer not null default 1 check (posted_version between 1 and version);
create index receipts_deposit on receipts (deposit_id) where deposit_id is not null;
alter table receipts drop constraint receipt_not_over_allocated;
alter table receipts add constraint receipt_not_over_allocated
  check (allocated_cents >= 0 and refunded_cents >= 0 and allocated_cents + refunded_cents <= amount_cents);
-- What was paid out is not there to be taken back.
alter table receipts add constraint receipt_reversed_is_not_refunded check (reversed_at is null or refunded_cents = 0);

-- What a receipt was posted as before it was corrected: its posting was reversed. It may have been another group's then.
create table receipt_edits (
  receipt_id uuid not null references receipts (id),
  -- The receipt's version at which it was posted so.
  posted_version integer not null,
  policy_id uuid not null references policies (id),
  amount_cents bigint not null check (amount_cents > 0),
  method text not null,
  paid_into text not null check (paid_into in ('bank', 'undeposited')),
  received_on date not null,
  edited_by uuid,
  edited_at timestamptz not null,
  primary key (receipt_id, posted_version)
);
create trigger receipt_edits_are_kept before update or delete or truncate on receipt_edits execute function refuse_change();
grant select, insert on receipt_edits to milkwood_staff;

-- What was received stays as it was captured once anything of it is allocated or refunded; until then it is corrected,
-- and what was posted of it is kept. Its number, and whose deposit it is a part of, never change.
create or replace function keep_receipt() returns trigger language plpgsql as $$
declare
  moving text[] := array[
    'reversed_on', 'reversed_at', 'reversed_by', 'reverse_reason', 'allocated_cents', 'refunded_cents', 'version'
  ];
  -- "paid_into" is a later migration's.
  money text[] := array['group_id', 'policy_id', 'amount_cents', 'method', 'paid_into', 'received_on', 'posted_version'];
  words text[] := array['reference', 'notes'];
  after_reversal text[] := array['allocated_cents', 'refunded_cents'];
begin
  if old.reversed_at is not null and (to_jsonb(old) - after_reversal) is distinct from (to_jsonb(new) - after_reversal) then
    raise exception 'a receipt that was reversed is never changed' using errcode = 'restrict_violation';
  end if;
  if (to_jsonb(old) - moving - money - words) is distinct from (to_jsonb(new) - moving - money - words) then
    raise exception 'a receipt keeps its number' using errcode = 'restrict_violation';
  end if;
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    if old.allocated_cents + old.refunded_cents > 0 or new.reversed_at is not null then
      raise exception 'a receipt is corrected until anything of it is allocated' using errcode = 'restrict_violation';
    end if;
    if (to_jsonb(old) - moving - words) is distinct from (to_jsonb(new) - moving - words) then
      if old.deposit_id is not null
        and (old.amount_cents, old.method, old.received_on) is distinct from (new.amount_cents, new.method, new.received_on) then
        raise exception 'a part of a deposit is as the deposit says' using errcode = 'restrict_violation';
      end if;
      if new.posted_version <> new.version or not exists (
        select from receipt_edits e where e.receipt_id = old.id and e.posted_version = old.posted_version
          and (e.policy_id, e.amount_cents, e.method, e.received_on, e.paid_into)
            = (old.policy_id, old.amount_cents, old.method, old.received_on, coalesce(to_jsonb(old) ->> 'paid_into', 'bank'))
      ) then
        raise exception 'what a receipt was posted as is kept' using errcode = 'restrict_violation';
      end if;
    end if;
  end if;
  return new;
end $$;

-- The receipts of a deposit that stand are never more than it, and are as it says.
create function check_deposit() returns trigger language plpgsql as $$
begin
  if exists (
    select from deposits d where d.id = new.deposit_id and (
      d.amount_cents < (select sum(amount_cents) from receipts where deposit_id = d.id and reversed_at is null)
      or (d.method, d.received_on) is distinct from (new.method, new.received_on))
  ) then
    raise exception 'the receipts of deposit % are not of it', new.deposit_id
      using errcode = 'check_violation', constraint = 'deposit_is_its_receipts';
  end if;
  return null;
end $$;
create constraint trigger receipts_fit_their_deposit after insert on receipts
  deferrable initially deferred for each row when (new.deposit_id is not null) execute function check_deposit();

drop trigger receipt_figures_follow on receipts;
create trigger receipt_figures_follow before update of allocated_cents, refunded_cents on receipts
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();
drop trigger receipt_figures_begin on receipts;
create trigger receipt_figures_begin before insert on receipts
  for each row when (new.allocated_cents <> 0 or new.refunded_cents <> 0) execute function refuse_kept_figures();

drop index receipts_open;
create index receipts_open on receipts (policy_id, received_on)
  where reversed_at is null and allocated_cents + refunded_cents < amount_cents;

-- Whether the bank ever showed a receipt.
create index bank_matches_ever_receipt on bank_matches (receipt_id) where receipt_id is not null;
