-- Staff lists: an employer's list as uploaded, its rows, what was done with them.

create table staff_lists (
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
  default_tier_id uuid references benefit_tiers (id) on delete set null,
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
  rows_file_id uuid references files (id),
  checked_at timestamptz,
  -- What was corrected of a staff list before it is imported: by the line of the file and the column, from 0, the text
  -- that counts in place of what stands in the file.
  corrections jsonb not null default '{}' check (jsonb_typeof(corrections) = 'object'),
  -- A staff list of several policies is divided into one for each: those that came of one file have the division in common.
  division_id uuid,
  forgotten_on date,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade,
  constraint staff_lists_have_a_file check (
    file_id is not null or division_id is not null or status = 'discarded' or forgotten_on is not null)
);
create index staff_lists_rows_file on staff_lists (rows_file_id) where rows_file_id is not null;
create index staff_lists_file on staff_lists (file_id) where file_id is not null;
create index staff_lists_group on staff_lists (group_id, created_at desc);
create index staff_lists_newest on staff_lists (created_at desc, id);
create index staff_lists_policy on staff_lists (policy_id);
create index staff_lists_by_creation on staff_lists (created_at, id);
create index staff_lists_by_file on staff_lists (lower(file_name), id);
create index staff_lists_by_size on staff_lists (row_count, id);
create index staff_lists_file_trigrams on staff_lists using gin (lower(file_name) gin_trgm_ops);
create index staff_lists_by_division on staff_lists (division_id) where division_id is not null;
select protect('staff_lists');
grant select, insert, update on staff_lists to milkwood_staff, milkwood_scoped;

-- A row of the list, numbered from 1, in its order; leavers, whom the list does not name, are numbered after them.
create table staff_list_rows (
  staff_list_id uuid not null,
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
  -- What a staff list says that somebody earns a month. Of a member whose salary differs, `before` keeps the one that was
  -- on record under a key of its own, which no trail repeats.
  salary_cents bigint check (salary_cents > 0),
  employee_number text,
  preferred_language text,
  primary key (staff_list_id, "row"),
  foreign key (staff_list_id, group_id) references staff_lists (id, group_id) on delete cascade,
  check ((status = 'error') = (outcome is null)),
  constraint staff_list_rows_check1 check (outcome is null or member_id is not null)
);
select protect('staff_list_rows');
grant select, insert, update, delete on staff_list_rows to milkwood_staff, milkwood_scoped;

-- The header that a group's lists use for each field, proposed for its next list.
create table staff_list_columns (
  group_id uuid primary key references employer_groups (id) on delete cascade,
  mapping jsonb not null,
  updated_at timestamptz not null
);
select protect('staff_list_columns');
grant select, insert, update on staff_list_columns to milkwood_staff, milkwood_scoped;
