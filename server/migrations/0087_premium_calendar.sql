-- What premium collection does by itself once a month: one row a task and month, written in the transaction that does it.

create table premium_calendar (
  task text not null check (task in ('reminders', 'alerts')),
  month date not null check (month = date_trunc('month', month)),
  due_on date not null,
  outcome text not null check (outcome in ('run', 'leave', 'begin')),
  done_at timestamptz not null,
  primary key (task, month)
);
create trigger premium_calendar_is_kept before update or delete or truncate on premium_calendar
  for each statement execute function refuse_change();
grant select, insert on premium_calendar to milkwood_staff;
