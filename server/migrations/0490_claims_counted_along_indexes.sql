-- What lists and reports count and sum of claims is read along an index alone: the rows of the table carry what doctors
-- wrote, and fill a page with nine.

-- Claims that are still to be decided or paid: the pending ones in order of priority, with whose turn it is, and the
-- report of what is outstanding.
drop index claims_pending;
create index claims_open on claims (submitted_at, id)
  include (group_id, status, number, claim_type, policy_id, member_id, member_last_name_key, member_name_key,
    requested_amount_cents, approved_amount_cents, requested_documents, captured_by, submitted_by)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder',
    'approved');

-- Claims decided in a time, by status. An expression is read from an index only where its columns stand in it as well.
drop index claims_by_decision;
create index claims_by_decision on claims
  ((case when final_approval_at is null then rejected_at else final_approval_at end), id)
  include (final_approval_at, rejected_at, status, requested_amount_cents);

-- Claims approved in a time, by policy.
drop index claims_policy;
create index claims_policy on claims (policy_id, final_approval_at);
