-- What a payment is for: a claim or a refund. A payment that arrived may come back; what a line of the bank said of it
-- may be taken back. A claim is paid in parts, one at a time.

alter table payouts no force row level security;
alter table payouts disable trigger payouts_are_kept;

alter table payouts drop constraint payouts_subject_kind_check;
alter table payouts add constraint payouts_subject_kind_check check (subject_kind in ('claim', 'refund'));
alter table payouts drop constraint payouts_status_check;
alter table payouts add constraint payouts_status_check
  check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled', 'returned'));

alter table payouts
  add column returned_on date,
  -- The account it is paid from, once that is known; null means the main one.
  add column bank_account_id uuid references bank_accounts (id),
  -- How often it was released, completed and returned, and that was undone: each time posts anew.
  add column releases_undone integer not null default 0 check (releases_undone >= 0),
  add column completions_undone integer not null default 0 check (completions_undone >= 0),
  add column returns_undone integer not null default 0 check (returns_undone >= 0);

-- The checks of stamps, by what they said.
do $$
declare
  found text;
begin
  for found in select conname from pg_constraint where conrelid = 'payouts'::regclass and contype = 'c'
    and (pg_get_constraintdef(oid) like '%released_by IS NOT NULL%' or pg_get_constraintdef(oid) like '%completed_on IS NOT NULL%')
  loop
    execute format('alter table payouts drop constraint %I', found);
  end loop;
end $$;
alter table payouts
  add constraint payouts_released_is_stamped
    check ((status in ('processing', 'completed', 'returned')) = (released_by is not null and released_at is not null)),
  add constraint payouts_completed_is_stamped
    check ((status in ('completed', 'returned')) = (completed_on is not null and completed_at is not null)),
  add constraint payouts_returned_is_stamped
    check ((status = 'returned') = (returned_on is not null) and coalesce(returned_on >= completed_on, true));

-- A subject has one payment at a time; once that has arrived, or was called off, there may be another.
drop index payouts_one_live_per_subject;
create unique index payouts_one_live_per_subject on payouts (subject_kind, subject_id)
  where status in ('pending', 'processing', 'failed');

-- Payee, amount and subject stand still from the release on; what is cancelled stays so for ever, and what has arrived
-- can only come back, or be taken back.
create or replace function keep_payout() returns trigger language plpgsql as $$
declare
  -- A generated column has no value yet before the row is written.
  moving text[] := array[
    'status', 'released_by', 'released_at', 'completed_on', 'completed_at', 'returned_on', 'bank_account_id',
    'releases_undone', 'completions_undone', 'returns_undone', 'status_reason', 'version', 'claim_id'
  ];
begin
  if old.status = 'cancelled'
    or old.status = 'completed' and new.status not in ('processing', 'returned')
    or old.status = 'returned' and new.status <> 'completed' then
    raise exception 'a % payout is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if (old.subject_kind, old.subject_id, old.policy_id, old.amount_cents)
    is distinct from (new.subject_kind, new.subject_id, new.policy_id, new.amount_cents) then
    raise exception 'a payout keeps its subject and amount' using errcode = 'restrict_violation';
  end if;
  if old.status in ('processing', 'completed', 'returned')
    and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a released payout keeps its payee and amount' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What is paid on a claim, and on its way, is at most what was approved, whatever races: read under the claim's lock.
create function check_claim_payments() returns trigger language plpgsql as $$
declare
  approved bigint;
begin
  select approved_amount_cents into approved from claims where id = new.subject_id for no key update;
  if (select sum(amount_cents) from payouts where subject_kind = 'claim' and subject_id = new.subject_id
    and status not in ('cancelled', 'returned')) > coalesce(approved, 0) then
    raise exception 'payments of a claim are at most its approved amount'
      using errcode = 'check_violation', constraint = 'payouts_within_the_claim';
  end if;
  return null;
end $$;
create trigger payouts_within_the_claim after insert or update of status on payouts for each row
  when (new.subject_kind = 'claim' and new.status not in ('cancelled', 'returned')) execute function check_claim_payments();

-- A paid claim is owed again when a payment of it came back; nothing else of an approved claim moves.
create or replace function keep_approved_claim() returns trigger language plpgsql as $$
begin
  if (new.group_id, new.policy_id, new.member_id, new.number, new.requested_amount_cents, new.approved_amount_cents,
      new.final_approval_at, new.status not in ('approved', 'paid'))
    is distinct from
     (old.group_id, old.policy_id, old.member_id, old.number, old.requested_amount_cents, old.approved_amount_cents,
      old.final_approval_at, false)
    or old.status = 'paid' and new.status = 'paid' and new.payment_on is distinct from old.payment_on
  then
    raise exception 'the amount and the member of an approved claim are never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- A claim is paid when what has arrived is what was approved, neither sooner nor later.
create function check_claim_is_paid() returns trigger language plpgsql as $$
declare
  claim uuid := case tg_table_name when 'claims' then new.id else (to_jsonb(new) ->> 'subject_id')::uuid end;
begin
  if exists (select from claims c where c.id = claim and c.status in ('approved', 'paid')
    and (c.status = 'paid') <> (c.approved_amount_cents = (select coalesce(sum(amount_cents), 0) from payouts
      where subject_kind = 'claim' and subject_id = c.id and status = 'completed'))) then
    raise exception 'a claim is paid by the payments that have arrived'
      using errcode = 'check_violation', constraint = 'claims_paid_is_what_arrived';
  end if;
  return null;
end $$;
create constraint trigger claims_paid_is_what_arrived after update of status, approved_amount_cents on claims
  deferrable initially deferred for each row when (new.status in ('approved', 'paid')) execute function check_claim_is_paid();
create constraint trigger payouts_pay_their_claim after update of status on payouts
  deferrable initially deferred for each row
  when (new.subject_kind = 'claim' and (new.status = 'completed') <> (old.status = 'completed'))
  execute function check_claim_is_paid();

alter table payouts enable trigger payouts_are_kept;
alter table payouts force row level security;
