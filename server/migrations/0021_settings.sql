create table audit_checks (
  id uuid primary key,
  checked_at timestamptz not null,
  checked_by uuid,
  rows bigint not null check (rows >= 0),
  verified_until timestamptz,
  faults text[] not null
);
create index audit_checks_newest on audit_checks (checked_at desc);
grant select, insert on audit_checks to milkwood_staff;
