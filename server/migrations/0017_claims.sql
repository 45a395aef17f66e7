create table claims (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  member_id uuid not null,
  number text not null unique,
  status text not null default 'draft' check (status in (
    'draft', 'submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder',
    'approved', 'rejected', 'paid'
  )),
  -- The current round of approvals. Sending a claim back opens the next.
  round integer not null default 1 check (round >= 1),
  benefit_id uuid references benefits (id),
  claim_type text check (claim_type in ('death', 'disability', 'medical', 'maternity', 'other')),
  incident_on date,
  notification_on date,
  claim_amount_cents bigint check (claim_amount_cents >= 0),
  requested_amount_cents bigint check (requested_amount_cents >= 0),
  approved_amount_cents bigint check (approved_amount_cents > 0),
  -- Medical: queries omit these five columns for a policy holder.
  description text not null default '',
  diagnosis text not null default '',
  hospital_name text not null default '',
  doctor_name text not null default '',
  treatment_details text not null default '',
  -- Users who typed into the claim, first one first. None of them may decide it.
  captured_by uuid[] not null check (cardinality(captured_by) > 0),
  submitted_by uuid references users (id),
  submitted_at timestamptz,
  reviewed_by uuid references users (id),
  reviewed_at timestamptz,
  routed_at timestamptz,
  -- Requested document types that are not uploaded yet.
  requested_documents text[] not null default '{}',
  group_admin_approval_at timestamptz,
  underwriter_approval_at timestamptz,
  policy_holder_approval_at timestamptz,
  final_approval_at timestamptz,
  rejected_at timestamptz,
  rejection_reason text check (btrim(rejection_reason) <> ''),
  payment_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  cover_tier_id uuid references benefit_tiers (id),
  max_cover_cents bigint check (max_cover_cents >= 0),
  cover_percentage integer check (cover_percentage between 0 and 100),
  member_last_name_key text,
  member_name_key text,
  member_start_on date,
  member_end_on date,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id),
  constraint claims_submitted_is_stamped
    check ((status = 'draft') = (submitted_at is null) and (submitted_at is null) = (submitted_by is null)),
  constraint claims_submitted_is_complete check (
    status = 'draft' or (
      benefit_id is not null and claim_type is not null and incident_on is not null
      and coalesce(requested_amount_cents, 0) > 0 and btrim(description) <> ''
    )
  ),
  constraint claims_taken_is_stamped check (
    (reviewed_by is null) = (reviewed_at is null)
    and (reviewed_by is not null or status in ('draft', 'submitted', 'rejected'))
  ),
  constraint claims_routed_is_stamped check (
    status = 'rejected' or (routed_at is null) = (status in ('draft', 'submitted', 'under_review'))
  ),
  constraint claims_stages_are_stamped check (
    (status = 'rejected' or (group_admin_approval_at is not null)
      = (status in ('pending_underwriter', 'pending_policy_holder', 'approved', 'paid')))
    and (status = 'rejected' or (underwriter_approval_at is not null)
      = (status in ('pending_policy_holder', 'approved', 'paid')))
    and (policy_holder_approval_at is not null) = (status in ('approved', 'paid'))
  ),
  constraint claims_approved_is_stamped check (
    (final_approval_at is not null) = (status in ('approved', 'paid'))
    and (approved_amount_cents is not null) = (status in ('approved', 'paid'))
    and coalesce(approved_amount_cents <= requested_amount_cents, true)
  ),
  constraint claims_rejected_has_reason check (
    (status = 'rejected') = (rejected_at is not null) and (rejected_at is null) = (rejection_reason is null)
  ),
  constraint claims_paid_is_stamped check ((status = 'paid') = (payment_on is not null)),
  constraint claims_requested_documents_are_known check (requested_documents <@ array[
      'medical_report', 'death_certificate', 'hospital_bill', 'police_report', 'id_document', 'proof_of_relationship', 'other'
    ]),
  constraint claims_cover_is_settled
    check ((status = 'draft') = (cover_tier_id is null) and (cover_tier_id is null) = (max_cover_cents is null))
);
alter table payouts add constraint payouts_claim_fk foreign key (claim_id, group_id) references claims (id, group_id);
create index claims_newest on claims (created_at desc, id);
create index claims_group on claims (group_id, created_at desc, id);
create index claims_member on claims (member_id);
create index claims_benefit on claims (benefit_id);
create index claims_number_trigrams on claims using gin (lower(number) gin_trgm_ops);
create index claims_by_group on claims (group_id, number);
-- For the figures of the tabs, by index-only scan.
create index claims_by_status on claims (status) include (requested_amount_cents);
create index claims_by_step on claims (array_position(
  '{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid}'::text[],
  status), id);
