-- Triggers whose function belongs to an earlier room.
create trigger premium_contacts_are_kept before update or delete or truncate on premium_contacts
  for each statement execute function refuse_change();
create trigger premium_calendar_is_kept before update or delete or truncate on premium_calendar
  for each statement execute function refuse_change();
