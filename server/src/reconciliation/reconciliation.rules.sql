-- Triggers that call functions of other rooms.
create trigger refuse_change before update or delete or truncate on month_resolutions
  for each statement execute function refuse_change();
