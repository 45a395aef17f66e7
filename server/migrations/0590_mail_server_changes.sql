-- Every change of the mail server after the first one that worked. A change waits for a second administrator where
-- there is one. A change that nobody else confirmed holds back the links for signing in until `links_from`.
-- The passwords are sealed like the one in mail_server_password; only staff can read them.

create table mail_server_changes (
  id uuid primary key,
  state text not null check (state in ('waiting', 'applied', 'withdrawn')),
  former jsonb not null,
  former_password text,
  server jsonb not null,
  password text,
  asked_at timestamptz not null,
  asked_by uuid references users (id),
  decided_at timestamptz,
  decided_by uuid references users (id),
  links_from timestamptz,
  check ((state = 'waiting') = (decided_at is null)),
  constraint mail_server_change_confirmed_or_held check (
    state <> 'applied' or links_from is not null or coalesce(decided_by <> asked_by, false))
);
create unique index mail_server_changes_waiting on mail_server_changes ((true)) where state = 'waiting';
create index mail_server_changes_applied on mail_server_changes (decided_at) where state = 'applied';

grant select, insert, update on mail_server_changes to milkwood_staff;
grant select (state, decided_at, links_from) on mail_server_changes to milkwood_auth, milkwood_scoped;

-- The notice of a change is delivered by the server that the change replaces.
alter table mails add column former_of uuid references mail_server_changes (id);
