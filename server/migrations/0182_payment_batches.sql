-- Payments that leave from one account on one day: a batch, its payments, and the file that the bank is given.

create table payout_batches (
  id uuid primary key,
  -- BAT-2026-000001.
  number text not null unique,
  bank_account_id uuid not null references bank_accounts (id),
  execution_on date not null check (execution_on between '2000-01-01' and '2199-12-31' and extract(isodow from execution_on) <= 5),
  format text not null check (format in ('pain001', 'fnb', 'standard_bank')),
  status text not null default 'open' check (status in ('open', 'released', 'cancelled')),
  created_by uuid not null,
  created_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  status_reason text,
  -- What it holds, kept beside its payments by a trigger.
  payment_count integer not null default 0 check (payment_count between 0 and 10000),
  amount_cents bigint not null default 0 check (amount_cents >= 0),
  version integer not null default 1,
  check ((status = 'released') = (released_by is not null and released_at is not null)),
  check (status <> 'cancelled' or btrim(status_reason) <> '')
);
create index payout_batches_newest on payout_batches (created_at, number, id);
create index payout_batches_day on payout_batches (execution_on, id);
create index payout_batches_amount on payout_batches (amount_cents, id);
create index payout_batches_status on payout_batches (status, created_at);
create index payout_batches_number_trigrams on payout_batches using gin (lower(number) gin_trgm_ops);

-- A payment is in one batch at a time; what was taken out, or did not arrive, stays on record as having left.
create table payout_batch_payments (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  payout_id uuid not null,
  group_id uuid not null,
  added_by uuid not null,
  added_at timestamptz not null,
  -- What the bank knows it by, from the release on.
  end_to_end_id text unique check (char_length(end_to_end_id) between 1 and 35),
  left_at timestamptz,
  foreign key (payout_id, group_id) references payouts (id, group_id)
);
create unique index payout_batch_payments_one_batch on payout_batch_payments (payout_id) where left_at is null;
create index payout_batch_payments_of on payout_batch_payments (batch_id, payout_id);

-- An open batch takes what waits for its release and goes through a bank.
create function check_batch_payment() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_batches b, payouts o where b.id = new.batch_id and b.status = 'open'
    and o.id = new.payout_id and o.status = 'pending' and o.method in ('bank_transfer', 'eft')) then
    raise exception 'this payment is not one for this batch' using errcode = 'check_violation', constraint = 'payout_batch_payments_fit';
  end if;
  return new;
end $$;
create trigger payout_batch_payments_fit before insert on payout_batch_payments
  for each row execute function check_batch_payment();

create function keep_batch_payment() returns trigger language plpgsql as $$
begin
  if old.left_at is not null or old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id
    or (to_jsonb(old) - array['left_at', 'end_to_end_id']) is distinct from (to_jsonb(new) - array['left_at', 'end_to_end_id']) then
    raise exception 'a payment of a batch stays as it was put there' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_batch_payments_are_kept before update on payout_batch_payments
  for each row execute function keep_batch_payment();
create trigger payout_batch_payments_stay before delete or truncate on payout_batch_payments
  for each statement execute function refuse_change();

-- Count and amount of an open batch follow its payments, a statement at a time.
create function count_batch_payments() returns trigger language plpgsql as $$
begin
  update payout_batches b set payment_count = held.payments, amount_cents = held.cents
  from (
    select touched.batch_id, count(o.id) as payments, coalesce(sum(o.amount_cents), 0) as cents
    from (select distinct batch_id from changed) touched
    left join payout_batch_payments p on p.batch_id = touched.batch_id and p.left_at is null
    left join payouts o on o.id = p.payout_id group by 1
  ) held where b.id = held.batch_id and b.status = 'open';
  return null;
end $$;
create trigger payout_batch_payments_are_counted after insert on payout_batch_payments
  referencing new table as changed for each statement execute function count_batch_payments();
create trigger payout_batch_payments_are_recounted after update on payout_batch_payments
  referencing new table as changed for each statement execute function count_batch_payments();

-- What was released stays what it was: account, day, format, count and amount.
create function keep_payout_batch() returns trigger language plpgsql as $$
declare
  moving text[] := array['execution_on', 'version'];
begin
  if old.status <> 'open' and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving)
    or old.status = 'cancelled' then
    raise exception 'a % batch is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if new.status = 'released' and old.status = 'open' and exists (
    select from payout_batch_payments p join payouts o on o.id = p.payout_id
    where p.batch_id = new.id and p.left_at is null and o.payee_changed_by = new.released_by) then
    raise exception 'nobody releases a payment whose payee they changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_batches_are_kept before update on payout_batches for each row execute function keep_payout_batch();
create trigger payout_batches_stay before delete or truncate on payout_batches for each statement execute function refuse_change();

-- The files that the bank is given: one that counts a batch, and all that ever were.
create table payment_files (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  nth integer not null check (nth >= 1),
  message_id text not null unique check (char_length(message_id) between 1 and 35),
  format text not null check (format in ('pain001', 'fnb', 'standard_bank')),
  file_id uuid not null unique references files (id),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  payment_count integer not null check (payment_count > 0),
  control_sum_cents bigint not null check (control_sum_cents > 0),
  execution_on date not null,
  made_at timestamptz not null,
  exported_by uuid,
  exported_at timestamptz,
  -- Lets whoever exported it fetch it, once.
  ticket uuid unique,
  withdrawn text check (withdrawn in ('not_sent', 'rejected')),
  withdrawn_by uuid,
  withdrawn_at timestamptz,
  withdrawn_reason text,
  unique (batch_id, nth),
  check ((exported_by is null) = (exported_at is null)),
  check ((withdrawn is null) = (withdrawn_at is null)),
  check (ticket is null or exported_at is not null)
);
create unique index payment_files_one_that_counts on payment_files (batch_id) where withdrawn is null;

create function keep_payment_file() returns trigger language plpgsql as $$
declare
  moving text[] := array['exported_by', 'exported_at', 'ticket', 'withdrawn', 'withdrawn_by', 'withdrawn_at', 'withdrawn_reason'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving)
    or old.exported_at is not null and (new.exported_by, new.exported_at) is distinct from (old.exported_by, old.exported_at)
    or old.exported_at is not null and new.ticket is not null and new.ticket is distinct from old.ticket
    or old.withdrawn is not null then
    raise exception 'a payment file is exported once and withdrawn once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payment_files_are_kept before update on payment_files for each row execute function keep_payment_file();
create trigger payment_files_stay before delete or truncate on payment_files for each statement execute function refuse_change();

-- What the bank answered, as it was uploaded.
create table payment_answers (
  id uuid primary key,
  batch_id uuid not null references payout_batches (id),
  file_id uuid not null references files (id),
  sha256 text not null,
  job_id uuid not null,
  content jsonb not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  constraint payment_answers_once unique (batch_id, sha256)
);

select protect('payout_batch_payments');
grant select, insert, update on payout_batches, payment_files to milkwood_staff;
grant select, insert, update on payout_batch_payments to milkwood_staff;
grant select, insert on payment_answers to milkwood_staff;
