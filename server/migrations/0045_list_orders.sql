-- Every order that a list offers has its index: a page is found along it, and only its rows are joined. What may be
-- empty stands last both ways, which takes an index for each.

create index claims_by_group on claims (group_id, number);
-- The figures of the tabs, without a look at the rows.
create index claims_by_status on claims (status) include (requested_amount_cents);
create index claims_by_step on claims (array_position(
  '{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid}'::text[],
  status), id);
create index claims_by_incident on claims (incident_on, id);
create index claims_by_incident_back on claims (incident_on nulls first, id);
create index claims_by_submission on claims (submitted_at, id);
create index claims_by_submission_back on claims (submitted_at nulls first, id);
create index claims_by_decision on claims (coalesce(final_approval_at, rejected_at), id);
create index claims_by_decision_back on claims (coalesce(final_approval_at, rejected_at) nulls first, id);
create index claims_by_amount on claims (requested_amount_cents, id);
create index claims_by_amount_back on claims (requested_amount_cents nulls first, id);

create index payouts_claim on payouts (claim_id);
create index payouts_by_status on payouts (status) include (amount_cents);
create index payouts_by_amount on payouts (amount_cents, id);
create index payouts_by_completion on payouts (completed_on, id);
create index payouts_by_completion_back on payouts (completed_on nulls first, id);
create index payouts_reference_trigrams on payouts using gin (lower(reference) gin_trgm_ops);

create index receipts_by_number on receipts (number);
create index receipts_by_amount on receipts (amount_cents, id);
create index receipts_reference_trigrams on receipts using gin (lower(reference) gin_trgm_ops);

create index invoices_by_amount on invoices (total_cents, id);
create index invoices_by_date on invoices (invoice_on, id);
create index invoices_by_due_date on invoices (due_on, id);

create index members_of_policy_by_number on members (policy_id, number);
create index members_of_policy_by_start on members (policy_id, start_on, id);
create index members_of_policy_by_name on members (policy_id, last_name_key, name_key, id);
create index members_of_group_by_number on members (group_id, number);
create index members_of_group_by_start on members (group_id, start_on, id);
create index members_of_group_by_status on members (group_id, status, last_name_key, name_key, id);
-- How many a policy insures, also under row-level security.
create index members_insured on members (policy_id, group_id) where status <> 'Terminated';
create index members_to_complete on members (last_name_key, name_key, id) where to_complete <> '{}' and status <> 'Terminated';
-- Readers of a group find any part: no index can serve that under row-level security, but it need not read the rows.
create index members_of_group_searched on members (group_id) include (search_key);
