-- What one person keeps of a list: its search, filters, order and columns, under a name of their own.
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  list text not null check (list ~ '^[a-z][a-z-]{0,59}$'),
  name text not null check (name <> '' and length(name) <= 60),
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  columns text[],
  created_at timestamptz not null
);
create unique index saved_views_name on saved_views (user_id, list, lower(name));

alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy own_views on saved_views to milkwood_scoped
  using (user_id = (select app_user())) with check (user_id = (select app_user()));
grant select, insert, update, delete on saved_views to milkwood_staff, milkwood_scoped;
