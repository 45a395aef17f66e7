-- Members are numbered by a sequence: whoever adds one does not wait for an import. Gaps are allowed.
create sequence member_numbers;
select setval('member_numbers', last) from number_counters where kind = 'member' and last > 0;
delete from number_counters where kind = 'member';
grant usage on sequence member_numbers to milkwood_staff, milkwood_scoped;
