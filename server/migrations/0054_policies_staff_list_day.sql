-- The day of the month by which the employer sends its staff list; null: none is expected. For an active policy, lists
-- are expected from the day on which that was set.
alter table policies
  add column staff_list_day integer check (staff_list_day between 1 and 28),
  add column staff_lists_from_on date;
create index policies_expecting_staff_lists on policies (id) where staff_list_day is not null;
