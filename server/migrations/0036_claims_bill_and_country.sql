alter table claims
  -- Medical: queries omit this column for a policy holder.
  add column bill_number text not null default '',
  -- ISO 3166-1 alpha-2.
  add column incident_country text not null default 'ZA' check (incident_country ~ '^[A-Z]{2}$'),
  add constraint claims_bill_is_of_a_treatment
    check (bill_number = '' or coalesce(claim_type in ('medical', 'maternity', 'other'), false));
grant update (bill_number, incident_country) on claims to milkwood_scoped;

-- Bill numbers are compared without case, blanks and punctuation.
create index claims_by_bill on claims (lower(regexp_replace(bill_number, '[^[:alnum:]]', '', 'g'))) where bill_number <> '';
-- The latest approved amounts of a benefit, by index-only scan.
create index claims_approved_of_benefit on claims (benefit_id, final_approval_at desc) include (approved_amount_cents, id)
  where final_approval_at is not null;
-- Find the accounts of payees among the payees and nominees of other members.
create index claim_payees_by_account on claim_payees (account_number) where account_number <> '';
create index nominees_by_account on nominees (account_number) where account_number <> '';
