-- A premium run parks a policy whose bill charges VAT while the organisation has no VAT number.
alter table billing_run_policies drop constraint billing_run_policies_reason_kind_check;
alter table billing_run_policies add constraint billing_run_policies_reason_kind_check
  check (reason_kind in
    ('no_premium', 'no_vat_number', 'no_contact', 'typed_lines', 'draft', 'credit', 'written_off', 'failed'));
