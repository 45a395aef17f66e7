-- How cover limited the approved amount, as it was at the last approval: {"proposedAmountCents", "lines"}. Letters print
-- it. Null for approvals by earlier versions.
alter table claim_approvals add column working jsonb,
  add constraint claim_approvals_working_is_approved check (working is null or status = 'approved');
