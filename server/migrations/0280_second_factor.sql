-- A second factor beside the password; what a session has proved and when; which devices an account was signed in on.

alter table sessions
  -- Signed in, or half: after the password, before the second factor or its set-up. Only the first reaches anything.
  add column stage text not null default 'signed_in' check (stage in ('signed_in', 'second_factor', 'enrolment')),
  -- When the person last gave a password or a code.
  add column proven_at timestamptz,
  add column address text;
update sessions set proven_at = started_at;
alter table sessions alter column proven_at set not null;

create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- Sealed with the key of the data folder (platform/secrets.ts).
  secret text not null,
  -- Null until its first code was given: then it is no second factor yet.
  confirmed_at timestamptz,
  -- The half minute of the last code that was taken: none is taken twice, nor an older one.
  last_step bigint,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  hash text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

create table known_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_hash)
);

grant select, insert, update, delete on second_factors, recovery_codes, known_devices to milkwood_auth;
-- Administrators see who has one, and take it away from somebody who lost it.
grant select (user_id, confirmed_at), delete on second_factors to milkwood_staff;

-- Another e-mail address is confirmed by a link, too.
alter table account_links drop constraint account_links_kind_check;
alter table account_links add constraint account_links_kind_check
  check (kind in ('setup', 'confirmation', 'password_reset', 'invitation', 'email_change'));
alter table account_links add check (kind <> 'email_change' or (user_id is not null and email is not null));
