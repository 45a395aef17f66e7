-- Credit notes are papers of their own: a PDF, made once the note is issued and then kept, and whom it was mailed to.
alter table credit_notes
  add column pdf_file_id uuid references files (id),
  -- Whom it was to be mailed to when it was issued; empty where it was issued without mail.
  add column mail_to text not null default '';

-- Of a credit note its paper alone comes later, once.
drop trigger credit_notes_are_kept on credit_notes;
create function keep_credit_note() returns trigger language plpgsql as $$
begin
  if old.pdf_file_id is not null or (to_jsonb(old) - 'pdf_file_id') is distinct from (to_jsonb(new) - 'pdf_file_id') then
    raise exception 'a credit note is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger credit_notes_are_kept before update on credit_notes for each row execute function keep_credit_note();
create trigger credit_notes_stay before delete or truncate on credit_notes execute function refuse_change();
grant update (pdf_file_id) on credit_notes to milkwood_staff;

-- The orders of their list, and what it is searched by.
create index credit_notes_newest on credit_notes (created_at, number, id);
create index credit_notes_by_day on credit_notes (credited_on, id);
create index credit_notes_by_amount on credit_notes (total_cents, id);
create index credit_notes_group on credit_notes (group_id, created_at desc);
create index credit_notes_number_trigrams on credit_notes using gin (lower(number) gin_trgm_ops);
create index credit_notes_group_number on credit_notes (group_id, number text_pattern_ops);

-- What did not reach its recipient, by what it was sent about.
create index mails_undelivered on mails (about_kind, about_id) where state <> 'sent' and about_id is not null;
