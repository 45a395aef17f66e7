-- Why an approver granted less than what stood before: without medical facts, because the policy holder reads it.
alter table claim_approvals
  add column reduction_reason text,
  add constraint claim_approvals_reduction_is_approved check (reduction_reason is null or status = 'approved');