create index claims_by_incident on claims (incident_on, id);
create index claims_by_incident_back on claims (incident_on nulls first, id);
create index claims_by_submission on claims (submitted_at, id);
create index claims_by_submission_back on claims (submitted_at nulls first, id);
create index claims_by_amount on claims (requested_amount_cents, id);
create index claims_by_amount_back on claims (requested_amount_cents nulls first, id);
create index claims_of_group_by_status on claims (group_id, status, submitted_at) include (requested_amount_cents);
create index claims_submitted_by_month on claims (submitted_at) include (status, final_approval_at, rejected_at) where status <> 'draft';
create index claims_at_tier on claims (cover_tier_id);
-- For the list of a user's claims.
create index claims_captured_by on claims using gin (captured_by);
create index claims_by_member_name on claims (member_last_name_key, member_name_key, id) include (status, group_id);
-- Includes all columns that the list of payments reads.
create index claims_approved on claims (final_approval_at, id)
  include (group_id, policy_id, member_id, number, approved_amount_cents) where status = 'approved';
create index claims_member_trigrams on claims using gin (member_name_key gin_trgm_ops);
create index claims_by_decision_back on claims (
  (case when final_approval_at is null then rejected_at else final_approval_at end) nulls first, id);
create index claims_of_group_by_decision on claims (
  group_id, (case when final_approval_at is null then rejected_at else final_approval_at end));
-- For a group's monthly totals, by index-only scan.
create index claims_of_group_by_month on claims (group_id, submitted_at) include (status, final_approval_at, rejected_at)
  where status <> 'draft';
-- Pending claims are at the end of the index on all numbers.
create index claims_pending_by_number on claims (number)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder');
create index claims_open on claims (submitted_at, id)
  include (group_id, status, number, claim_type, policy_id, member_id, member_last_name_key, member_name_key,
    requested_amount_cents, approved_amount_cents, requested_documents, captured_by, submitted_by)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder',
    'approved');
create index claims_by_decision on claims
  ((case when final_approval_at is null then rejected_at else final_approval_at end), id)
  include (final_approval_at, rejected_at, status, requested_amount_cents);
create index claims_policy on claims (policy_id, final_approval_at);
select protect('claims');
create policy begins_as_draft on claims as restrictive for insert to milkwood_scoped
  with check (status = 'draft' and reviewed_by is null);
create policy own_drafts on claims as restrictive for delete to milkwood_scoped
  using (status = 'draft' and (select app_user()) = any (captured_by));
-- Users of an employer capture and submit claims. Approved amounts, stages and payments are not granted: decisions run
-- as staff, after the permission check.
grant select, insert, update, delete on claims to milkwood_staff;
grant select, insert, delete on claims to milkwood_scoped;
grant update (
  policy_id, member_id, status, benefit_id, claim_type, incident_on, notification_on, claim_amount_cents,
  requested_amount_cents, description, diagnosis, hospital_name, doctor_name, treatment_details, captured_by,
  submitted_by, submitted_at, requested_documents, updated_at, version, member_last_name_key, member_name_key,
  member_start_on, member_end_on
) on claims to milkwood_scoped;

