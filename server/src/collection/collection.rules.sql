-- Triggers that call functions of other rooms.
create trigger refuse_change before update or delete or truncate on premium_contacts
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete or truncate on premium_calendar
  for each statement execute function refuse_change();
