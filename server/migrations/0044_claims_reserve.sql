-- What an open claim is expected to pay, from submission to the decision. Only for the insurer's staff. Rows cannot be
-- changed; the last one is the claim's reserve.
create table claim_reserve_movements (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  seq integer not null check (seq > 0),
  -- The policy on which the ledger carries the reserve: an open claim can move to another one.
  policy_id uuid not null,
  cause text not null check (cause in (
    'submitted', 'changed', 'set', 'cleared', 'approved', 'approval_withdrawn', 'rejected', 'withdrawn', 'reopened', 'taken_on'
  )),
  moved_on date not null,
  change_cents bigint not null,
  reserve_cents bigint not null check (reserve_cents >= 0),
  -- A manager's amount; null while the reserve follows the proposed amount.
  set_cents bigint check (set_cents >= 0),
  reason text not null default '',
  -- The source of the ledger entry. A movement by 0 has no entry.
  source text not null unique,
  -- Null for a job.
  moved_by uuid,
  moved_at timestamptz not null,
  constraint claim_reserve_movements_seq unique (claim_id, seq),
  foreign key (claim_id, group_id) references claims (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  constraint claim_reserve_movements_set_is_explained check (cause not in ('set', 'cleared') or btrim(reason) <> ''),
  constraint claim_reserve_movements_set_is_carried
    check (reserve_cents = 0 or set_cents is null or reserve_cents = set_cents)
);
create index claim_reserve_movements_policy on claim_reserve_movements (policy_id, group_id);
create index claim_reserve_movements_moved on claim_reserve_movements (moved_on);
select protect('claim_reserve_movements');
grant select, insert on claim_reserve_movements to milkwood_staff;
