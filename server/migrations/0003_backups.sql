create table backup_keys (
  id uuid primary key,
  -- The public key (age). The private key is not stored.
  recipient text not null unique check (recipient ~ '^age1[0-9a-z]{50,70}$'),
  made_by uuid,
  made_at timestamptz not null,
  replaced_at timestamptz
);
create unique index backup_keys_one on backup_keys ((true)) where replaced_at is null;
grant select, insert on backup_keys to milkwood_staff;
grant update (replaced_at) on backup_keys to milkwood_staff;

create table backups (
  id uuid primary key,
  key_id uuid not null references backup_keys (id),
  state text not null check (state in ('making', 'made', 'failed', 'removed', 'lost')),
  is_automatic boolean not null,
  asked_by uuid,
  file_name text not null,
  has_database boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  size bigint check (size > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  verified_at timestamptz,
  message text,
  -- The server whose data folder contains the file. Several servers may share a database.
  place text,
  check ((state = 'making') = (finished_at is null)),
  constraint backups_check1
    check (state in ('making', 'failed') or (size is not null and sha256 is not null and verified_at is not null)),
  constraint backups_check2 check ((state = 'failed') = (message is not null))
);
create index backups_newest on backups (started_at desc);
create index backups_key on backups (key_id);
create unique index backups_one on backups ((true)) where state = 'making';
grant select, insert on backups to milkwood_staff;
grant update (state, finished_at, size, sha256, verified_at, message, place) on backups to milkwood_staff;
