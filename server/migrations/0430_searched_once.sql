-- One or two letters are looked for by a regular expression, which goes through a trigram index once where three LIKE
-- patterns went three times. As in 0161 and 0390, but for what is looked for: a LIKE pattern, which begins with %, or a
-- regular expression.

drop function members_found;
create function members_found(part text, sought text, also text, from_name text, to_name text, at_most bigint)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  has text := case when sought like '\%%' then ' like $2' else ' ~ $2' end;
begin
  return query execute 'select id from members where group_id = any ($1) and search_key' || has
    || case part
      when 'any' then case when also is null then '' else ' and search_key || '''' like $3' end
      when 'name' then ' and name_key' || has
      when 'shown' then ' and (name_key' || has || ' or lower(number)' || has || ' or lower(email)' || has || ')'
    end
    || case when from_name is null then '' else ' and last_name_key >= $4' end
    || case when to_name is null then '' else ' and last_name_key <= $5' end
    || ' limit $6'
  using app_groups(), sought, also, from_name, to_name, at_most;
end $$;

drop function claims_found;
create function claims_found(sought text, at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and lower(number)'
    || case when sought like '\%%' then ' like $2' else ' ~ $2' end || ' limit $3'
  using app_groups(), sought, at_most;
end $$;

drop function claims_named;
create function claims_named(sought text, at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and member_name_key'
    || case when sought like '\%%' then ' like $2' else ' ~ $2' end || ' limit $3'
  using app_groups(), sought, at_most;
end $$;

revoke execute on function members_found, claims_found, claims_named from public;
grant execute on function members_found, claims_found, claims_named to milkwood_scoped;

-- The pending ones stand at the end of all numbers.
create index claims_pending_by_number on claims (number)
  where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder');

-- A reader's members may stand at either end of all numbers, too: those of others are passed over without a look at them.
alter table members drop constraint members_number_key;
alter table members add constraint members_number_key unique (number) include (id, group_id);
