create table members (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  number text not null,
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
  -- Today's tier and status, copied for lists. Rules read member_covers.
  tier_id uuid not null references benefit_tiers (id),
  status text not null default 'Pending' check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  start_on date not null,
  -- Last day of membership; in the future after notice.
  end_on date,
  status_reason text,
  -- Missing fields that a user must still ask for.
  to_complete text[] not null default '{}',
  -- Stored, because lower() is not leakproof: with row-level security, search would not use the index.
  name_key text not null generated always as (lower(first_name || ' ' || last_name)) stored,
  last_name_key text not null generated always as (lower(last_name)) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  forgotten_on date,
  -- The employer's payroll number. It is unique in a policy among members who have not left.
  employee_number text not null default '' check (length(employee_number) <= 40),
  -- ISO 639: an official written language of South Africa.
  preferred_language text check (preferred_language in ('af', 'en', 'nr', 'xh', 'zu', 'nso', 'st', 'tn', 'ss', 've', 'ts')),
  search_key text not null generated always as (
    lower(first_name || ' ' || last_name || E'\n' || number || E'\n' || employee_number || E'\n' || coalesce(id_number, '')
      || E'\n' || coalesce(passport_number, '') || E'\n' || email || E'\n'
      || regexp_replace(translate(phone, ' ()-', ''), '^\+27', '0'))
  ) stored,
  unique (id, group_id),
  constraint members_number_key unique (number) include (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade,
  check (status <> 'Terminated' or end_on is not null),
  constraint members_check1 check (forgotten_on is null or status = 'Terminated')
);
-- A terminated member can join the policy again.
create unique index members_id_number_once on members (policy_id, id_number)
  where id_number is not null and status <> 'Terminated';
create unique index members_passport_once on members (policy_id, lower(passport_number))
  where passport_number is not null and status <> 'Terminated';
create index members_id_number on members (id_number, group_id) include (status) where id_number is not null;
create index members_policy on members (policy_id, status);
-- Sort orders of lists; the id makes each order total.
create index members_by_name on members (last_name_key, name_key, id);
create index members_by_group on members (group_id, last_name_key, name_key, id);
create index members_status on members (status, last_name_key, name_key, id);
create index members_start on members (start_on, id);
create index members_of_policy_by_number on members (policy_id, number);
create index members_of_policy_by_start on members (policy_id, start_on, id);
create index members_of_policy_by_name on members (policy_id, last_name_key, name_key, id);
create index members_of_group_by_number on members (group_id, number);
create index members_of_group_by_start on members (group_id, start_on, id);
create index members_of_group_by_status on members (group_id, status, last_name_key, name_key, id);
create index members_to_complete on members (last_name_key, name_key, id) include (status)
  where to_complete <> '{}' and status <> 'Terminated';
create index members_tier on members (tier_id, status, group_id);
create index members_to_forget on members (end_on, id) where status = 'Terminated' and forgotten_on is null;
-- For the data check: ID numbers that contradict the date of birth.
create index members_id_conflict on members (id)
  where status <> 'Terminated' and left(id_number, 6)::int <> (extract(year from date_of_birth)::int % 100) * 10000
    + extract(month from date_of_birth)::int * 100 + extract(day from date_of_birth)::int;
create index members_to_complete_by_status on members (status, group_id)
  include (id, number, name_key, policy_id, to_complete)
  where to_complete <> '{}' and status <> 'Terminated';
create unique index members_employee_number_once on members (policy_id, lower(employee_number))
  where employee_number <> '' and status <> 'Terminated';
create index members_by_employee_number on members (employee_number, id) include (group_id);
create index members_search on members using gin (last_name_key, search_key gin_trgm_ops);
select protect('members');
-- Members are deleted only by undoing an import or removing them from a draft policy.
grant select, insert, update, delete on members to milkwood_staff, milkwood_scoped;

-- Dated cover. Days without a row are not covered. A change supersedes rows and adds others. True on day D: current
-- rows whose range contains D. Known at K: rows recorded by K and not superseded by K.
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
  superseded_at timestamptz,
  -- Whether the kind or tier was recorded for the row's first day. If not, it continues from the previous cover. A
  -- recorded value applies until the next recorded one, so adjacent covers may be equal.
  sets_kind boolean not null default true,
  sets_tier boolean not null default true,
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check (superseded_at >= recorded_at),
  constraint member_covers_member_id_valid_excl
    exclude using gist (member_id with =, valid with &&) where (superseded_at is null)
);
create index member_covers_member on member_covers (member_id);
create index member_covers_tier on member_covers (tier_id);
create index member_covers_policy on member_covers (policy_id, lower(valid)) where superseded_at is null;
-- For queries of earlier knowledge by policy.
create index member_covers_history on member_covers (policy_id, recorded_at);
-- For movements between two days.
create index member_covers_begin on member_covers (lower(valid)) where superseded_at is null;
create index member_covers_end on member_covers (upper(valid)) where superseded_at is null;
create index member_covers_superseded on member_covers (policy_id, superseded_at) where superseded_at is not null;
-- Statistics of first and last days. The planner ignores those of the partial indexes, and would expect a third of all
-- covers.
create statistics member_covers_begins on (lower(valid)) from member_covers;
create statistics member_covers_ends on (upper(valid)) from member_covers;
select protect('member_covers');
grant select, insert, delete on member_covers to milkwood_staff, milkwood_scoped;
grant update (superseded_at) on member_covers to milkwood_staff, milkwood_scoped;

