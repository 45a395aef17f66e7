-- A try of a message is on record from its beginning: until when its outcome is waited for, and what came of it once that
-- is known. One whose server died in between stays there as interrupted.
alter table webhook_tries
  alter column ms drop not null,
  add column until timestamptz;
update webhook_tries set until = at;
alter table webhook_tries
  alter column until set not null,
  add check (ms is not null or status is null);
create index webhook_tries_open on webhook_tries (delivery_id, until) where ms is null;

-- What each program is sent next.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, created_at) where state = 'waiting';
