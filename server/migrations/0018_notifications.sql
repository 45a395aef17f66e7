create table notifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Null: concerns the insurer, not a group.
  group_id uuid references employer_groups (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  record_kind text not null,
  record_id uuid not null,
  record_label text not null,
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  -- A user is notified once per key, also after the notification is read or done.
  once_key text,
  channel text not null check (channel in ('product', 'mail', 'digest')),
  at timestamptz not null,
  read_at timestamptz,
  -- Set when the task is done.
  done_at timestamptz,
  mailed_at timestamptz
);
-- No duplicate while the first is unread.
create unique index notifications_open on notifications (user_id, kind, record_id)
  where read_at is null and done_at is null and once_key is null;
create index notifications_unread on notifications (user_id, id desc) where read_at is null and done_at is null;
create unique index notifications_once on notifications (user_id, once_key) where once_key is not null;
create index notifications_of_person on notifications (user_id, id desc);
create index notifications_not_done on notifications (record_id, kind) where done_at is null;
create index notifications_to_mail on notifications (channel, id)
  where channel <> 'product' and mailed_at is null and read_at is null and done_at is null;
create index notifications_by_age on notifications (at);
alter table notifications enable row level security;
alter table notifications force row level security;
create policy tells on notifications for insert to milkwood_scoped
  with check (group_id = any ((select app_groups())::uuid[]));
create policy own_notifications on notifications for select to milkwood_scoped
  using (user_id = (select app_user()) and (group_id is null or group_id = any ((select app_groups())::uuid[])));
create policy own_read on notifications for update to milkwood_scoped
  using (user_id = (select app_user()) and (group_id is null or group_id = any ((select app_groups())::uuid[])));
grant select, insert, update, delete on notifications to milkwood_staff;
grant select, insert on notifications to milkwood_scoped;
grant update (read_at, done_at) on notifications to milkwood_scoped;

create table notification_choices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  channel text not null check (channel in ('product', 'mail', 'digest', 'none')),
  primary key (user_id, kind)
);
alter table notification_choices enable row level security;
alter table notification_choices force row level security;
-- A command reads the choices of other users in order to notify them.
create policy asked on notification_choices for select to milkwood_scoped using (true);
create policy own_choices on notification_choices to milkwood_scoped
  using (user_id = (select app_user())) with check (user_id = (select app_user()));
grant select, insert, update on notification_choices to milkwood_staff, milkwood_scoped;
