-- What the cards of the dashboard said at the end of each month, by group: kept once a month is over, as its end is looked
-- back at for a year. What comes in later for a day of that month does not change how it ended.

create table dashboard_month_ends (
  month_end date not null check (month_end = (date_trunc('month', month_end) + interval '1 month - 1 day')::date),
  group_id uuid not null references employer_groups (id) on delete cascade,
  active_policies integer not null check (active_policies >= 0),
  total_members integer not null check (total_members >= 0),
  pending_claims integer not null check (pending_claims >= 0),
  outstanding_premiums bigint not null,
  claims_processed integer not null check (claims_processed >= 0),
  overdue_payments integer not null check (overdue_payments >= 0),
  primary key (month_end, group_id)
);
create index dashboard_month_ends_group on dashboard_month_ends (group_id, month_end);

select protect('dashboard_month_ends');
grant select, insert on dashboard_month_ends to milkwood_staff;
grant select on dashboard_month_ends to milkwood_scoped;

-- A year of receipts and of claims is added up by month from these alone.
create index receipts_by_month on receipts (received_on) include (amount_cents) where reversed_at is null;
create index claims_submitted_by_month on claims (submitted_at) include (status, final_approval_at, rejected_at) where status <> 'draft';

-- The months before this one are kept at the next start, not after the next midnight.
insert into schedules (name, next_run_at) values ('figures of the day', '2000-01-01T00:00:00Z');
