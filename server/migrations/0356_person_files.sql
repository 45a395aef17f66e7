-- Room privacy: files with everything recorded about a person, made for who asks what is kept of them, and deleted again.

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
  -- Whoever was given it fetches the file by it, once.
  ticket uuid unique,
  ticket_of uuid references users (id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check ((state = 'making') = (finished_at is null)),
  check ((state = 'made') = (file_id is not null)),
  check (state not in ('made', 'removed') or (size is not null and sha256 is not null)),
  check ((state = 'failed') = (message is not null)),
  check ((ticket is null) = (ticket_of is null) and (ticket is null or state = 'made'))
);
create index person_files_member on person_files (member_id, asked_at desc);
create index person_files_made on person_files (finished_at) where state = 'made';
create unique index person_files_one on person_files (member_id) where state = 'making';
select protect('person_files');
grant select, insert, update on person_files to milkwood_staff;
