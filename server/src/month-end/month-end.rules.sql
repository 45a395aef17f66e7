create function check_month_end_record() returns trigger language plpgsql as $$
declare
  added text[] := case tg_table_name when 'month_excuses' then array['withdrawn_by', 'withdrawn_at']
    when 'held_credits' then array['released_by', 'released_at'] else array['file_id', 'sha256'] end;
  ended text := case tg_table_name when 'month_excuses' then to_jsonb(old) ->> 'withdrawn_at'
    when 'held_credits' then to_jsonb(old) ->> 'released_at' else to_jsonb(old) ->> 'sha256' end;
begin
  if ended is not null or (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) then
    raise exception 'what was said at the end of a month is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_month_end_record before update on month_excuses for each row execute function check_month_end_record();
create trigger check_month_end_record before update on held_credits for each row execute function check_month_end_record();
create trigger check_month_end_record before update on signed_checklists for each row execute function check_month_end_record();

create function refuse_excuse_of_closed_month() returns trigger language plpgsql as $$
begin
  if exists (select from closed_months where month >= new.month and reopened_at is null) then
    raise exception 'the month is closed' using errcode = 'restrict_violation', constraint = 'month_excuses_in_open_month';
  end if;
  return new;
end $$;
create trigger refuse_excuse_of_closed_month before insert or update on month_excuses
  for each row execute function refuse_excuse_of_closed_month();

create function check_signed_reconciliation() returns trigger language plpgsql as $$
declare
  added text[] := array['pdf_file_id', 'pdf_sha256', 'csv_file_id', 'csv_sha256'];
begin
  if old.pdf_file_id is not null or (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) then
    raise exception 'a signed bank reconciliation is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_signed_reconciliation before update on signed_reconciliations
  for each row execute function check_signed_reconciliation();

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on month_excuses for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on held_credits for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on signed_checklists for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on signed_reconciliations
  for each statement execute function refuse_change();
