-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on backup_keys for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on backups for each statement execute function refuse_change();
