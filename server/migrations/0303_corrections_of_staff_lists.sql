-- What was corrected of a staff list before it is imported: by the line of the file and the column, from 0, the text
-- that counts in place of what stands in the file.
alter table staff_lists add column corrections jsonb not null default '{}' check (jsonb_typeof(corrections) = 'object');
