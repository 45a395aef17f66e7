create table report_runs (
  id uuid primary key,
  -- Catalogue name, such as premium_billing.
  report text not null check (report ~ '^[a-z_]+$'),
  name text not null check (btrim(name) <> ''),
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- `asked` contains the filters with dates filled in. `words` contains the same as readable text.
  asked jsonb not null,
  words text not null,
  -- The report is made with this user's permissions.
  owner_id uuid not null,
  state text not null check (state in ('making', 'done', 'failed', 'skipped')),
  message text,
  rows integer check (rows >= 0),
  file_id uuid references files (id),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size >= 0),
  asked_at timestamptz not null,
  finished_at timestamptz,
  schedule_id uuid,
  -- The scheduled time; one run per time. Null for manual runs and tests.
  due_at timestamptz,
  is_test boolean not null default false,
  recipients text[] not null default '{}',
  skip_when_empty boolean not null default false,
  custom_report_id uuid,
  file_deleted_at timestamptz,
  check ((state = 'making') = (finished_at is null)),
  constraint report_runs_check3 check (due_at is null or schedule_id is not null),
  constraint report_runs_check4 check (custom_report_id is null or report = 'custom'),
  constraint report_runs_made check ((state = 'done') = (sha256 is not null)),
  constraint report_runs_whole check ((sha256 is null) = (size is null) and (sha256 is null) = (rows is null)),
  constraint report_runs_file check (
    case when state = 'done' then (file_id is null) = (file_deleted_at is not null) else file_id is null and file_deleted_at is null end)
);
create index report_runs_file on report_runs (file_id) where file_id is not null;
create index report_runs_of_owner on report_runs (owner_id, asked_at desc, id desc);
create index report_runs_of_report on report_runs (report, finished_at desc) where state = 'done';
create unique index report_runs_once on report_runs (schedule_id, due_at) where due_at is not null;
create index report_runs_of_schedule on report_runs (schedule_id, asked_at desc) where schedule_id is not null;
create index report_runs_newest on report_runs (asked_at desc, id desc);
create index report_runs_of_custom_report on report_runs (custom_report_id, finished_at desc)
  where custom_report_id is not null;
create index report_runs_with_file on report_runs (finished_at) where file_id is not null;
grant select, insert, update on report_runs to milkwood_staff;

create table report_schedules (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  description text not null default '',
  report text not null check (report ~ '^[a-z_]+$'),
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- Filters; the dates are computed for each run.
  asked jsonb not null default '{}',
  type text not null check (type in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  hour integer not null check (hour between 0 and 23),
  -- Monday is 0.
  day_of_week integer check (day_of_week between 0 and 6),
  day_of_month integer check (day_of_month between 1 and 28),
  recipients text[] not null check (cardinality(recipients) between 1 and 50),
  skip_when_empty boolean not null default false,
  is_active boolean not null default true,
  -- Set if the system paused it, not a user.
  paused_because text,
  failures integer not null default 0 check (failures >= 0),
  next_run_at timestamptz not null,
  last_run_at timestamptz,
  owner_id uuid not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  version integer not null default 1,
  custom_report_id uuid,
  check ((day_of_week is not null) = (type = 'weekly')),
  constraint report_schedules_check1 check ((day_of_month is not null) = (type in ('monthly', 'quarterly', 'yearly'))),
  constraint report_schedules_check2 check (paused_because is null or not is_active),
  constraint report_schedules_check3 check ((report = 'custom') = (custom_report_id is not null))
);
alter table report_runs add foreign key (schedule_id) references report_schedules (id);
create index report_schedules_newest on report_schedules (created_at desc) where deleted_at is null;
create index report_schedules_due on report_schedules (next_run_at) where is_active and deleted_at is null;
create index report_schedules_of_custom_report on report_schedules (custom_report_id) where custom_report_id is not null;
grant select, insert, update on report_schedules to milkwood_staff;

create table custom_reports (
  id uuid primary key,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  description text not null default '',
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- Names of fields, and values to compare. No part of it is inserted into SQL text.
  definition jsonb not null check (
    jsonb_typeof(definition) = 'object'
    and definition ->> 'type' in ('claims', 'members', 'financial', 'groups', 'receipts', 'payments', 'refunds')
  ),
  owner_id uuid not null,
  -- Roles that may open it besides the owner.
  shared_with text[] not null default '{}' check (shared_with <@ array['admin', 'manager', 'underwriter']),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  version integer not null default 1
);
alter table report_runs add foreign key (custom_report_id) references custom_reports (id);
alter table report_schedules add foreign key (custom_report_id) references custom_reports (id);
create index custom_reports_of_owner on custom_reports (owner_id) where deleted_at is null;
grant select, insert, update on custom_reports to milkwood_staff;

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
