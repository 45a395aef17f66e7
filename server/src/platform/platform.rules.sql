-- Whether a fact was recorded by a moment and not yet superseded; without a moment, whether it is current.
create function is_known(recorded timestamptz, superseded timestamptz, at timestamptz) returns boolean
language sql immutable parallel safe as $$
  select case when at is null then superseded is null
    else recorded <= at and (superseded is null or superseded > at) end
$$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger refuse_change before update or delete or truncate on audit_log execute function refuse_change();
create trigger refuse_change before update or delete or truncate on audit_seals execute function refuse_change();
create trigger refuse_update before update or truncate on person_keys for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on audit_reseals execute function refuse_change();

create function queue_unsealed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed select id from added;
  return null;
end $$;
revoke execute on function queue_unsealed() from public;
create trigger queue_unsealed after insert on audit_log
  referencing new table as added for each statement execute function queue_unsealed();

-- For figures that triggers derive.
create function refuse_derived_figures() returns trigger language plpgsql as $$
begin
  raise exception 'the database maintains these figures of %', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Creates the key on first use. It reads all keys, so only the audit triggers may call it.
create function sealed_for(whose uuid, of_group uuid, value jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  secret bytea;
  iv bytea := gen_random_bytes(16);
begin
  select key into secret from person_keys where person_id = whose;
  if secret is null then
    insert into person_keys (person_id, group_id, key) values (whose, of_group, gen_random_bytes(32)) on conflict do nothing;
    select key into secret from person_keys where person_id = whose;
  end if;
  return jsonb_build_object('person', whose, 'sealed',
    translate(encode(iv || encrypt_iv(convert_to(value::text, 'UTF8'), secret, iv, 'aes-cbc/pad:pkcs'), 'base64'), E'\n', ''));
end $$;
revoke execute on function sealed_for(uuid,uuid,jsonb) from public;

-- Whether a detail contains personal values. The excluded facts contain none and are numerous, such as one per imported
-- member. Each room seals the details of its records, with a trigger on audit_log.
create function holds_personal(fact text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select detail <> '{}'
    and fact not in ('RecordViewed', 'DocumentOpened', 'MedicalDocumentOpened', 'MemberImported', 'PersonFileMade')
$$;

-- Null once the key is deleted.
create function opened(value jsonb) returns jsonb language plpgsql stable parallel safe set search_path = public, pg_temp as $$
declare
  secret bytea;
  whole bytea;
begin
  select key into secret from person_keys where person_id = (value ->> 'person')::uuid;
  if secret is null then return null; end if;
  whole := decode(value ->> 'sealed', 'base64');
  return convert_from(decrypt_iv(substr(whole, 17), secret, substr(whole, 1, 16), 'aes-cbc/pad:pkcs'), 'UTF8')::jsonb;
end $$;

-- `forgotten` means that the key is deleted.
create function opened_detail(detail jsonb) returns jsonb language plpgsql stable parallel safe cost 1000 set search_path = public, pg_temp as $$
begin
  if detail ? 'sealed' then return coalesce(opened(detail), '{"forgotten": true}'); end if;
  if jsonb_typeof(detail -> 'names') = 'array' and detail -> 'names' -> 0 ? 'sealed' then
    return jsonb_set(detail, '{names}', (
      select jsonb_agg(coalesce(opened(name), '"a former member"') order by at)
      from jsonb_array_elements(detail -> 'names') with ordinality names (name, at)));
  end if;
  return detail;
end $$;

-- Whether this transaction makes a member anonymous or deletes old files. Only functions that run as the owner count,
-- so the server's roles cannot claim it.
create function is_forgetting() returns boolean language sql stable as $$
  select current_setting('app.forgetting', true) is not distinct from 'on'
    and current_user not in ('milkwood_staff', 'milkwood_scoped', 'milkwood_auth')
$$;
