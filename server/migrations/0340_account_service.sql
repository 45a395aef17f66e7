-- The account service for programs: sessions carried by signed tokens, the keys that sign them, the refresh tokens that
-- succeed one another.

alter table sessions drop constraint sessions_stage_check;
alter table sessions
  -- "recovery": of a program, by a mailed link, until the new password is set.
  add constraint sessions_stage_check check (stage in ('signed_in', 'second_factor', 'enrolment', 'recovery')),
  -- Of programs alone: by the password (aal1), or by a second factor as well (aal2).
  add column level text check (level in ('aal1', 'aal2')),
  -- Of programs: the code that was last asked for, and when.
  add column challenge uuid,
  add column challenged_at timestamptz,
  -- A program's session is found by its id, which its signed token names; no browser's cookie can stand for it.
  add constraint sessions_of_programs check ((level is not null) = (token = 'program ' || id::text)),
  add check (stage <> 'recovery' or level is not null);

create table refresh_tokens (
  -- SHA-256 of the token: whoever reads this table holds none.
  hash text primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  -- Each works once. Whoever brings one again ends the session.
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);

create table signing_keys (
  id uuid primary key,
  -- As it is published (RFC 7517).
  public_key jsonb not null,
  -- Sealed with the key of the data folder (platform/secrets.ts).
  private_key text not null,
  signs_from timestamptz not null,
  created_at timestamptz not null
);

grant select, insert, update, delete on refresh_tokens, signing_keys to milkwood_auth;

-- Programs name a second factor by an id of its own, and may call it by a name.
alter table second_factors add column id uuid, add column name text check (length(name) between 1 and 100);
update second_factors set id = gen_random_uuid();
alter table second_factors alter column id set not null, add unique (id);
