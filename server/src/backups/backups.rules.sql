-- Triggers whose function belongs to an earlier room.
create trigger backup_keys_stay before delete or truncate on backup_keys for each statement execute function refuse_change();
create trigger backups_stay before delete or truncate on backups for each statement execute function refuse_change();
