-- Accounts, their sessions, the links that stand in for a password once, and the attempts to sign in.

create table users (
  id uuid primary key,
  name text not null check (length(name) between 1 and 254),
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  role text check (role in ('admin', 'manager', 'underwriter', 'group_admin', 'policy_holder')),
  disabled_at timestamptz,
  -- A session holds while its epoch is the account's: raising this ends every session in the same transaction.
  session_epoch integer not null default 1,
  last_sign_in_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_by_role on users (role) where disabled_at is null;

create table user_groups (
  user_id uuid not null references users (id) on delete cascade,
  group_id uuid not null,
  primary key (user_id, group_id)
);
create index user_groups_of_group on user_groups (group_id, user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  epoch integer not null,
  started_at timestamptz not null,
  last_active_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- Written by the sign-in library by its own clock; the rules go by started_at and last_active_at.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_age on sessions (started_at);

create table accounts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, provider_id)
);

create table account_links (
  id uuid primary key,
  kind text not null check (kind in ('setup', 'confirmation', 'password_reset', 'invitation')),
  -- SHA-256 of the token: whoever reads this table holds no link.
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
  check (kind <> 'invitation' or (email is not null and role is not null))
);
create index account_links_of_user on account_links (user_id, kind) where used_at is null and revoked_at is null;
create unique index account_links_one_invitation on account_links (email)
  where kind = 'invitation' and used_at is null and revoked_at is null;

-- What is counted to limit guessing. `subject` is a keyed hash of the address typed, known or not.
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

select protect('user_groups');
create policy sign_in on user_groups to milkwood_auth using (true) with check (true);

-- Password hashes and session tokens are seen by the sign-in role alone.
grant select, insert, update, delete on users, sessions, accounts, account_links, sign_in_attempts, user_groups to milkwood_auth;
grant select, update on users to milkwood_staff;
grant select, insert, delete on user_groups to milkwood_staff;
grant select, insert, update on account_links to milkwood_staff;
grant select (id, name, role, email_verified, disabled_at) on users to milkwood_scoped;
grant select on user_groups to milkwood_scoped;
