create extension if not exists pg_trgm;
create extension if not exists btree_gist;
create extension if not exists btree_gin;
create extension if not exists pgcrypto;

revoke all on schema public from public;
grant usage on schema public to milkwood_staff, milkwood_scoped, milkwood_auth;

-- The groups that the actor may see; none unless the transaction sets `app.groups`.
create function app_groups() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.groups', true), ''), '{}')::uuid[]
$$;

create function app_user() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.user', true), '')::uuid
$$;

-- Adds row-level security by group_id, also for the table's owner.
create function protect(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_groups on %s to milkwood_scoped using (group_id = any ((select app_groups())::uuid[])) with check (group_id = any ((select app_groups())::uuid[]))',
    target);
end $$;
revoke execute on function protect(regclass) from public;

-- The id in hexadecimal, as a UUID of version 8.
create function audit_entry(id bigint) returns uuid language sql immutable parallel safe as $$
  select rpad(overlay(overlay(lpad(to_hex(id), 16, '0') placing '8' from 13 for 0) placing '8' from 17 for 0), 32, '0')::uuid
$$;

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text,
  request_id text,
  fact text not null,
  record_kind text not null,
  record_id uuid,
  record_label text not null,
  group_id uuid,
  detail jsonb not null
);
create index audit_log_record on audit_log (record_kind, record_id, id desc);
create index audit_log_group on audit_log (group_id, id desc);
create unique index audit_log_entry on audit_log (audit_entry(id));
create index audit_log_at on audit_log (at desc, audit_entry(id) desc);
create index audit_log_kind on audit_log (record_kind, at desc, audit_entry(id) desc);
create index audit_log_fact on audit_log (fact, at desc, audit_entry(id) desc);
create index audit_log_actor on audit_log (actor_id, at desc, audit_entry(id) desc);
create index audit_log_label on audit_log using gin (lower(record_label) gin_trgm_ops);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy own_groups_read on audit_log for select to milkwood_scoped
  using (group_id = any ((select app_groups())::uuid[]));
create policy own_groups_write on audit_log for insert to milkwood_scoped
  with check (group_id is null or group_id = any ((select app_groups())::uuid[]));
create policy sign_in_write on audit_log for insert to milkwood_auth with check (group_id is null);
grant select, insert on audit_log to milkwood_staff, milkwood_scoped;
grant insert on audit_log to milkwood_auth;

-- A chain: each hash covers an audit row and the previous hash.
create table audit_seals (
  seq bigint primary key,
  audit_id bigint not null unique references audit_log (id),
  hash text not null,
  sealed_at timestamptz not null
);
grant select, insert on audit_seals to milkwood_staff;