create table claim_approvals (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  round integer not null check (round >= 1),
  stage text not null check (stage in ('group_admin', 'underwriter', 'policy_holder')),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  comment text,
  approved_amount_cents bigint check (approved_amount_cents > 0),
  decided_by uuid references users (id),
  decided_at timestamptz,
  created_at timestamptz not null,
  -- Why the approver reduced the amount. No medical facts: the policy holder reads it.
  reduction_reason text,
  decided_for uuid references users (id),
  constraint claim_approvals_once unique (claim_id, round, stage),
  foreign key (claim_id, group_id) references claims (id, group_id),
  constraint claim_approvals_decided_is_stamped check (
    (status = 'pending') = (decided_by is null) and (decided_by is null) = (decided_at is null)
  ),
  constraint claim_approvals_amount_is_approved check ((status = 'approved') = (approved_amount_cents is not null)),
  constraint claim_approvals_rejection_has_reason check (status <> 'rejected' or coalesce(btrim(comment), '') <> ''),
  constraint claim_approvals_reduction_is_approved check (reduction_reason is null or status = 'approved'),
  constraint claim_approvals_decided_for_another check (
    decided_for is null or (decided_by is not null and decided_for <> decided_by and stage = 'policy_holder'))
);
create unique index claim_approvals_one_stage_a_person on claim_approvals (claim_id, round, decided_by)
  where decided_by is not null;
create index claim_approvals_decider on claim_approvals (decided_by, claim_id) where decided_by is not null;
create index claim_approvals_in_order on claim_approvals (claim_id, round, decided_at) include (stage)
  where decided_at is not null;
select protect('claim_approvals');
create policy begins_undecided on claim_approvals as restrictive for insert to milkwood_scoped
  with check (status = 'pending');
grant select, insert, update on claim_approvals to milkwood_staff;
grant select, insert on claim_approvals to milkwood_scoped;

create table claim_documents (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  document_type text not null check (document_type in (
    'medical_report', 'death_certificate', 'hospital_bill', 'police_report', 'id_document', 'proof_of_relationship', 'other'
  )),
  name text not null check (btrim(name) <> ''),
  file_id uuid not null unique references files (id),
  uploaded_by uuid not null references users (id),
  uploaded_at timestamptz not null,
  foreign key (claim_id, group_id) references claims (id, group_id)
);
create index claim_documents_claim on claim_documents (claim_id, uploaded_at, id);
select protect('claim_documents');
grant select, insert, delete on claim_documents to milkwood_staff, milkwood_scoped;

create table claim_stand_ins (
  id uuid primary key,
  -- The absent user, and the user who decides instead.
  person_id uuid not null references users (id) on delete cascade,
  stand_in_id uuid not null references users (id) on delete cascade,
  from_on date not null,
  -- Inclusive.
  until_on date not null,
  named_by uuid not null references users (id),
  created_at timestamptz not null,
  -- Set if it ended early, or before it began.
  ended_at timestamptz,
  constraint claim_stand_ins_are_two_people check (person_id <> stand_in_id),
  constraint claim_stand_ins_are_for_a_while check (until_on between from_on and from_on + 366),
  constraint claim_stand_ins_one_at_a_time
    exclude using gist (person_id with =, daterange(from_on, until_on, '[]') with &&) where (ended_at is null)
);
create index claim_stand_ins_of_stand_in on claim_stand_ins (stand_in_id) where ended_at is null;
alter table claim_stand_ins enable row level security;
alter table claim_stand_ins force row level security;
create policy of_own_groups on claim_stand_ins for select to milkwood_scoped using (
  exists (select from user_groups g where g.user_id = person_id and g.group_id = any ((select app_groups())::uuid[])));
create policy named_by_oneself on claim_stand_ins for insert to milkwood_scoped
  with check (person_id = (select app_user()) and named_by = (select app_user()) and ended_at is null);
create policy ended_by_oneself on claim_stand_ins for update to milkwood_scoped using (person_id = (select app_user()));
grant select, insert on claim_stand_ins to milkwood_staff, milkwood_scoped;
grant update (ended_at) on claim_stand_ins to milkwood_staff, milkwood_scoped;
