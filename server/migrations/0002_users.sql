create table users (
  id uuid primary key,
  name text not null check (length(name) between 1 and 254),
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  role text check (role in ('admin', 'manager', 'underwriter', 'group_admin', 'policy_holder')),
  disabled_at timestamptz,
  -- A session is valid only with this epoch. Raising it ends every session of the user.
  session_epoch integer not null default 1,
  last_sign_in_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  is_program boolean not null default false,
  constraint users_programs_sign_in_nowhere
    check (not is_program or (role is null and not email_verified and disabled_at is not null))
);
alter table settings add foreign key (saved_by) references users (id);
alter table organisation_logo add foreign key (saved_by) references users (id);
alter table mail_server_password add foreign key (saved_by) references users (id);
alter table mail_server_changes add foreign key (asked_by) references users (id);
alter table mail_server_changes add foreign key (decided_by) references users (id);
create index users_by_role on users (role) where disabled_at is null;
create index users_by_name on users (lower(name), id);
create index users_in_order_of_role on users (role, id);
create index users_in_order_of_role_back on users (role nulls first, id);
create index users_by_creation on users (created_at, id);
create index users_by_sign_in on users (last_sign_in_at, id);
create index users_by_sign_in_back on users (last_sign_in_at nulls first, id);
create index users_name_trigrams on users using gin (lower(name) gin_trgm_ops);
create index users_email_trigrams on users using gin (lower(email) gin_trgm_ops);
grant select, update on users to milkwood_staff;
grant select, insert, update on users to milkwood_auth;
grant insert (id, name, email, disabled_at, created_at, updated_at, is_program) on users to milkwood_staff;
grant select (id, name, email_verified, role, disabled_at) on users to milkwood_scoped;

create table user_groups (
  user_id uuid not null references users (id) on delete cascade,
  group_id uuid not null,
  primary key (user_id, group_id)
);
create index user_groups_of_group on user_groups (group_id, user_id);
select protect('user_groups');
create policy sign_in on user_groups to milkwood_auth using (true) with check (true);
grant select, insert, delete on user_groups to milkwood_staff;
grant select on user_groups to milkwood_scoped;
grant select, insert, update, delete on user_groups to milkwood_auth;

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  epoch integer not null,
  started_at timestamptz not null,
  last_active_at timestamptz not null,
  user_agent text,
  -- Only `signed_in` gives access. The others are incomplete sign-ins and password recoveries.
  stage text not null default 'signed_in' check (stage in ('signed_in', 'second_factor', 'enrolment', 'recovery')),
  -- When the user last entered a password or a code.
  proven_at timestamptz not null,
  address text,
  -- Only for programs: aal1 is a password, aal2 also a second factor.
  level text check (level in ('aal1', 'aal2')),
  -- Only for programs: the last code requested.
  challenge uuid,
  challenged_at timestamptz,
  -- A signed token names a program's session by its id. No browser cookie can match this token.
  constraint sessions_of_programs check ((level is not null) = (token = 'program ' || id::text)),
  check (stage <> 'recovery' or level is not null)
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_age on sessions (started_at);
-- Only milkwood_auth reads session tokens.
grant select, insert, update, delete on sessions to milkwood_auth;

create table account_links (
  id uuid primary key,
  kind text not null check (kind in ('setup', 'confirmation', 'password_reset', 'invitation', 'email_change')),
  -- SHA-256 of the token, so that reading the table gives no link.
  token_hash text not null unique,
  user_id uuid references users (id) on delete cascade,
  email text check (email = lower(email)),
  role text check (role in ('admin', 'manager', 'underwriter', 'group_admin', 'policy_holder')),
  group_ids uuid[] not null default '{}',
  created_by uuid references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  check (kind not in ('confirmation', 'password_reset') or user_id is not null),
  constraint account_links_check1 check (kind <> 'invitation' or (email is not null and role is not null)),
  constraint account_links_check2 check (kind <> 'email_change' or (user_id is not null and email is not null))
);
create index account_links_of_user on account_links (user_id, kind) where used_at is null and revoked_at is null;
create unique index account_links_one_invitation on account_links (email)
  where kind = 'invitation' and used_at is null and revoked_at is null;
