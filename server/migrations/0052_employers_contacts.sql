create table employer_contacts (
  id uuid primary key,
  group_id uuid not null references employer_groups (id) on delete cascade,
  name text not null check (btrim(name) <> ''),
  position text not null default '',
  email text not null default '',
  phone text not null default '',
  cell text not null default '',
  purposes text[] not null
    check (purposes <@ array['invoices', 'statements', 'notices', 'claims', 'staff_lists']),
  version integer not null default 1,
  created_at timestamptz not null,
  unique (id, group_id),
  constraint employer_contacts_address check (email <> '' or purposes = '{}')
);
create unique index employer_contacts_email on employer_contacts (group_id, lower(email)) where email <> '';
create index employer_contacts_group on employer_contacts (group_id);
select protect('employer_contacts');
grant select, insert, update, delete on employer_contacts to milkwood_staff;
grant select on employer_contacts to milkwood_scoped;
