-- ID numbers of members of several groups are computed by their report. The index has all that it reads to find them.
drop table shared_id_numbers;
drop index members_id_number;
create index members_id_number on members (id_number, group_id) include (status) where id_number is not null;
