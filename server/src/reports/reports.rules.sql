create function check_custom_report_owner() returns trigger language plpgsql as $$
begin
  if new.owner_id <> old.owner_id or new.id <> old.id then
    raise exception 'a saved report keeps its owner' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_custom_report_owner before update on custom_reports for each row execute function check_custom_report_owner();

create function check_report_run_change() returns trigger language plpgsql as $$
declare
  made text[] := array['state', 'message', 'rows', 'file_id', 'sha256', 'size', 'finished_at'];
  gone text[] := array['file_id', 'file_deleted_at'];
begin
  if old.state = 'done' and new.file_id is null and old.file_id is not null
    and (to_jsonb(old) - gone) is not distinct from (to_jsonb(new) - gone) then
    return new;
  end if;
  if old.state = 'done' or (to_jsonb(old) - made) is distinct from (to_jsonb(new) - made) then
    raise exception 'a generated report is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_report_run_change before update on report_runs for each row execute function check_report_run_change();

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on report_runs for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on report_schedules for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on custom_reports for each statement execute function refuse_change();
create trigger refuse_program before insert or update of owner_id on report_schedules
  for each row execute function refuse_program('owner_id');
