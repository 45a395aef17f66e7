-- A member is found by the names of their dependents. The readers of employers search the index of all dependents through a
-- function, which answers members of their groups alone, as members_found does.
create index dependents_name_trigrams on dependents using gin (lower(first_name || ' ' || last_name) gin_trgm_ops);

create function members_of_dependents(sought text, also text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select member_id from dependents where group_id = any ($1)
    and lower(first_name || '' '' || last_name) like $2'
    || case when also is null then '' else ' and lower(first_name || '' '' || last_name) like all ($3)' end || ' limit $4'
  using app_groups(), sought, also, at_most;
end $$;
revoke execute on function members_of_dependents from public;
grant execute on function members_of_dependents to milkwood_scoped;
