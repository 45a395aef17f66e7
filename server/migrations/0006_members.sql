-- Room members: insured people, the days they are covered, and their dependents.

create table members (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  number text not null unique,
  first_name text not null check (btrim(first_name) <> ''),
  last_name text not null check (btrim(last_name) <> ''),
  id_number text check (id_number ~ '^[0-9]{13}$'),
  passport_number text,
  email text not null default '',
  phone text not null default '',
  address text not null default '',
  date_of_birth date,
  gender text check (gender in ('male', 'female', 'other')),
  employment_status text check (employment_status in ('employed', 'self-employed', 'unemployed', 'retired', 'student')),
  employer text not null default '',
  job_title text not null default '',
  -- The tier and status of today, copies for lists; rules read member_covers.
  tier_id uuid not null references benefit_tiers (id),
  status text not null default 'Pending' check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  start_on date not null,
  -- The last day of membership, known in advance when somebody gives notice.
  end_on date,
  status_reason text,
  -- What the staff list did not hold and somebody still has to ask for.
  to_complete text[] not null default '{}',
  -- What search compares: stored, because lower() is not leakproof and would keep row-level security from the index.
  name_key text not null generated always as (lower(first_name || ' ' || last_name)) stored,
  last_name_key text not null generated always as (lower(last_name)) stored,
  search_key text not null generated always as (
    lower(first_name || ' ' || last_name || E'\n' || number || E'\n' || coalesce(id_number, '') || E'\n'
      || coalesce(passport_number, '') || E'\n' || email)
  ) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (status <> 'Terminated' or end_on is not null)
);
-- One person is once in a policy, unless terminated.
create unique index members_id_number_once on members (policy_id, id_number)
  where id_number is not null and status <> 'Terminated';
create unique index members_passport_once on members (policy_id, lower(passport_number))
  where passport_number is not null and status <> 'Terminated';
create index members_id_number on members (id_number) where id_number is not null;
create index members_policy on members (policy_id, status);
-- Lists walk these in order; the id makes the order total.
create index members_by_name on members (last_name_key, name_key, id);
create index members_by_group on members (group_id, last_name_key, name_key, id);
create index members_status on members (status, last_name_key, name_key, id);
create index members_start on members (start_on, id);
-- Staff search by any part of a name, number or address …
create index members_search on members using gin (search_key gin_trgm_ops);
-- … and scoped readers by their groups first, then by beginnings.
create index members_group_name on members (group_id, name_key text_pattern_ops);
create index members_group_last_name on members (group_id, last_name_key text_pattern_ops);
create index members_group_number on members (group_id, number text_pattern_ops);
create index members_group_id_number on members (group_id, id_number text_pattern_ops);
create index members_tier on members (tier_id);

-- On which days a member was covered, in which tier, and on which suspended. Days without a row are not covered.
-- A change supersedes rows and adds others: true on D are the rows whose range contains D and that are not
-- superseded; known on K are those recorded by K and not superseded by then.
create table member_covers (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  member_id uuid not null,
  tier_id uuid not null references benefit_tiers (id),
  kind text not null check (kind in ('covered', 'suspended')),
  valid daterange not null check (not isempty(valid) and not lower_inf(valid)),
  reason text,
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  exclude using gist (member_id with =, valid with &&) where (superseded_at is null)
);
create index member_covers_policy on member_covers (policy_id, member_id) where superseded_at is null;
create index member_covers_member on member_covers (member_id);
create index member_covers_tier on member_covers (tier_id);

create table dependents (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  first_name text not null check (btrim(first_name) <> ''),
  last_name text not null check (btrim(last_name) <> ''),
  id_number text check (id_number ~ '^[0-9]{13}$'),
  relationship text not null check (relationship in ('spouse', 'child', 'other')),
  date_of_birth date,
  gender text check (gender in ('male', 'female', 'other')),
  position integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade
);
create index dependents_member on dependents (member_id, position);

select protect('members');
select protect('member_covers');
select protect('dependents');

-- A member is deleted only when an import is undone or a draft policy's member is removed.
grant select, insert, update, delete on members, dependents to milkwood_staff, milkwood_scoped;
grant select, insert, delete on member_covers to milkwood_staff, milkwood_scoped;
grant update (superseded_at) on member_covers to milkwood_staff, milkwood_scoped;
