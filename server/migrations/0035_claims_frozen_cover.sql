-- Facts by which a claim is judged, stored at submission with the tier, the maximum and the percentage.
alter table claims
  add column cover_product_type_id uuid references product_types (id),
  add column cover_incident_limit_cents bigint check (cover_incident_limit_cents > 0),
  add column cover_year_limit_cents bigint check (cover_year_limit_cents > 0),
  add column cover_year text check (cover_year in ('calendar', 'policy')),
  -- Why the benefit pays nothing for the person.
  add column cover_gap text check (cover_gap in ('product', 'not born', 'person', 'birth date', 'age', 'salary')),
  -- When an approver last accepted facts that were recorded after submission.
  add column cover_accepted_at timestamptz,
  -- Premium standing on the submission day.
  add column premium_standing text check (premium_standing in ('paid', 'in_grace', 'not_due', 'unpaid'));
create index claims_cover_product_type on claims (cover_product_type_id) where cover_product_type_id is not null;
-- Users of an employer submit claims; accepting later facts runs as staff.
grant update (premium_standing) on claims to milkwood_scoped;
