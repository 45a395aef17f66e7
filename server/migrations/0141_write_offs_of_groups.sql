-- What is owed to the day, on the dashboard and the pages of a policy, takes off what was written off: an employer's
-- people read how much of which invoice of theirs, not why or by whom.
grant select (id, group_id, invoice_id, total_cents, written_off_on, reversed_on) on write_offs to milkwood_scoped;
