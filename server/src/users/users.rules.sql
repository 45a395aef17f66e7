create function check_revocation() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and (new.revoked_at, new.revoked_by) is distinct from (old.revoked_at, old.revoked_by) then
    raise exception 'a revoked key cannot be restored' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_revocation before update on service_keys for each row execute function check_revocation();

-- Refuses service keys in the columns named by the arguments. Unchanged columns are not checked.
create function refuse_program() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
begin
  if exists (select from unnest(tg_argv) said join service_keys k on k.id = (to_jsonb(new) ->> said)::uuid
    where to_jsonb(new) ->> said is distinct from before ->> said
  ) then
    raise exception 'this requires a user, not a service key' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on service_keys for each statement execute function refuse_change();
