-- Several servers may share a database and a storage of documents, each with a data folder of its own: a backup lies in
-- that of the server that made it.
alter table backups add column place text;
grant update (place) on backups to milkwood_staff;
