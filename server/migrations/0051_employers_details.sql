alter table employer_groups
  add column registration_number text not null default '',
  add column vat_number text not null default '',
  add column phone text not null default '',
  add column address text not null default '',
  add column postal_address text not null default '',
  add column closed_on date,
  add column closed_reason text check (btrim(closed_reason) <> ''),
  add column version integer not null default 1,
  add constraint employer_groups_closed check ((closed_on is null) = (closed_reason is null));
create index employer_groups_registration_trigrams on employer_groups using gin (lower(registration_number) gin_trgm_ops);
