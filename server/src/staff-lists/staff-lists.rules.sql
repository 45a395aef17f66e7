-- Autovacuum may have analysed the empty table, and the planner would join 100,000 new rows by nested loops. Only the
-- owner may run ANALYZE.
create function analyze_staff_lists() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze staff_list_rows;
  analyze members;
end $$;
revoke execute on function analyze_staff_lists() from public;
grant execute on function analyze_staff_lists() to milkwood_staff;
