-- Rejected claims can be reopened, approvals withdrawn before payment, and submitted claims withdrawn.
alter table claims drop constraint claims_status_check;
alter table claims add constraint claims_status_check check (status in (
  'draft', 'submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder',
  'approved', 'rejected', 'paid', 'withdrawn'
));
alter table claims add column withdrawn_at timestamptz;
alter table claims add column withdrawn_by uuid references users (id);
alter table claims add column withdrawal_reason text check (btrim(withdrawal_reason) <> '');
alter table claims add constraint claims_withdrawn_is_stamped check (
  (status = 'withdrawn') = (withdrawn_at is not null)
  and (withdrawn_at is null) = (withdrawn_by is null)
  and (withdrawn_at is null) = (withdrawal_reason is null)
);
alter table claims drop constraint claims_taken_is_stamped;
alter table claims add constraint claims_taken_is_stamped check (
  (reviewed_by is null) = (reviewed_at is null)
  and (reviewed_by is not null or status in ('draft', 'submitted', 'rejected', 'withdrawn'))
);
alter table claims drop constraint claims_routed_is_stamped;
alter table claims add constraint claims_routed_is_stamped check (
  status = 'rejected' or (routed_at is null) = (status in ('draft', 'submitted', 'under_review', 'withdrawn'))
);
drop index claims_by_step;
create index claims_by_step on claims (array_position(
  '{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[],
  status), id);
grant update (withdrawn_at, withdrawn_by, withdrawal_reason) on claims to milkwood_scoped;

-- The decision that each reopening undid, and its reason.
create table claim_reopenings (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  kind text not null check (kind in ('appeal', 'approval_withdrawn')),
  -- The round of approvals that it opened.
  round integer not null check (round > 1),
  reason text not null check (btrim(reason) <> ''),
  received_on date,
  is_late boolean not null,
  -- At the former decision: a claim under review can move to another member.
  policy_id uuid not null,
  decided_at timestamptz not null,
  rejection_reason text check (btrim(rejection_reason) <> ''),
  approved_amount_cents bigint check (approved_amount_cents > 0),
  reopened_by uuid not null references users (id),
  reopened_at timestamptz not null,
  unique (id, group_id),
  constraint claim_reopenings_once unique (claim_id, round),
  foreign key (claim_id, group_id) references claims (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  constraint claim_reopenings_keep_the_decision check (
    (kind = 'appeal') = (received_on is not null)
    and (kind = 'appeal') = (rejection_reason is not null)
    and (kind = 'approval_withdrawn') = (approved_amount_cents is not null)
    and (kind = 'appeal' or not is_late)
  )
);
create index claim_reopenings_policy on claim_reopenings (policy_id, group_id);
select protect('claim_reopenings');
grant select, insert on claim_reopenings to milkwood_staff;
grant select on claim_reopenings to milkwood_scoped;
