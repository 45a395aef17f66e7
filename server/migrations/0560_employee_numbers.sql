-- Members have the number under which the employer's payroll knows them. A policy has it once among members who have not
-- left. Members are found by it, like by their other numbers.
alter table members add column employee_number text not null default '' check (length(employee_number) <= 40);
create unique index members_employee_number_once on members (policy_id, lower(employee_number))
  where employee_number <> '' and status <> 'Terminated';
create index members_by_employee_number on members (employee_number, id) include (group_id);

-- Dropping the column drops the index that holds it.
alter table members drop column search_key;
alter table members add column search_key text not null generated always as (
  lower(first_name || ' ' || last_name || E'\n' || number || E'\n' || employee_number || E'\n' || coalesce(id_number, '')
    || E'\n' || coalesce(passport_number, '') || E'\n' || email || E'\n'
    || regexp_replace(translate(phone, ' ()-', ''), '^\+27', '0'))
) stored;
create index members_search on members using gin (last_name_key, search_key gin_trgm_ops);

-- An anonymous member keeps no number of the employer's.
create function forget_employee_number() returns trigger language plpgsql as $$
begin
  new.employee_number := '';
  return new;
end $$;
create trigger members_forget_employee_number before update of forgotten_on on members
  for each row when (old.forgotten_on is null and new.forgotten_on is not null) execute function forget_employee_number();

alter table staff_list_rows add column employee_number text;

-- As in 0510, but with several words in any order: the longest is looked up in the index, the others (`also`, LIKE
-- patterns) are compared. The employee number is one of the numbers that nobody masks.
drop function members_found;
create function members_found(part text, sought text, also text[], from_name text, to_name text, at_most bigint)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  groups constant uuid[] := app_groups();
  is_like constant boolean := sought like '\%%';
  has constant text := case when is_like then ' like $2' else ' ~ $2' end;
  -- As in 0510.
  sees_most constant boolean := cardinality(groups) > 10
    and case when is_like then sought ~ '[[:alnum:]]{3}' else from_name is not null or to_name is not null end
    and (select 10 * sum(n) filter (where group_id = any (groups)) > sum(n)
      from (select group_id, pending + active + suspended + terminated as n from member_counts) counted);
  shown constant text := '(name_key || E''\n'' || lower(number) || E''\n'' || lower(employee_number) || E''\n'' || lower(email))';
begin
  return query execute 'select id from members where '
    -- Not served by an index, so that the groups are not gone through one after the other.
    || case when sees_most then 'coalesce(group_id, id)' else 'group_id' end
    || ' = any ($1) and search_key' || has
    || case part when 'any' then '' when 'name' then ' and name_key' || has when 'shown' then ' and ' || shown || has end
    || case when also is null then '' else
        case part when 'any' then ' and search_key || ''''' when 'name' then ' and name_key || ''''' when 'shown' then ' and ' || shown end
        || ' like all ($3)' end
    || case when from_name is null then '' else ' and last_name_key >= $4' end
    || case when to_name is null then '' else ' and last_name_key <= $5' end
    || ' limit $6'
  using groups, sought, also, from_name, to_name, at_most;
end $$;
revoke execute on function members_found from public;
grant execute on function members_found to milkwood_scoped;

-- As in 0440, with several words in any order.
drop function claims_named;
create function claims_named(sought text, also text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set enable_indexonlyscan = off as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and member_name_key'
    || case when sought like '\%%' then ' like $2' else ' ~ $2' end
    || case when also is null then '' else ' and member_name_key like all ($3)' end || ' limit $4'
  using app_groups(), sought, also, at_most;
end $$;
revoke execute on function claims_named from public;
grant execute on function claims_named to milkwood_scoped;
