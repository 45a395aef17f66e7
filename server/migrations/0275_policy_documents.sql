-- Papers of policies: their types, which are needed by policies of which product type, and the documents themselves.

-- Who reads a type: the insurer alone, the employer's HR administrator as well, or everybody who sees the policy.
create table policy_document_types (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  readers text not null check (readers in ('insurer', 'hr', 'employer')),
  required_for_all boolean not null default false,
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index policy_document_types_name on policy_document_types (lower(name));

create table policy_document_requirements (
  document_type uuid not null references policy_document_types (id) on delete cascade,
  product_type_id uuid not null references product_types (id) on delete cascade,
  primary key (document_type, product_type_id)
);
create index policy_document_requirements_product on policy_document_requirements (product_type_id);

insert into policy_document_types (id, name, readers, required_for_all, created_at)
select gen_random_uuid(), name, readers, required, now()
from (values
  ('Application form', 'employer', true),
  ('Company registration', 'employer', true),
  ('Policy contract', 'employer', false),
  ('Scheme rules', 'employer', false),
  ('Quotation acceptance', 'employer', false),
  ('Debit order mandate', 'employer', false),
  -- With ID numbers, which the employer's signatory reads nowhere.
  ('Member schedule', 'hr', false),
  ('Underwriting papers', 'insurer', false),
  ('Correspondence', 'insurer', false),
  ('Other', 'insurer', false)
) as type (name, readers, required);

create table policy_documents (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  document_type uuid not null references policy_document_types (id),
  name text not null check (btrim(name) <> ''),
  file_id uuid not null unique references files (id),
  uploaded_by uuid not null references users (id),
  uploaded_at timestamptz not null,
  -- A draft is deleted with its papers. While it has any it stays with its employer.
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade
);
create index policy_documents_policy on policy_documents (policy_id, uploaded_at, id);
create index policy_documents_group on policy_documents (group_id, uploaded_at, id);
create index policy_documents_type on policy_documents (document_type, policy_id);
-- The orders of the list.
create index policy_documents_newest on policy_documents (uploaded_at, id);
create index policy_documents_by_name on policy_documents (lower(name), id);
create index policy_documents_named on policy_documents using gin (lower(name) gin_trgm_ops);

select protect('policy_documents');

-- What an employer's people may know of: a type that is not for them does not exist, and neither do its documents.
alter table policy_document_types enable row level security;
alter table policy_document_types force row level security;
create policy for_the_reader on policy_document_types for select to milkwood_scoped
  using (readers = 'employer'
    or readers = 'hr' and (select role from users where id = (select app_user())) = 'group_admin');
create policy of_types_for_the_reader on policy_documents as restrictive for select to milkwood_scoped
  using (document_type in (select id from policy_document_types));

grant select, insert, update, delete on policy_document_types, policy_document_requirements to milkwood_staff;
grant select, insert, delete on policy_documents to milkwood_staff;
-- A document is replaced by another file; it stays the policy's, and of its type.
grant update (name, file_id, uploaded_by, uploaded_at) on policy_documents to milkwood_staff;
grant select on policy_document_types, policy_document_requirements, policy_documents to milkwood_scoped;
