-- What is to be credited was written off: the policy waits until the write-off is reversed.
alter table billing_run_policies drop constraint billing_run_policies_reason_kind_check;
alter table billing_run_policies add constraint billing_run_policies_reason_kind_check
  check (reason_kind in ('no_premium', 'no_contact', 'typed_lines', 'draft', 'credit', 'written_off', 'failed'));
