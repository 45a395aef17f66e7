-- The audit trail as a list: an id as every list has them, in the order in which the rows were written, and an index for
-- each way it is searched. It grows by millions, and each index costs the commands that write to it a little.

-- Its sixteen digits with the marks of a uuid (version 8, variant 8) between them.
create function audit_entry(id bigint) returns uuid language sql immutable parallel safe as $$
  select rpad(overlay(overlay(lpad(to_hex(id), 16, '0') placing '8' from 13 for 0) placing '8' from 17 for 0), 32, '0')::uuid
$$;

create unique index audit_log_entry on audit_log (audit_entry(id));
create index audit_log_at on audit_log (at desc, audit_entry(id) desc);
create index audit_log_kind on audit_log (record_kind, at desc, audit_entry(id) desc);
create index audit_log_fact on audit_log (fact, at desc, audit_entry(id) desc);
drop index audit_log_actor;
create index audit_log_actor on audit_log (actor_id, at desc, audit_entry(id) desc);
create index audit_log_label on audit_log using gin (lower(record_label) gin_trgm_ops);

-- What each check of the chain found.
create table audit_checks (
  id uuid primary key,
  checked_at timestamptz not null,
  checked_by uuid,
  rows bigint not null check (rows >= 0),
  verified_until timestamptz,
  faults text[] not null
);
create index audit_checks_newest on audit_checks (checked_at desc);
create trigger audit_checks_are_kept before update or delete or truncate on audit_checks execute function refuse_change();
grant select, insert on audit_checks to milkwood_staff;
