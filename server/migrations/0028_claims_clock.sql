-- The promise of a claim: working days from complete documents to the decision, without the time that documents were
-- asked for.
alter table claims
  add column promised_days integer check (promised_days between 1 and 90),
  add column documents_complete_at timestamptz,
  -- Array of { from, until }; until is null while documents are asked for.
  add column document_pauses jsonb not null default '[]' check (jsonb_typeof(document_pauses) = 'array'),
  add column due_on date,
  add column working_days_used integer check (working_days_used >= 0);

-- Claims from before are complete since their submission. The daily job computes their due days.
update claims set promised_days = case when claim_type = 'death' then 2 else 10 end,
    documents_complete_at = submitted_at,
    document_pauses = case when cardinality(requested_documents) = 0 then '[]'
      else jsonb_build_array(jsonb_build_object('from', submitted_at, 'until', null)) end
  where status <> 'draft';

alter table claims
  add constraint claims_clock_begins_at_submission check (
    (status <> 'draft' or (promised_days is null and documents_complete_at is null))
    and coalesce(documents_complete_at >= submitted_at, true)
  ),
  add constraint claims_routed_has_documents check (
    status not in ('pending_group_admin', 'pending_underwriter', 'pending_policy_holder') or documents_complete_at is not null
  ),
  add constraint claims_due_is_running check (
    due_on is null or (
      promised_days is not null and documents_complete_at is not null and cardinality(requested_documents) = 0
      and status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder')
    )
  ),
  add constraint claims_days_used_is_decided check (
    working_days_used is null or (
      promised_days is not null and documents_complete_at is not null and status in ('approved', 'rejected', 'paid')
    )
  );
grant update (promised_days, documents_complete_at, document_pauses, due_on, working_days_used) on claims to milkwood_scoped;

-- The pending list sorts by the due day; index-only scans read it from here.
drop index claims_open;
create index claims_open on claims (submitted_at, id)
  include (group_id, status, number, claim_type, policy_id, member_id, member_last_name_key, member_name_key,
    requested_amount_cents, approved_amount_cents, requested_documents, captured_by, submitted_by, due_on)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder',
    'approved');
create index claims_by_due on claims (due_on, id)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder');
create index claims_by_due_back on claims (due_on nulls first, id)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder');
