-- Room members: staff lists, their rows as they were checked, and each group's columns.

create table member_imports (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- Null once the list was discarded: its file is thrown away.
  file_id uuid references files (id),
  file_name text not null,
  extension text not null check (extension in ('csv', 'xlsx', 'xls')),
  status text not null check (status in
    ('uploaded', 'checking', 'ready', 'committing', 'completed', 'undone', 'failed', 'discarded')),
  -- How the file was read: its columns, where they stand, what was passed over, and the first rows for the mapping.
  headers text[] not null,
  header_line integer not null,
  sheet text,
  notes text[] not null default '{}',
  sample jsonb not null,
  mapping jsonb not null,
  -- What rows that name no tier and no start date get, settled when the list was checked.
  default_tier_id uuid references benefit_tiers (id),
  default_start_on date,
  row_count integer not null,
  ready_count integer not null default 0,
  warning_count integer not null default 0,
  error_count integer not null default 0,
  joiner_count integer not null default 0,
  change_count integer not null default 0,
  unchanged_count integer not null default 0,
  leaver_count integer not null default 0,
  -- What was asked for at the commit, and what was done.
  apply_changes boolean not null default true,
  changes_on date,
  leavers_on date,
  added_count integer not null default 0,
  changed_count integer not null default 0,
  ended_count integer not null default 0,
  job_id uuid references jobs (id),
  failure text,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  committed_by uuid references users (id),
  committed_at timestamptz,
  undone_by uuid references users (id),
  undone_at timestamptz,
  version integer not null default 1,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (file_id is not null or status = 'discarded')
);
create index member_imports_group on member_imports (group_id, created_at desc);
create index member_imports_newest on member_imports (created_at desc, id);
create index member_imports_policy on member_imports (policy_id);

-- A row of the list, numbered from 1, in its order; leavers, whom the list does not name, are numbered after them.
create table member_import_rows (
  import_id uuid not null,
  group_id uuid not null,
  row integer not null check (row > 0),
  line integer,
  status text not null check (status in ('ready', 'warning', 'error')),
  outcome text check (outcome in ('joiner', 'change', 'unchanged', 'leaver')),
  problems jsonb,
  -- The row as the file has it, kept for refused rows alone: they go back to whoever sent them.
  cells text[],
  -- Made when the row is checked, so that a commit that is begun again makes the same members.
  member_id uuid,
  -- Of the member it changes or ends: the version that was seen, and what was replaced.
  member_version integer,
  before jsonb,
  first_name text,
  last_name text,
  id_number text,
  passport_number text,
  email text,
  phone text,
  address text,
  date_of_birth date,
  gender text,
  employment_status text,
  employer text,
  job_title text,
  tier_id uuid,
  start_on date,
  primary key (import_id, row),
  foreign key (import_id, group_id) references member_imports (id, group_id) on delete cascade,
  check ((status = 'error') = (outcome is null)),
  check (outcome is null or member_id is not null)
);

-- The header that a group's lists use for each field, proposed for its next list.
create table member_import_columns (
  group_id uuid primary key references employer_groups (id) on delete cascade,
  mapping jsonb not null,
  updated_at timestamptz not null
);

select protect('member_imports');
select protect('member_import_rows');
select protect('member_import_columns');

grant select, insert, update on member_imports, member_import_columns to milkwood_staff, milkwood_scoped;
grant select, insert, update, delete on member_import_rows to milkwood_staff, milkwood_scoped;

-- An import joins rows in the transaction that writes them. Autovacuum may have looked meanwhile and counted none, and
-- the planner would walk a hundred thousand rows for each of as many. ANALYZE is the owner's, so it is lent out here.
create function analyze_member_imports() returns void language plpgsql security definer set search_path = public as $$
begin
  analyze member_import_rows;
  analyze members;
end $$;
revoke execute on function analyze_member_imports() from public;
grant execute on function analyze_member_imports() to milkwood_staff;
