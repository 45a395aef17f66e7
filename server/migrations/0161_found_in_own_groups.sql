-- Under row-level security only leakproof comparisons reach an index, and LIKE is none: a search of an employer's people
-- compared every key of their groups. These two look through the trigram indexes for them, among the rows of the groups
-- that the transaction may see and no others, and answer ids alone; what is shown of them is read under row-level
-- security as ever.

-- The members of whom any part (`any`), the names (`name`) or what is shown to those who see numbers masked (`shown`)
-- are like one of the patterns; `also` is compared besides, without an index. Whose last names are not between those
-- given, where any are, need not be found.
create function members_found(part text, patterns text[], also text, from_name text, to_name text, at_most bigint)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from members where group_id = any ($1) and search_key like any ($2)'
    || case part
      when 'any' then case when also is null then '' else ' and search_key || '''' like $3' end
      when 'name' then ' and name_key like any ($2)'
      when 'shown' then ' and (name_key like any ($2) or lower(number) like any ($2) or lower(email) like any ($2))'
    end
    || case when from_name is null then '' else ' and last_name_key >= $4' end
    || case when to_name is null then '' else ' and last_name_key <= $5' end
    || ' limit $6'
  using app_groups(), patterns, also, from_name, to_name, at_most;
end $$;

create function claims_found(patterns text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and lower(number) like any ($2) limit $3'
  using app_groups(), patterns, at_most;
end $$;

revoke execute on function members_found, claims_found from public;
grant execute on function members_found, claims_found to milkwood_scoped;
