-- One word for a staff list: its tables, what hangs on them, and its jobs. What is on record already stays as it was.

alter table member_imports rename to staff_lists;
alter table member_import_rows rename to staff_list_rows;
alter table member_import_columns rename to staff_list_columns;
alter table staff_list_rows rename column import_id to staff_list_id;

do $$
declare
  found record;
begin
  for found in
    select conrelid::regclass as owner, conname as name from pg_constraint
    where conname like 'member\_import%' and connamespace = 'public'::regnamespace
  loop
    execute format('alter table %s rename constraint %I to %I', found.owner, found.name,
      replace(replace(found.name, 'import_id', 'staff_list_id'), 'member_import', 'staff_list'));
  end loop;
  for found in
    select relname as name from pg_class
    where relname like 'member\_import%' and relkind = 'i' and relnamespace = 'public'::regnamespace
  loop
    execute format('alter index %I rename to %I', found.name, replace(found.name, 'member_import', 'staff_list'));
  end loop;
end $$;

drop function analyze_member_imports();
-- An import joins rows in the transaction that writes them. Autovacuum may have looked meanwhile and counted none, and
-- the planner would walk a hundred thousand rows for each of as many. ANALYZE is the owner's, so it is lent out here.
create function analyze_staff_lists() returns void language plpgsql security definer set search_path = public as $$
begin
  analyze staff_list_rows;
  analyze members;
end $$;
revoke execute on function analyze_staff_lists() from public;
grant execute on function analyze_staff_lists() to milkwood_staff;

alter table jobs no force row level security;
update jobs set kind = 'staffLists.check' where kind = 'members.checkImport';
update jobs set kind = 'staffLists.import' where kind = 'members.commitImport';
alter table jobs force row level security;
