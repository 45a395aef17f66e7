-- Keys for programs without a person. What a program does is done by an account of its own, so that it stands wherever
-- people stand; nobody can sign in to it, it is given no role, and nobody is told anything through it.

alter table users
  add column is_program boolean not null default false,
  add constraint users_programs_sign_in_nowhere
    check (not is_program or (role is null and not email_verified and disabled_at is not null));

create table service_keys (
  id uuid primary key references users (id),
  name text not null check (length(name) between 1 and 100),
  -- Of the key; an administrator's work is a person's.
  role text not null check (role in ('manager', 'underwriter', 'group_admin', 'policy_holder')),
  -- SHA-256 of the key: whoever reads this table holds none.
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  hint text not null,
  made_by uuid not null references users (id),
  made_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > made_at),
  last_used_at timestamptz,
  last_used_from text,
  revoked_at timestamptz,
  revoked_by uuid references users (id),
  check ((revoked_at is null) = (revoked_by is null))
);
create index service_keys_newest on service_keys (made_at desc);

-- What was revoked is never taken again.
create function keep_revoked() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and (new.revoked_at, new.revoked_by) is distinct from (old.revoked_at, old.revoked_by) then
    raise exception 'a key that was revoked stays revoked' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger service_keys_stay_revoked before update on service_keys for each row execute function keep_revoked();
create trigger service_keys_stay before delete or truncate on service_keys for each statement execute function refuse_change();

-- The hash is read by the sign-in role alone; who makes a key writes it, and nobody changes what a key may do.
grant select on service_keys to milkwood_auth;
grant update (last_used_at, last_used_from) on service_keys to milkwood_auth;
grant insert on service_keys to milkwood_staff;
grant select (id, name, role, hint, made_by, made_at, expires_at, last_used_at, last_used_from, revoked_at, revoked_by)
  on service_keys to milkwood_staff;
grant update (revoked_at, revoked_by) on service_keys to milkwood_staff;
-- Accounts of programs alone: the role and the confirmed address of a person are given by the sign-in role.
grant insert (id, name, email, is_program, disabled_at, created_at, updated_at) on users to milkwood_staff;
