-- Rating looks a person's row up for every month of every member: the index of the exclusion takes several times as long.
create index rate_rows_person on rate_rows (rate_table_id, person, tier_id);
