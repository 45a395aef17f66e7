-- Room claims: what is asked for, the rounds of approvals, and the documents. Status and stamps agree at all times.

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
  -- The round of approvals that counts; sending a claim back opens the next.
  round integer not null default 1 check (round >= 1),
  benefit_id uuid references benefits (id),
  claim_type text check (claim_type in ('death', 'disability', 'medical', 'maternity', 'other')),
  incident_on date,
  notification_on date,
  claim_amount_cents bigint check (claim_amount_cents >= 0),
  requested_amount_cents bigint check (requested_amount_cents >= 0),
  approved_amount_cents bigint check (approved_amount_cents > 0),
  -- Medical facts: queries leave these five out for a policy holder.
  description text not null default '',
  diagnosis text not null default '',
  hospital_name text not null default '',
  doctor_name text not null default '',
  treatment_details text not null default '',
  -- Everybody who typed into it, the first first; none of them decides it.
  captured_by uuid[] not null check (cardinality(captured_by) > 0),
  submitted_by uuid references users (id),
  submitted_at timestamptz,
  reviewed_by uuid references users (id),
  reviewed_at timestamptz,
  routed_at timestamptz,
  -- Document types that were asked for and have not been uploaded since.
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
  ])
);
create index claims_newest on claims (created_at desc, id);
create index claims_group on claims (group_id, created_at desc, id);
create index claims_pending on claims (submitted_at, id)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder');
create index claims_member on claims (member_id);
create index claims_policy on claims (policy_id);
create index claims_benefit on claims (benefit_id);
create index claims_number_trigrams on claims using gin (lower(number) gin_trgm_ops);

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
  foreign key (claim_id, group_id) references claims (id, group_id),
  constraint claim_approvals_once unique (claim_id, round, stage),
  constraint claim_approvals_decided_is_stamped check (
    (status = 'pending') = (decided_by is null) and (decided_by is null) = (decided_at is null)
  ),
  constraint claim_approvals_amount_is_approved check ((status = 'approved') = (approved_amount_cents is not null)),
  constraint claim_approvals_rejection_has_reason check (status <> 'rejected' or coalesce(btrim(comment), '') <> '')
);
-- Nobody decides two stages of one claim.
create unique index claim_approvals_one_stage_a_person on claim_approvals (claim_id, round, decided_by)
  where decided_by is not null;
create index claim_approvals_decider on claim_approvals (decided_by, claim_id) where decided_by is not null;

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

alter table payouts
  add constraint payouts_claim_fk foreign key (claim_id, group_id) references claims (id, group_id);

select protect('claims');
select protect('claim_approvals');
select protect('claim_documents');

grant select, insert, update on claims, claim_approvals to milkwood_staff;
grant select, insert, delete on claim_documents to milkwood_staff, milkwood_scoped;
-- An employer captures and submits. What only the house decides (amounts approved, stamps of stages, payment) is not
-- within its reach even by raw SQL; decisions run as staff after the permission check.
grant select, insert on claims, claim_approvals to milkwood_scoped;
grant update (
  policy_id, member_id, benefit_id, claim_type, incident_on, notification_on, claim_amount_cents,
  requested_amount_cents, description, diagnosis, hospital_name, doctor_name, treatment_details, captured_by, status,
  submitted_by, submitted_at, requested_documents, updated_at, version
) on claims to milkwood_scoped;
