-- The logo on the organisation's documents: one row or none. It is re-encoded at upload, so it contains no metadata.
create table organisation_logo (
  one boolean primary key default true check (one),
  file_name text not null check (file_name <> ''),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  width integer not null check (width between 1 and 2000),
  height integer not null check (height between 1 and 2000),
  image bytea not null check (octet_length(image) between 1 and 512000),
  saved_at timestamptz not null,
  saved_by uuid references users (id)
);
grant select, insert, update, delete on organisation_logo to milkwood_staff;
-- Documents are also made for employers' people.
grant select on organisation_logo to milkwood_scoped;
