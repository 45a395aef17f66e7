-- What the audit trail says of a person is kept under a key of that person: the hash is over what is stored, and once the
-- key is gone nobody reads it any more, while the chain still holds. A person is a member; dependents, claims, payments
-- and refunds are the member's.

create extension if not exists pgcrypto;

create table person_keys (
  person_id uuid primary key,
  group_id uuid not null,
  key bytea not null check (octet_length(key) = 32)
);
create trigger person_keys_stay before update or truncate on person_keys for each statement execute function refuse_change();
select protect('person_keys');
grant select on person_keys to milkwood_staff, milkwood_scoped;

-- Seals a value under the key of a person, and makes the key where there is none yet. Not to be called by anybody but
-- the trail's own trigger: it sees all keys.
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

-- Whose personal values a row of the trail holds: the member, or null where the record is nobody's.
create function person_of(kind text, about uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select case kind
    when 'member' then about
    when 'claim' then (select member_id from claims where id = about)
    when 'refund' then (select member_id from refunds where id = about)
    when 'payout' then (
      -- A refund is paid to whoever paid the premium.
      select coalesce(p.member_id, (select member_id from claims c where c.id = p.subject_id))
      from payouts p where p.id = about)
  end
$$;

-- The detail of a row as it is kept: all of it sealed where it is one person's; where a policy tells whom it was given,
-- each name for its own.
create function kept_detail(fact text, kind text, about uuid, of_group uuid, detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  whose uuid;
begin
  if fact in ('MembersAdded', 'MembersRemoved') then
    if of_group is null or jsonb_typeof(detail -> 'names') is distinct from 'array' then return detail; end if;
    return jsonb_set(detail, '{names}', coalesce((
      select jsonb_agg(case when name ? 'id' then sealed_for((name ->> 'id')::uuid, of_group, name -> 'name') else name end order by at)
      from jsonb_array_elements(detail -> 'names') with ordinality names (name, at)), '[]'));
  end if;
  whose := person_of(kind, about);
  if whose is null then return detail; end if;
  if of_group is null then select group_id into of_group from members where id = whose; end if;
  return case when of_group is null then detail else sealed_for(whose, of_group, detail) end;
end $$;

create function seal_personal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.detail := kept_detail(new.fact, new.record_kind, new.record_id, new.group_id, new.detail);
  return new;
end $$;
revoke execute on function sealed_for, person_of, kept_detail, seal_personal from public;

-- Left as they are: facts that hold nothing of the person, of which an import writes one a member, and reading one a look.
create function holds_personal(fact text, kind text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select fact in ('MembersAdded', 'MembersRemoved') or kind in ('member', 'claim', 'payout', 'refund') and detail <> '{}'
    and fact not in ('RecordViewed', 'DocumentOpened', 'MedicalDocumentOpened', 'MemberImported', 'PersonFileMade')
$$;
create trigger audit_log_is_sealed_for_people before insert on audit_log for each row
  when (holds_personal(new.fact, new.record_kind, new.detail)) execute function seal_personal();

-- A sealed value as it was, null once its key is gone.
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

-- The detail of a row as it was recorded. `forgotten` says that a key is gone, and what is left is all there is.
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

-- The chain was sealed anew, once: what it was before, and whether it was whole. The seal that a data folder kept of the
-- old chain is known by it.
create table audit_reseals (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  rows bigint not null,
  last_seq bigint,
  last_hash text,
  faults bigint not null
);
create trigger audit_reseals_are_kept before update or delete or truncate on audit_reseals execute function refuse_change();
grant select on audit_reseals to milkwood_staff;

do $$
declare
  seal record;
  before text := '';
  place bigint := 0;
  wrong bigint := 0;
  sealed bigint := 0;
begin
  if not exists (select from audit_log) then return; end if;
  for seal in
    select s.seq, s.hash, a.id, jsonb_build_array(a.id, extract(epoch from a.at)::text, a.actor_id, a.actor_name, a.actor_role, a.request_id,
      a.fact, a.record_kind, a.record_id, a.record_label, a.group_id, a.detail)::text as text
    from audit_seals s left join audit_log a on a.id = s.audit_id order by s.seq
  loop
    if seal.seq <> place + 1 or seal.id is null
      or seal.hash <> encode(sha256(convert_to(before || E'\n' || seal.text, 'UTF8')), 'hex') then wrong := wrong + 1; end if;
    before := seal.hash;
    place := seal.seq;
    sealed := sealed + 1;
  end loop;
  insert into audit_reseals (at, rows, last_seq, last_hash, faults)
    values (statement_timestamp(), sealed, nullif(place, 0), nullif(before, ''), wrong);
  alter table audit_log disable trigger audit_log_is_kept;
  update audit_log a set detail = kept_detail(a.fact, a.record_kind, a.record_id, a.group_id, a.detail)
    where holds_personal(a.fact, a.record_kind, a.detail);
  -- Names of which nobody knows any more whose they are.
  update audit_log set detail = jsonb_set(detail, '{names}', '[]')
    where fact in ('MembersAdded', 'MembersRemoved') and jsonb_typeof(detail -> 'names' -> 0) = 'string';
  -- What was said of drafts of claims that were withdrawn: nobody knows any more whose they were.
  update audit_log a set detail = '{}'
    where record_kind = 'claim' and detail <> '{}' and not exists (select from claims c where c.id = a.record_id);
  alter table audit_log enable trigger audit_log_is_kept;
  alter table audit_seals disable trigger audit_seals_are_kept;
  delete from audit_seals;
  alter table audit_seals enable trigger audit_seals_are_kept;
  insert into audit_unsealed select id from audit_log on conflict do nothing;
  insert into audit_log (at, actor_name, actor_role, fact, record_kind, record_label, detail)
    values (statement_timestamp(), 'Milkwood', 'system', 'TrailSealedAnew', 'audit_trail', 'Audit trail',
      jsonb_build_object('rows', sealed, 'faults', wrong));
end $$;
