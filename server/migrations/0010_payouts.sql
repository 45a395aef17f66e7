-- Room payouts: money that goes out. Claims come later in the order of the rooms; their migration adds the reference.

create table payouts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  number text not null unique,
  kind text not null check (kind in ('claim_payment')),
  claim_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('bank_transfer', 'eft', 'cheque', 'cash')),
  reference text not null check (btrim(reference) <> ''),
  notes text not null default '',
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  payee_name text not null check (btrim(payee_name) <> ''),
  payee_bank text not null default '',
  payee_branch_code text not null default '',
  payee_account_number text not null default '',
  -- Everybody who made it or changed its payee: none of them releases it above the limit.
  prepared_by uuid[] not null check (cardinality(prepared_by) > 0),
  created_by uuid not null,
  created_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  completed_on date,
  completed_at timestamptz,
  status_reason text,
  version integer not null default 1,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((kind = 'claim_payment') = (claim_id is not null)),
  check ((status in ('processing', 'completed')) = (released_by is not null and released_at is not null)),
  check ((status = 'completed') = (completed_on is not null and completed_at is not null)),
  check (method not in ('bank_transfer', 'eft') or (payee_bank <> '' and payee_branch_code <> '' and payee_account_number <> ''))
);

-- A claim has at most one live payment; a failed one is retried or cancelled first.
create unique index payouts_one_live_per_claim on payouts (claim_id) where status <> 'cancelled';
create index payouts_newest on payouts (created_at desc, number desc);
create index payouts_status on payouts (status, created_at desc);
create index payouts_policy on payouts (policy_id);
create index payouts_number_trigrams on payouts using gin (lower(number) gin_trgm_ops);

-- Payee, amount and bank details stand still from the release on; a completed or cancelled payout for ever.
create function keep_payout() returns trigger language plpgsql as $$
declare
  moving text[] := array['status', 'released_by', 'released_at', 'completed_on', 'completed_at', 'status_reason', 'version'];
begin
  if old.status in ('completed', 'cancelled') then
    raise exception 'a % payout is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if old.status = 'processing' and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a released payout keeps its payee and amount' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payouts_are_kept before update on payouts for each row execute function keep_payout();

select protect('payouts');
grant select, insert, update on payouts to milkwood_staff;
