-- What every room stands on: scope of row-level security, audit, files, mail, jobs, numbers, idempotency.

create extension if not exists pg_trgm;
create extension if not exists btree_gist;

revoke all on schema public from public;
grant usage on schema public to milkwood_staff, milkwood_scoped, milkwood_auth;

-- The groups that the actor of this transaction may see; none unless the transaction said so.
create function app_groups() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.groups', true), ''), '{}')::uuid[]
$$;

create function app_user() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.user', true), '')::uuid
$$;

-- Puts a table with a group_id under row-level security, also for its owner.
create function protect(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_groups on %s to milkwood_scoped using (group_id = any ((select app_groups())::uuid[])) with check (group_id = any ((select app_groups())::uuid[]))',
    target);
end $$;
revoke execute on function protect(regclass) from public;

-- Raises: what is written once stays as it was written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;

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
create index audit_log_actor on audit_log (actor_id, id desc);
create trigger audit_log_is_kept before update or delete or truncate on audit_log execute function refuse_change();
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy own_groups_read on audit_log for select to milkwood_scoped
  using (group_id = any ((select app_groups())::uuid[]));
create policy own_groups_write on audit_log for insert to milkwood_scoped
  with check (group_id is null or group_id = any ((select app_groups())::uuid[]));
grant select, insert on audit_log to milkwood_staff, milkwood_scoped;
grant insert on audit_log to milkwood_auth;
create policy sign_in_write on audit_log for insert to milkwood_auth with check (group_id is null);

-- One seal a row, chained: the hash of a row covers the row and the hash before it.
create table audit_seals (
  seq bigint primary key,
  audit_id bigint not null unique references audit_log (id),
  hash text not null,
  sealed_at timestamptz not null
);
create trigger audit_seals_are_kept before update or delete or truncate on audit_seals execute function refuse_change();
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
  html_body text,
  attachments jsonb not null default '[]',
  about_kind text,
  about_id uuid,
  state text not null check (state in ('queued', 'sent', 'kept', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_due on mails (next_attempt_at) where state = 'queued';
create index mails_newest on mails (created_at desc, id);
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

-- When each recurring job runs next; a run missed while the house was closed runs once, late.
create table schedules (
  name text primary key,
  next_run_at timestamptz not null
);
grant select, insert, update on schedules to milkwood_staff;
