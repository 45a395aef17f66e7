-- A statement without lines is kept for its balances: the account had no movement in its period.
alter table bank_statements drop constraint bank_statements_new_count_check;
alter table bank_statements add constraint bank_statements_new_count_check check (new_count >= 0);

-- No line is larger than a receipt may be: sums of lines stay within what a number holds exactly. Lines that are stored
-- already stay as the bank wrote them.
alter table bank_lines add constraint bank_lines_within_bounds check (abs(amount_cents) <= 10000000000000) not valid;
