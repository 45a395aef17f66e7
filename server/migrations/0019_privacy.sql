create table person_files (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  job_id uuid not null,
  state text not null default 'making' check (state in ('making', 'made', 'failed', 'removed')),
  asked_by uuid not null references users (id),
  asked_at timestamptz not null,
  finished_at timestamptz,
  file_id uuid references files (id),
  size bigint check (size > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  message text,
  -- Lets the user `ticket_of` download the file once.
  ticket uuid unique,
  ticket_of uuid references users (id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check ((state = 'making') = (finished_at is null)),
  constraint person_files_check1 check ((state = 'made') = (file_id is not null)),
  constraint person_files_check2 check (state not in ('made', 'removed') or (size is not null and sha256 is not null)),
  constraint person_files_check3 check ((state = 'failed') = (message is not null)),
  constraint person_files_check4 check ((ticket is null) = (ticket_of is null) and (ticket is null or state = 'made'))
);
create index person_files_file on person_files (file_id) where file_id is not null;
create index person_files_member on person_files (member_id, asked_at desc);
create index person_files_made on person_files (finished_at) where state = 'made';
create unique index person_files_one on person_files (member_id) where state = 'making';
select protect('person_files');
grant select, insert, update on person_files to milkwood_staff;

-- A row per night on which data was due for removal.
create table retention_runs (
  id uuid primary key,
  shown_at timestamptz not null,
  today date not null unique,
  years integer not null check (years between 5 and 30),
  -- Counts per kind: due, then removed.
  due jsonb not null,
  removed jsonb not null default '{}',
  state text not null default 'shown' check (state in ('shown', 'removing', 'done')),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  finished_at timestamptz,
  check ((confirmed_by is null) = (confirmed_at is null)),
  constraint retention_runs_check1 check ((state = 'done') = (finished_at is not null))
);
create index retention_runs_confirmed on retention_runs (confirmed_at) where confirmed_at is not null;
grant select, insert on retention_runs to milkwood_staff;
grant update (
  shown_at, due, removed, state, confirmed_by, confirmed_at, finished_at
) on retention_runs to milkwood_staff;

create table removed_people (
  person_id uuid primary key references person_keys (person_id) on delete cascade,
  seen_on date not null
);
create index removed_people_seen on removed_people (seen_on);
grant select on removed_people to milkwood_staff;
