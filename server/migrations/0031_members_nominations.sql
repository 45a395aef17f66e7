-- The beneficiaries that a member nominates, from a day until the next nomination. A correction supersedes a nomination
-- and adds another. Applies on day D: the latest current nomination from D or before.
create table nominations (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  from_on date not null,
  -- The nomination that this one corrects.
  corrects uuid,
  recorded_by uuid not null,
  recorded_at timestamptz not null,
  superseded_by uuid,
  superseded_at timestamptz,
  superseded_reason text,
  unique (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  check (superseded_at >= recorded_at),
  constraint nominations_superseded_is_explained
    check (num_nonnulls(superseded_by, superseded_at, superseded_reason) in (0, 3) and btrim(superseded_reason) <> '')
);
create unique index nominations_one_per_day on nominations (member_id, from_on) where superseded_at is null;
create index nominations_member on nominations (member_id, group_id);
select protect('nominations');
grant select, insert on nominations to milkwood_staff, milkwood_scoped;
grant update (superseded_by, superseded_at, superseded_reason) on nominations to milkwood_staff, milkwood_scoped;

create table nominees (
  id uuid primary key,
  group_id uuid not null,
  nomination_id uuid not null,
  position integer not null check (position >= 0),
  name text not null check (btrim(name) <> ''),
  relationship text not null check (relationship in ('spouse', 'child', 'parent', 'sibling', 'other', 'organisation')),
  id_number text check (id_number ~ '^[0-9]{13}$'),
  date_of_birth date,
  phone text not null default '',
  email text not null default '',
  bank text not null default '',
  branch_code text not null default '',
  account_number text not null default '',
  -- Hundredths of a per cent.
  share_basis_points integer not null check (share_basis_points between 1 and 10000),
  unique (id, group_id),
  unique (nomination_id, position),
  foreign key (nomination_id, group_id) references nominations (id, group_id) on delete cascade,
  constraint nominees_are_identified
    check (relationship = 'organisation' or id_number is not null or date_of_birth is not null),
  constraint nominees_have_a_whole_account check (
    (bank, branch_code, account_number) = ('', '', '')
    or bank <> '' and branch_code ~ '^[0-9]{6}$' and account_number ~ '^[0-9]{6,13}$')
);
select protect('nominees');
grant select, insert on nominees to milkwood_staff, milkwood_scoped;

create table nomination_documents (
  id uuid primary key,
  group_id uuid not null,
  nomination_id uuid not null,
  document_type text not null check (document_type in ('signed_form', 'other')),
  name text not null check (btrim(name) <> ''),
  file_id uuid not null unique references files (id),
  uploaded_by uuid not null references users (id),
  uploaded_at timestamptz not null,
  foreign key (nomination_id, group_id) references nominations (id, group_id) on delete cascade
);
create index nomination_documents_nomination on nomination_documents (nomination_id, uploaded_at, id);
select protect('nomination_documents');
grant select, insert, delete on nomination_documents to milkwood_staff, milkwood_scoped;
