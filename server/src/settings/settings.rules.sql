-- Triggers that run a function of another room.
create trigger refuse_change before update or delete or truncate on audit_checks execute function refuse_change();
