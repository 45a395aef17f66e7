-- An import joins rows in the transaction that writes them. Autovacuum may have looked meanwhile and counted none, and
-- the planner would walk a hundred thousand rows for each of as many. ANALYZE is the owner's, so it is lent out here.
create function analyze_staff_lists() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze staff_list_rows;
  analyze members;
end $$;
revoke execute on function analyze_staff_lists() from public;
grant execute on function analyze_staff_lists() to milkwood_staff;
