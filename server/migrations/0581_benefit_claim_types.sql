-- The claim types that a benefit pays. Until somebody narrows it, an existing benefit pays all types.
alter table benefits
  add column claim_types text[] not null default array['death', 'disability', 'medical', 'maternity', 'other']
  constraint benefits_claim_types_are_known check (
    cardinality(claim_types) > 0 and claim_types <@ array['death', 'disability', 'medical', 'maternity', 'other']);
