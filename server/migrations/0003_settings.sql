-- The settings of the house, a value a key. A key that nobody saved has its default, which stands in the domain.
-- The version of the settings is the highest version of any key.

create table settings (
  key text primary key check (key ~ '^[a-z][A-Za-z]*$'),
  value jsonb not null,
  version integer not null default 1 check (version > 0),
  saved_at timestamptz not null,
  saved_by uuid references users (id)
);

grant select, insert, update on settings to milkwood_staff;
grant select on settings to milkwood_scoped, milkwood_auth;
-- The setup keeps the organisation in the transaction, of the sign-in role, that makes the first administrator.
grant insert, update on settings to milkwood_auth;
