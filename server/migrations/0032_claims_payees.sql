-- The payment of one of several payees of a claim; null for a payment to a payee that was typed. No foreign key,
-- because the payees of an anonymised member are deleted.
alter table payouts add column payee_id uuid;
-- A payee is paid once; a claim without recorded payees has one live payment.
drop index payouts_one_live_per_subject;
create unique index payouts_one_live_per_subject on payouts (subject_kind, subject_id)
  where status in ('pending', 'processing', 'failed') and payee_id is null;
create unique index payouts_one_per_payee on payouts (payee_id)
  where status in ('pending', 'processing', 'failed', 'completed') and payee_id is not null;

-- Who is paid for a claim. A later set supersedes the earlier one, until the first payment.
create table claim_payee_sets (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  basis text not null check (basis in ('nomination', 'member', 'estate', 'decision')),
  reason text not null default '',
  recorded_by uuid not null,
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  unique (id, group_id),
  foreign key (claim_id, group_id) references claims (id, group_id),
  check (superseded_at >= recorded_at),
  constraint claim_payee_sets_decision_is_explained check (basis <> 'decision' or btrim(reason) <> '')
);
create unique index claim_payee_sets_one_current on claim_payee_sets (claim_id) where superseded_at is null;
create index claim_payee_sets_claim on claim_payee_sets (claim_id, group_id);
select protect('claim_payee_sets');
grant select, insert on claim_payee_sets to milkwood_staff;
grant update (superseded_at) on claim_payee_sets to milkwood_staff;

create table claim_payees (
  id uuid primary key,
  group_id uuid not null,
  set_id uuid not null,
  position integer not null check (position >= 0),
  name text not null check (btrim(name) <> ''),
  relationship text not null check (
    relationship in ('spouse', 'child', 'parent', 'sibling', 'other', 'organisation', 'member', 'estate')
  ),
  id_number text check (id_number ~ '^[0-9]{13}$'),
  date_of_birth date,
  -- Hundredths of a per cent.
  share_basis_points integer not null check (share_basis_points between 1 and 10000),
  received_by text not null check (received_by in ('self', 'guardian', 'trust')),
  receiver_name text not null default '',
  bank text not null default '',
  branch_code text not null default '',
  account_number text not null default '',
  email text not null default '',
  version integer not null default 1,
  -- Users who recorded or changed the account. They count as preparers of the payment.
  prepared_by uuid[] not null check (cardinality(prepared_by) > 0),
  unique (set_id, position),
  foreign key (set_id, group_id) references claim_payee_sets (id, group_id) on delete cascade,
  constraint claim_payees_receiver_is_named check ((received_by = 'self') = (receiver_name = '')),
  constraint claim_payees_have_a_whole_account check (
    (bank, branch_code, account_number) = ('', '', '')
    or bank <> '' and branch_code ~ '^[0-9]{6}$' and account_number ~ '^[0-9]{6,13}$')
);
select protect('claim_payees');
grant select, insert on claim_payees to milkwood_staff;
grant update (received_by, receiver_name, bank, branch_code, account_number, email, version, prepared_by)
  on claim_payees to milkwood_staff;

-- Finds payments of other members to the same account.
create index payouts_by_account on payouts (payee_account_number) where payee_account_number <> '';
