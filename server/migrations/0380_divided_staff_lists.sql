-- A staff list of several policies is divided into one for each: those that came of one file have the division in common.
alter table staff_lists
  add column division_id uuid,
  drop constraint staff_lists_check,
  add constraint staff_lists_have_a_file check (file_id is not null or division_id is not null or status = 'discarded');
create index staff_lists_by_division on staff_lists (division_id) where division_id is not null;
