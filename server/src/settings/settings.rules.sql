-- Triggers whose function belongs to an earlier room.
create trigger audit_checks_are_kept before update or delete or truncate on audit_checks execute function refuse_change();
