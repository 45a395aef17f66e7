-- What a staff list says that somebody earns a month. Of a member whose salary differs, `before` keeps the one that was
-- on record under a key of its own, which no trail repeats.
alter table staff_list_rows add column salary_cents bigint check (salary_cents > 0);
