-- An import joins rows in the transaction that writes them. Autovacuum may have analysed the table while it was empty, and
-- the planner would then join 100,000 rows by nested loops. Only the owner may run ANALYZE, so this function runs as owner.
create function analyze_staff_lists() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze staff_list_rows;
  analyze members;
end $$;
revoke execute on function analyze_staff_lists() from public;
grant execute on function analyze_staff_lists() to milkwood_staff;
