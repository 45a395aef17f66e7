-- The import of a statement is undone as a whole: the statement stays on record, its lines go, and with them what was
-- said of them and taken back. What the ledger knows of a line keeps it.
alter table bank_statements
  add column undone_by uuid,
  add column undone_at timestamptz,
  add constraint bank_statements_undone_by_somebody check ((undone_by is null) = (undone_at is null));

-- The same file may be read again.
alter table bank_statements drop constraint bank_statements_file_once;
create unique index bank_statements_file_once on bank_statements (account_id, sha256) where undone_at is null;

drop trigger bank_statements_are_kept on bank_statements;
create function keep_bank_statement() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null
    or (to_jsonb(old) - array['undone_by', 'undone_at']) is distinct from (to_jsonb(new) - array['undone_by', 'undone_at']) then
    raise exception 'a statement is never changed, only undone once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bank_statements_are_kept before update on bank_statements for each row execute function keep_bank_statement();
create trigger bank_statements_stay before delete or truncate on bank_statements for each statement execute function refuse_change();

-- Lines go with their statement alone, and none that is anything, or that was posted.
drop trigger bank_lines_are_kept on bank_lines;
create trigger bank_lines_are_kept before update or truncate on bank_lines for each statement execute function refuse_change();
drop trigger bank_placements_stay on bank_placements;
create trigger bank_placements_stay before truncate on bank_placements for each statement execute function refuse_change();
drop trigger bank_matches_stay on bank_matches;
create trigger bank_matches_stay before truncate on bank_matches for each statement execute function refuse_change();
drop trigger bank_lessons_are_kept on bank_lessons;
create trigger bank_lessons_are_kept before update or truncate on bank_lessons for each statement execute function refuse_change();
drop trigger bank_declines_are_kept on bank_declines;
create trigger bank_declines_are_kept before update or truncate on bank_declines for each statement execute function refuse_change();

create function goes_with_its_statement() returns trigger language plpgsql as $$
declare
  the_row jsonb := to_jsonb(old);
  the_line uuid := case tg_table_name when 'bank_lines' then (the_row ->> 'id')::uuid
    when 'bank_lessons' then (select line_id from bank_placements where id = (the_row ->> 'placement_id')::uuid)
    else (the_row ->> 'line_id')::uuid end;
begin
  if not exists (select from bank_lines l join bank_statements s on s.id = l.statement_id
      where l.id = the_line and s.undone_at is not null)
    or tg_table_name = 'bank_placements' and (the_row ->> 'undone_at' is null or the_row ->> 'kind' in ('charge', 'interest'))
    or tg_table_name = 'bank_matches' and exists (select from ledger_entries where source = 'receipt-deposit:' || (the_row ->> 'id'))
  then
    raise exception 'what the bank said is never changed' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger bank_lines_go before delete on bank_lines for each row execute function goes_with_its_statement();
create trigger bank_placements_go before delete on bank_placements for each row execute function goes_with_its_statement();
create trigger bank_matches_go before delete on bank_matches for each row execute function goes_with_its_statement();
create trigger bank_lessons_go before delete on bank_lessons for each row execute function goes_with_its_statement();
create trigger bank_declines_go before delete on bank_declines for each row execute function goes_with_its_statement();

grant update (undone_by, undone_at) on bank_statements to milkwood_staff;
grant delete on bank_lines, bank_placements, bank_matches, bank_lessons, bank_declines to milkwood_staff;
