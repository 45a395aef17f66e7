-- The report of dependents is read in pages, in the order of their names too.
create index dependents_by_name on dependents (lower(first_name || ' ' || last_name), id);