grant select, insert, update on account_links to milkwood_staff;
grant select, insert, update, delete on account_links to milkwood_auth;

-- Counted to limit guessing. `subject` is a keyed hash of the email address entered, known or not.
create table sign_in_attempts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('password', 'request')),
  at timestamptz not null,
  subject text not null,
  address text not null,
  succeeded boolean not null default false
);
create index sign_in_attempts_of_subject on sign_in_attempts (subject, at);
create index sign_in_attempts_of_address on sign_in_attempts (address, at);
create index sign_in_attempts_by_age on sign_in_attempts (at);
grant select, insert, update, delete on sign_in_attempts to milkwood_auth;

-- A user's saved list settings: search, filters, order and columns.
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  list text not null check (list ~ '^[a-z][a-z-]{0,59}$'),
  name text not null check (name <> '' and length(name) <= 60),
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  columns text[],
  created_at timestamptz not null
);
create unique index saved_views_name on saved_views (user_id, list, lower(name));
alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy own_views on saved_views to milkwood_scoped
  using (user_id = (select app_user())) with check (user_id = (select app_user()));
grant select, insert, update, delete on saved_views to milkwood_staff, milkwood_scoped;

create table passwords (
  user_id uuid primary key references users (id) on delete cascade,
  -- scrypt:cost:blockSize:salt:key
  hash text not null,
  changed_at timestamptz not null
);
grant select, insert, update, delete on passwords to milkwood_auth;

create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted with the key of the data folder (platform/secrets.ts).
  secret text not null,
  -- Null until the first code is entered; the factor is not active before.
  confirmed_at timestamptz,
  -- Half-minute of the last accepted code. That code and older ones are rejected.
  last_step bigint,
  created_at timestamptz not null,
  -- Programs refer to a second factor by id and may name it.
  id uuid not null unique,
  name text check (length(name) between 1 and 100)
);
-- Administrators see which users have one, and delete it for a user who lost it.
grant delete on second_factors to milkwood_staff;
grant select, insert, update, delete on second_factors to milkwood_auth;
grant select (user_id, confirmed_at) on second_factors to milkwood_staff;

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  hash text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
grant select, insert, update, delete on recovery_codes to milkwood_auth;

create table known_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
grant select, insert, update, delete on known_devices to milkwood_auth;

create table refresh_tokens (
  -- SHA-256 of the token, so that reading the table gives no token.
  hash text primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  -- A token works once. A second use ends the session.
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
grant select, insert, update, delete on refresh_tokens to milkwood_auth;

create table signing_keys (
  id uuid primary key,
  -- The published JWK (RFC 7517).
  public_key jsonb not null,
  -- Encrypted with the key of the data folder (platform/secrets.ts).
  private_key text not null,
  signs_from timestamptz not null,
  created_at timestamptz not null
);
grant select, insert, update, delete on signing_keys to milkwood_auth;

create table service_keys (
  id uuid primary key references users (id),
  name text not null check (length(name) between 1 and 100),
  -- A key cannot be an administrator.
  role text not null check (role in ('manager', 'underwriter', 'group_admin', 'policy_holder')),
  -- SHA-256 of the key, so that reading the table gives no key.
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  hint text not null,
  made_by uuid not null references users (id),
  made_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text,
  revoked_at timestamptz,
  revoked_by uuid references users (id),
  check (expires_at > made_at),
  constraint service_keys_check1 check ((revoked_at is null) = (revoked_by is null))
);
create index service_keys_newest on service_keys (made_at desc);
-- Only milkwood_auth reads the hash. The role of a key cannot be updated.
grant insert on service_keys to milkwood_staff;
grant select on service_keys to milkwood_auth;
grant select (
  id, name, role, hint, made_by, made_at, expires_at, last_used_at, last_used_from, revoked_at, revoked_by
) on service_keys to milkwood_staff;
grant update (revoked_at, revoked_by) on service_keys to milkwood_staff;
grant update (last_used_at, last_used_from) on service_keys to milkwood_auth;
