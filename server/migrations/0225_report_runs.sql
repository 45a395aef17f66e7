-- Room reports: every report that was made, with what it was asked with and the hash of what came out.

create table report_runs (
  id uuid primary key,
  -- Its name in the catalogue: premium_billing.
  report text not null check (report ~ '^[a-z_]+$'),
  name text not null check (btrim(name) <> ''),
  format text not null check (format in ('pdf', 'excel', 'csv')),
  -- As the report's list is asked, dates filled in; and the same as people read it.
  asked jsonb not null,
  words text not null,
  -- With whose rights it is made.
  owner_id uuid not null,
  state text not null check (state in ('making', 'done', 'failed')),
  message text,
  rows integer check (rows >= 0),
  file_id uuid references files (id),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size >= 0),
  asked_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'making') = (finished_at is null)),
  check ((state = 'done') = (file_id is not null)),
  check ((file_id is null) = (sha256 is null) and (file_id is null) = (size is null) and (file_id is null) = (rows is null))
);
create index report_runs_of_owner on report_runs (owner_id, asked_at desc, id desc);
create index report_runs_of_report on report_runs (report, finished_at desc) where state = 'done';

-- What was made stays as it was made.
create function keep_report_runs() returns trigger language plpgsql as $$
declare
  made text[] := array['state', 'message', 'rows', 'file_id', 'sha256', 'size', 'finished_at'];
begin
  if old.state = 'done' or (to_jsonb(old) - made) is distinct from (to_jsonb(new) - made) then
    raise exception 'a report that was made is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger report_runs_are_kept before update on report_runs for each row execute function keep_report_runs();
create trigger report_runs_stay before delete or truncate on report_runs for each statement execute function refuse_change();

grant select, insert, update on report_runs to milkwood_staff;