create table dependents (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  first_name text not null check (btrim(first_name) <> ''),
  last_name text not null check (btrim(last_name) <> ''),
  id_number text check (id_number ~ '^[0-9]{13}$'),
  relationship text not null check (relationship in ('spouse', 'child', 'parent', 'other')),
  date_of_birth date,
  gender text check (gender in ('male', 'female', 'other')),
  position integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  from_on date not null,
  until_on date,
  unique (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  constraint dependents_days check (until_on >= from_on)
);
create index dependents_member on dependents (member_id, position);
-- The report of dependents is also paged by name.
create index dependents_by_name on dependents (lower(first_name || ' ' || last_name), id);
-- Finds members by the names of dependents. Users of employers search through a function that returns only members of
-- their groups.
create index dependents_name_trigrams on dependents using gin (lower(first_name || ' ' || last_name) gin_trgm_ops);
select protect('dependents');
grant select, insert, update, delete on dependents to milkwood_staff, milkwood_scoped;

create table member_month_ends (
  month_end date not null,
  policy_id uuid not null,
  group_id uuid not null,
  active integer not null check (active >= 0),
  primary key (month_end, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade
);
select protect('member_month_ends');
grant select, insert on member_month_ends to milkwood_staff;
grant select on member_month_ends to milkwood_scoped;

-- Dates of birth before a correction, written by a trigger. Known at K: the first row superseded after K, otherwise the
-- member's date.
create table former_birth_dates (
  id bigint generated always as identity primary key,
  group_id uuid not null,
  member_id uuid not null,
  born_on date,
  superseded_at timestamptz not null,
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade
);
create index former_birth_dates_member on former_birth_dates (member_id);
select protect('former_birth_dates');
grant select, insert on former_birth_dates to milkwood_staff, milkwood_scoped;

create table dependent_covers (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  -- No foreign key: the dependent may be deleted, but billed covers remain.
  dependent_id uuid not null,
  relationship text not null check (relationship in ('spouse', 'child', 'parent', 'other')),
  born_on date,
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check (superseded_at >= recorded_at),
  constraint dependent_covers_dependent_id_valid_excl
    exclude using gist (dependent_id with =, valid with &&) where (superseded_at is null)
);
create index dependent_covers_member on dependent_covers (member_id);
select protect('dependent_covers');
grant select, insert, delete on dependent_covers to milkwood_staff, milkwood_scoped;
grant update (superseded_at) on dependent_covers to milkwood_staff, milkwood_scoped;

-- Dated monthly salary.
create table member_salaries (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  monthly_cents bigint not null check (monthly_cents > 0),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check (superseded_at >= recorded_at),
  constraint member_salaries_member_id_valid_excl
    exclude using gist (member_id with =, valid with &&) where (superseded_at is null)
);
create index member_salaries_member on member_salaries (member_id);
select protect('member_salaries');
grant select, insert, delete on member_salaries to milkwood_staff, milkwood_scoped;
grant update (superseded_at) on member_salaries to milkwood_staff, milkwood_scoped;

create table member_counts (
  policy_id uuid primary key,
  group_id uuid not null,
  pending integer not null default 0 check (pending >= 0),
  active integer not null default 0 check (active >= 0),
  suspended integer not null default 0 check (suspended >= 0),
  terminated integer not null default 0 check (terminated >= 0),
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade
);
create index member_counts_group on member_counts (group_id);
select protect('member_counts');
grant select, insert, update on member_counts to milkwood_staff, milkwood_scoped;

-- A sequence, so that adding a member does not wait for an import.
create sequence member_numbers;
grant usage on sequence member_numbers to milkwood_staff, milkwood_scoped;