create table idempotency_keys (
  actor_id uuid not null,
  procedure text not null,
  key uuid not null,
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (actor_id, procedure, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy own_keys on idempotency_keys to milkwood_scoped
  using (actor_id = (select app_user())) with check (actor_id = (select app_user()));
grant select, insert, update, delete on idempotency_keys to milkwood_staff, milkwood_scoped;

create table number_counters (
  kind text not null,
  year integer not null,
  last bigint not null,
  primary key (kind, year)
);
grant select, insert, update on number_counters to milkwood_staff, milkwood_scoped;

create table files (
  id uuid primary key,
  group_id uuid,
  kind text not null,
  name text not null,
  mime text not null,
  size bigint not null check (size >= 0),
  sha256 text not null,
  storage_name text not null unique,
  uploaded_by uuid,
  created_at timestamptz not null
);
alter table files enable row level security;
alter table files force row level security;
create policy own_files on files to milkwood_scoped
  using (group_id = any ((select app_groups())::uuid[]) or (group_id is null and uploaded_by = (select app_user())))
  with check (group_id = any ((select app_groups())::uuid[]) or (group_id is null and uploaded_by = (select app_user())));
grant select, insert, delete on files to milkwood_staff, milkwood_scoped;

create table mails (
  id uuid primary key,
  group_id uuid,
  to_address text not null,
  subject text not null,
  text_body text not null,
  attachments jsonb not null default '[]',
  about_kind text,
  about_id uuid,
  state text not null check (state in ('queued', 'sent', 'kept', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  secret text,
  -- The change of mail server that this mail announces. The server in use before the change sends it.
  former_of uuid,
  constraint mails_sent_keep_no_secret check (state <> 'sent' or secret is null)
);
create index mails_due on mails (next_attempt_at) where state = 'queued';
create index mails_by_time on mails (created_at, id);
create index mails_by_address on mails (lower(to_address), id);
create index mails_by_subject on mails (lower(subject), id);
create index mails_by_state on mails (state);
create index mails_address_trigrams on mails using gin (lower(to_address) gin_trgm_ops);
create index mails_subject_trigrams on mails using gin (lower(subject) gin_trgm_ops);
create index mails_about on mails (about_id, created_at desc) where about_id is not null;
create index mails_undelivered on mails (about_kind, about_id) where state <> 'sent' and about_id is not null;
alter table mails enable row level security;
alter table mails force row level security;
create policy write_only on mails for insert to milkwood_scoped with check (true);
create policy sign_in_writes on mails for insert to milkwood_auth with check (group_id is null);
grant select, insert, update on mails to milkwood_staff;
grant insert on mails to milkwood_scoped, milkwood_auth;

create table jobs (
  id uuid primary key,
  kind text not null,
  label text not null,
  payload jsonb not null,
  group_id uuid,
  asked_by uuid,
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  done bigint not null default 0,
  total bigint,
  message text,
  result jsonb,
  result_path text,
  attempts integer not null default 0,
  run_at timestamptz not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_open on jobs (run_at) where state in ('queued', 'running');
create index jobs_asked on jobs (asked_by, created_at desc);
alter table jobs enable row level security;
alter table jobs force row level security;
create policy own_jobs on jobs to milkwood_scoped
  using (asked_by = (select app_user())) with check (asked_by = (select app_user()));
grant select, insert, update on jobs to milkwood_staff, milkwood_scoped;

-- A run missed while the server was stopped runs once, late.
create table schedules (
  name text primary key,
  next_run_at timestamptz not null
);
grant select, insert, update on schedules to milkwood_staff;

-- Due at once, so that the first start stores the figures of past months.
insert into schedules (name, next_run_at) values ('figures of the day', '2000-01-01T00:00:00Z');

create table settings (
  key text primary key check (key ~ '^[a-z][A-Za-z]*$'),
  value jsonb not null,
  version integer not null default 1 check (version > 0),
  saved_at timestamptz not null,
  saved_by uuid,
  constraint settings_currency_is_known check (key <> 'currency' or value in ('"ZAR"', '"USD"', '"EUR"'))
);
-- Setup writes the organisation as milkwood_auth, in the transaction that creates the first administrator.
grant select, insert, update on settings to milkwood_staff, milkwood_auth;
grant select on settings to milkwood_scoped;

-- Audit rows without a seal, added on insert. Ids can commit out of order, so the last sealed id does not show what is
-- missing.
create table audit_unsealed (
  audit_id bigint primary key
);
grant select, delete on audit_unsealed to milkwood_staff;

-- Identifies this database. The data folder contains the same id (file "installation"), so that its files and last seal
-- are only used with this database. A dump includes the id. Only the owner reads it.
create table installation (
  id uuid default gen_random_uuid() primary key,
  is_only boolean not null default true unique check (is_only)
);

insert into installation default values;

create table mail_server_password (
  one boolean default true primary key check (one),
  sealed text not null,
  saved_at timestamptz not null,
  saved_by uuid
);
grant select, insert, update, delete on mail_server_password to milkwood_staff;

create table person_keys (
  person_id uuid primary key,
  group_id uuid not null,
  key bytea not null check (octet_length(key) = 32)
);
select protect('person_keys');
grant select on person_keys to milkwood_staff, milkwood_scoped;

-- Records a rebuild of the chain: the last seal of the old chain, and its faults. A data folder's seal of the old chain
-- is recognised by it.
create table audit_reseals (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  rows bigint not null,
  last_seq bigint,
  last_hash text,
  faults bigint not null
);
grant select on audit_reseals to milkwood_staff;

create table mail_server_changes (
  id uuid primary key,
  state text not null check (state in ('waiting', 'applied', 'withdrawn')),
  former jsonb not null,
  former_password text,
  server jsonb not null,
  password text,
  asked_at timestamptz not null,
  asked_by uuid,
  decided_at timestamptz,
  decided_by uuid,
  links_from timestamptz,
  check ((state = 'waiting') = (decided_at is null)),
  constraint mail_server_change_confirmed_or_held check (
    state <> 'applied' or links_from is not null or coalesce(decided_by <> asked_by, false))
);
alter table mails add foreign key (former_of) references mail_server_changes (id);
create unique index mail_server_changes_waiting on mail_server_changes ((true)) where state = 'waiting';
create index mail_server_changes_applied on mail_server_changes (decided_at) where state = 'applied';
grant select, insert, update on mail_server_changes to milkwood_staff;
grant select (state, decided_at, links_from) on mail_server_changes to milkwood_scoped, milkwood_auth;

-- Documents of a mail about several, such as the credit notes of one correction. Its about_id is null.
create table mail_documents (
  mail_id uuid not null references mails (id) on delete cascade,
  document_id uuid not null,
  document_kind text not null check (document_kind in ('credit_note')),
  group_id uuid not null,
  primary key (mail_id, document_id)
);
create index mail_documents_document on mail_documents (document_id, mail_id);
select protect('mail_documents');
grant select, insert on mail_documents to milkwood_staff;

-- At most one row. The image is re-encoded at upload, so it contains no metadata.
create table organisation_logo (
  one boolean primary key default true check (one),
  file_name text not null check (file_name <> ''),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  width integer not null check (width between 1 and 2000),
  height integer not null check (height between 1 and 2000),
  image bytea not null check (octet_length(image) between 1 and 512000),
  saved_at timestamptz not null,
  saved_by uuid
);
grant select, insert, update, delete on organisation_logo to milkwood_staff;
-- Users of employers also generate documents.
grant select on organisation_logo to milkwood_scoped;
