-- Room reports: reports of people's own, kept under a name, shared and scheduled.

create table custom_reports (
  id uuid primary key,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  description text not null default '',
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- Names of fields and values to compare with; nothing of it becomes part of a statement.
  definition jsonb not null check (
    jsonb_typeof(definition) = 'object' and definition ->> 'type' in ('claims', 'members', 'financial', 'groups')),
  owner_id uuid not null,
  -- The roles that may open it beside its owner.
  shared_with text[] not null default '{}' check (shared_with <@ array['admin', 'manager', 'underwriter']),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  version integer not null default 1
);
create index custom_reports_of_owner on custom_reports (owner_id) where deleted_at is null;
create trigger custom_reports_stay before delete or truncate on custom_reports for each statement execute function refuse_change();
grant select, insert, update on custom_reports to milkwood_staff;

-- Whose a report is does not change.
create function keep_custom_report_owner() returns trigger language plpgsql as $$
begin
  if new.owner_id <> old.owner_id or new.id <> old.id then
    raise exception 'a saved report stays its owner''s' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger custom_reports_keep_owner before update on custom_reports for each row execute function keep_custom_report_owner();

alter table report_schedules
  add column custom_report_id uuid references custom_reports (id),
  add check ((report = 'custom') = (custom_report_id is not null));
create index report_schedules_of_custom_report on report_schedules (custom_report_id) where custom_report_id is not null;

alter table report_runs
  add column custom_report_id uuid references custom_reports (id),
  add check (custom_report_id is null or report = 'custom');
create index report_runs_of_custom_report on report_runs (custom_report_id, finished_at desc)
  where custom_report_id is not null;
