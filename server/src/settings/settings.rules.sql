-- Triggers that call functions of other rooms.
create trigger refuse_change before update or delete or truncate on audit_checks execute function refuse_change();
