-- When a list was held against its policy: members who were changed since then make its preview out of date.

alter table staff_lists add column checked_at timestamptz;
