-- What was read of a list, kept until it is imported or discarded: it is checked from there, and not read again.

alter table staff_lists add column rows_file_id uuid references files (id);
