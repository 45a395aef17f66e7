-- The days of each statement as its file states them: month end takes the bank's balance of a day from here, and compares
-- statements that overlap.
create table bank_statement_days (
  statement_id uuid not null references bank_statements (id),
  day date not null,
  -- The lines of the day in their order, those that other files had already included.
  amounts bigint[] not null check (cardinality(amounts) > 0),
  -- The balance after the last of them; null where the file states no balances.
  closing_cents bigint,
  -- Of the texts and amounts of the lines; null where they are only known by their amounts.
  digest text,
  primary key (statement_id, day)
);
create trigger bank_statement_days_are_kept before update or delete or truncate on bank_statement_days
  for each statement execute function refuse_change();
grant select, insert on bank_statement_days to milkwood_staff;

-- Statements imported before this: their own lines, and of the lines that were there already as many as they knew, the
-- latest of their days. The balance is the line's where the file stated one, otherwise the opening balance with the lines.
insert into bank_statement_days (statement_id, day, amounts, closing_cents)
select id, day, array_agg(amount_cents order by nth), (array_agg(closing order by nth desc))[1]
from (
  select s.id, l.day, l.amount_cents, row_number() over within as nth,
    coalesce(case when l.statement_id = s.id then l.balance_cents end, s.opening_cents + sum(l.amount_cents) over within) as closing
  from bank_statements s
  cross join lateral (
    select own.* from bank_lines own where own.statement_id = s.id
    union all
    (select known.* from bank_lines known join bank_statements k on k.id = known.statement_id
      where known.account_id = s.account_id and k.number < s.number and known.day between s.from_on and s.to_on
      order by known.day desc, known.line desc, known.id limit s.known_count)
  ) l
  where s.undone_at is null
  window within as (partition by s.id order by l.day, case when l.statement_id = s.id then 1 else 0 end, l.line, l.id)
) lines group by id, day;
