-- Room reports: schedules, and their runs among the reports that were made.

create table report_schedules (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  description text not null default '',
  report text not null check (report ~ '^[a-z_]+$'),
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- Its filters; the dates are those before each run.
  asked jsonb not null default '{}',
  type text not null check (type in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  hour integer not null check (hour between 0 and 23),
  -- Monday is 0.
  day_of_week integer check (day_of_week between 0 and 6),
  day_of_month integer check (day_of_month between 1 and 28),
  recipients text[] not null check (cardinality(recipients) between 1 and 50),
  skip_when_empty boolean not null default false,
  is_active boolean not null default true,
  -- Why it stands still, where nobody paused it.
  paused_because text,
  failures integer not null default 0 check (failures >= 0),
  next_run_at timestamptz not null,
  last_run_at timestamptz,
  owner_id uuid not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  version integer not null default 1,
  check ((day_of_week is not null) = (type = 'weekly')),
  check ((day_of_month is not null) = (type in ('monthly', 'quarterly', 'yearly'))),
  check (paused_because is null or not is_active)
);
create index report_schedules_newest on report_schedules (created_at desc) where deleted_at is null;
create index report_schedules_due on report_schedules (next_run_at) where is_active and deleted_at is null;
create trigger report_schedules_stay before delete or truncate on report_schedules for each statement execute function refuse_change();
grant select, insert, update on report_schedules to milkwood_staff;

alter table report_runs
  add column schedule_id uuid references report_schedules (id),
  -- The time of the schedule that it is for; one run a time, whatever happens. Runs by hand and tests have none.
  add column due_at timestamptz,
  add column is_test boolean not null default false,
  add column recipients text[] not null default '{}',
  add column skip_when_empty boolean not null default false,
  drop constraint report_runs_state_check,
  add constraint report_runs_state_check check (state in ('making', 'done', 'failed', 'skipped')),
  add check (due_at is null or schedule_id is not null);
create unique index report_runs_once on report_runs (schedule_id, due_at) where due_at is not null;
create index report_runs_of_schedule on report_runs (schedule_id, asked_at desc) where schedule_id is not null;
