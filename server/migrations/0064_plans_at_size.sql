-- Whether anybody of a policy was covered on a day is answered by the first row that was, and not by all of them.
drop index member_covers_policy;
create index member_covers_policy on member_covers (policy_id, lower(valid)) where superseded_at is null;

-- The dashboard of a group's people counts the claims of their groups by status and by when they were decided.
create index claims_of_group_by_status on claims (group_id, status, submitted_at);
create index claims_of_group_by_decision on claims (group_id, coalesce(final_approval_at, rejected_at));

-- Orders that lists offer and no index served.
create index policies_by_creation on policies (created_at, number, id);
create index policies_by_premium on policies (premium_cents, id);
create index policies_by_start on policies (start_on, id);
create index policies_by_start_back on policies (start_on nulls first, id);
create index invoices_by_open on invoices (
  (case when status = 'sent' then total_cents - credited_cents - allocated_cents else 0 end), id);
