-- A letter never changes, for any role. Only the erasure of a member clears wording, PDF and addresses.
create trigger refuse_change before update or delete on letters for each row
  when (not is_forgetting()) execute function refuse_change();
create trigger refuse_truncate before truncate on letters for each statement execute function refuse_change();
create trigger refuse_change before update or delete on letter_mails for each row
  when (not is_forgetting()) execute function refuse_change();
create trigger refuse_truncate before truncate on letter_mails for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on letter_templates execute function refuse_change();
