-- Whoever sees a tenth of all members or more, through many groups, is no longer led through their groups one after the
-- other: a name is looked up among all, and those of other groups are passed over. Along the groups a name that the first of
-- them have seldom took ten times as long as another, and with a bound on names the groups' own entries were put beside
-- those of the name for nothing. The table itself is not gone through either: where in it a reader's groups stand is chance.

create or replace function members_found(part text, sought text, also text, from_name text, to_name text, at_most bigint)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  groups constant uuid[] := app_groups();
  is_like constant boolean := sought like '\%%';
  has constant text := case when is_like then ' like $2' else ' ~ $2' end;
  -- One or two letters are met soon in any group, as long as there is no bound; signs alone stand in no index.
  sees_most constant boolean := cardinality(groups) > 10
    and case when is_like then sought ~ '[[:alnum:]]{3}' else from_name is not null or to_name is not null end
    and (select 10 * sum(n) filter (where group_id = any (groups)) > sum(n)
      from (select group_id, pending + active + suspended + terminated as n from member_counts) counted);
begin
  return query execute 'select id from members where '
    -- What no index serves.
    || case when sees_most then 'coalesce(group_id, id)' else 'group_id' end
    || ' = any ($1) and search_key' || has
    || case part
      when 'any' then case when also is null then '' else ' and search_key || '''' like $3' end
      when 'name' then ' and name_key' || has
      when 'shown' then ' and (name_key' || has || ' or lower(number)' || has || ' or lower(email)' || has || ')'
    end
    || case when from_name is null then '' else ' and last_name_key >= $4' end
    || case when to_name is null then '' else ' and last_name_key <= $5' end
    || ' limit $6'
  using groups, sought, also, from_name, to_name, at_most;
end $$;
