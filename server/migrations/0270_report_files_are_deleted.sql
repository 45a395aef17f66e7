-- Room reports: the files of reports are deleted after a time that the settings say; that they were made, with what they
-- were asked with and their hashes, stays on record.

alter table report_runs add column file_deleted_at timestamptz;

do $$
declare
  name text;
begin
  for name in
    select conname from pg_constraint
    where conrelid = 'report_runs'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%file_id%'
  loop
    execute format('alter table report_runs drop constraint %I', name);
  end loop;
end $$;

alter table report_runs
  add constraint report_runs_made check ((state = 'done') = (sha256 is not null)),
  add constraint report_runs_whole check ((sha256 is null) = (size is null) and (sha256 is null) = (rows is null)),
  add constraint report_runs_file check (
    case when state = 'done' then (file_id is null) = (file_deleted_at is not null) else file_id is null and file_deleted_at is null end);

-- What was made stays as it was made; its file alone goes, once.
create or replace function keep_report_runs() returns trigger language plpgsql as $$
declare
  made text[] := array['state', 'message', 'rows', 'file_id', 'sha256', 'size', 'finished_at'];
  gone text[] := array['file_id', 'file_deleted_at'];
begin
  if old.state = 'done' and new.file_id is null and old.file_id is not null
    and (to_jsonb(old) - gone) is not distinct from (to_jsonb(new) - gone) then
    return new;
  end if;
  if old.state = 'done' or (to_jsonb(old) - made) is distinct from (to_jsonb(new) - made) then
    raise exception 'a report that was made is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create index report_runs_with_file on report_runs (finished_at) where file_id is not null;
