create table webhooks (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  url text not null check (url ~ '^https?://' and length(url) <= 2000),
  events text[] not null check (cardinality(events) between 1 and 100),
  -- Encrypted with the key of the data folder (platform/secrets.ts), like old_secret.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  paused_at timestamptz,
  removed_at timestamptz,
  -- Consecutive failures. No message is sent before held_until.
  failures integer not null default 0 check (failures >= 0),
  held_until timestamptz,
  version integer not null default 1,
  made_by uuid not null references users (id),
  made_at timestamptz not null,
  updated_at timestamptz not null,
  check ((old_secret is null) = (old_secret_until is null))
);
-- milkwood_scoped queues messages, but cannot read URLs or messages.
grant select, insert, update on webhooks to milkwood_staff;
grant select (id, events, removed_at) on webhooks to milkwood_scoped;

create table webhook_deliveries (
  -- The message id, sent with every attempt.
  id uuid primary key,
  webhook_id uuid not null references webhooks (id),
  event text not null,
  label text not null,
  -- Sent exactly as stored: ids and numbers, no contents of records.
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0 check (attempts >= 0),
  answer text not null default '',
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'waiting') = (next_attempt_at is not null)),
  constraint webhook_deliveries_check1 check ((state = 'waiting') = (finished_at is null))
);
create index webhook_deliveries_by_time on webhook_deliveries (created_at desc, id desc);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, created_at desc, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (finished_at) where state <> 'waiting';
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, created_at) where state = 'waiting';
grant select, insert, update, delete on webhook_deliveries to milkwood_staff;
grant insert (
  id, webhook_id, event, label, body, state, next_attempt_at, created_at
) on webhook_deliveries to milkwood_scoped;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  ms integer check (ms >= 0),
  status integer,
  said text not null,
  until timestamptz not null,
  check (ms is not null or status is null)
);
create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id);
create index webhook_attempts_open on webhook_attempts (delivery_id, until) where ms is null;
grant select, insert, update, delete on webhook_attempts to milkwood_staff;
