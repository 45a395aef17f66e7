create table policies (
  id uuid primary key,
  group_id uuid not null references employer_groups (id),
  number text not null unique,
  status text not null default 'Draft' check (status in ('Draft', 'Active', 'Suspended', 'Terminated', 'Expired')),
  description text not null default '',
  product_type_id uuid references product_types (id),
  coverage_type text check (coverage_type in ('life', 'health', 'disability', 'comprehensive')),
  -- Today's premium, copied from policy_premiums for lists. Rules read the dated rows.
  premium_cents bigint not null check (premium_cents >= 0),
  sum_assured_cents bigint check (sum_assured_cents >= 0),
  waiting_period_months integer not null default 0 check (waiting_period_months between 0 and 120),
  start_on date,
  end_on date,
  contact_name text not null default '',
  contact_email text not null default '',
  contact_phone text not null default '',
  contact_cell text not null default '',
  contact_position text not null default '',
  company_vat_number text not null default '',
  contact_notes text not null default '',
  status_reason text,
  terminated_on date,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  -- A tax invoice above R 5 000 must state the buyer's address.
  company_address text not null default '',
  -- Billing terms. In a draft, these columns apply. Afterwards, the first two are copies of today's terms; rules read
  -- policy_billed_from and policy_end_rules.
  billed_from_on date check (extract(day from billed_from_on) = 1),
  end_rule text not null default 'whole month' check (end_rule in ('whole month', 'by days')),
  due_days integer not null default 30 check (due_days between 0 and 120),
  rate_table_id uuid,
  unique (id, group_id),
  check (end_on >= start_on),
  constraint policies_check1 check (status = 'Draft' or (start_on is not null and product_type_id is not null)),
  constraint policies_check2 check ((status = 'Terminated') = (terminated_on is not null))
);
create index policies_group on policies (group_id, status);
create index policies_status on policies (status, end_on);
create index policies_number_trigrams on policies using gin (lower(number) gin_trgm_ops);
create index policies_product_type on policies (product_type_id);
create index policies_by_creation on policies (created_at, number, id);
create index policies_by_start on policies (start_on, id);
create index policies_by_start_back on policies (start_on nulls first, id);
create index policies_rate_table on policies (rate_table_id) where rate_table_id is not null;
create index policies_by_premium on policies ((case when rate_table_id is null then premium_cents end), id);
create index policies_by_premium_back on policies ((case when rate_table_id is null then premium_cents end) nulls first, id);
select protect('policies');
-- Adding a member locks the policy, so that it is not activated or ended meanwhile. The lock needs the update grant.
grant select, insert, update, delete on policies to milkwood_staff;
grant select on policies to milkwood_scoped;
grant update (updated_at) on policies to milkwood_scoped;

-- Dated monthly premium per member. A correction supersedes a row and never changes it, so that earlier knowledge can
-- be read.
create table policy_premiums (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  premium_cents bigint not null check (premium_cents >= 0),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  -- With a rate table, the premium is 0.
  rate_table_id uuid,
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (superseded_at >= recorded_at),
  constraint policy_premiums_check1 check (rate_table_id is null or premium_cents = 0),
  constraint policy_premiums_policy_id_valid_excl
    exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_premiums_policy on policy_premiums (policy_id);
create index policy_premiums_rate_table on policy_premiums (rate_table_id) where rate_table_id is not null;
select protect('policy_premiums');
grant select, insert on policy_premiums to milkwood_staff;
grant select on policy_premiums to milkwood_scoped;
grant update (superseded_at) on policy_premiums to milkwood_staff;

-- Days on which a policy was in force or suspended. A draft has none; none follow the end.
create table policy_periods (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('active', 'suspended')),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (superseded_at >= recorded_at),
  constraint policy_periods_policy_id_valid_excl
    exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_periods_policy on policy_periods (policy_id);
select protect('policy_periods');
grant select, insert on policy_periods to milkwood_staff;
grant select on policy_periods to milkwood_scoped;
grant update (superseded_at) on policy_periods to milkwood_staff;

-- No premium is owed before this month. Without a row, premium is owed from the policy's start.
create table policy_billed_from (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  month date not null check (extract(day from month) = 1),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade,
  check (superseded_at >= recorded_at)
);
create unique index policy_billed_from_once on policy_billed_from (policy_id) where superseded_at is null;
create index policy_billed_from_policy on policy_billed_from (policy_id);
select protect('policy_billed_from');
grant select, insert on policy_billed_from to milkwood_staff;
grant select on policy_billed_from to milkwood_scoped;
grant update (superseded_at) on policy_billed_from to milkwood_staff;

-- How much is owed for the month in which cover ends. Without a row, the whole month.
create table policy_end_rules (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  rule text not null check (rule in ('whole month', 'by days')),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade,
  check (superseded_at >= recorded_at),
  constraint policy_end_rules_policy_id_valid_excl
    exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_end_rules_policy on policy_end_rules (policy_id);
select protect('policy_end_rules');
grant select, insert on policy_end_rules to milkwood_staff;
grant select on policy_end_rules to milkwood_scoped;
grant update (superseded_at) on policy_end_rules to milkwood_staff;

create table rate_tables (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- The day on which ages count: the 1st of the month, or the last policy anniversary before it.
  age_on text not null check (age_on in ('month', 'anniversary')),
  -- The sum for rates per mille: one for all, one per tier (rate_sums), or a multiple of the monthly salary.
  sum_kind text check (sum_kind in ('fixed', 'tier', 'salary')),
  sum_cents bigint check (sum_cents > 0),
  salary_multiple numeric(6,2) check (salary_multiple > 0),
  created_at timestamptz not null,
  unique (id, group_id),
  unique (id, policy_id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade,
  check ((sum_kind is not distinct from 'fixed') = (sum_cents is not null)),
  constraint rate_tables_check1 check ((sum_kind is not distinct from 'salary') = (salary_multiple is not null))
);
alter table policies add foreign key (rate_table_id, id, group_id) references rate_tables (id, policy_id, group_id) deferrable initially deferred;
alter table policy_premiums add foreign key (rate_table_id, policy_id, group_id) references rate_tables (id, policy_id, group_id);
create index rate_tables_policy on rate_tables (policy_id);
select protect('rate_tables');
-- A draft's table is deleted when it is replaced. A table of a dated premium cannot be deleted.
grant select, insert, delete on rate_tables to milkwood_staff;
grant select on rate_tables to milkwood_scoped;

create table rate_sums (
  rate_table_id uuid not null,
  group_id uuid not null,
  tier_id uuid not null references benefit_tiers (id),
  cents bigint not null check (cents > 0),
  primary key (rate_table_id, tier_id),
  foreign key (rate_table_id, group_id) references rate_tables (id, group_id) on update cascade on delete cascade
);
create index rate_sums_tier on rate_sums (tier_id);
select protect('rate_sums');
grant select, insert, delete on rate_sums to milkwood_staff;
grant select on rate_sums to milkwood_scoped;

create table rate_rows (
  rate_table_id uuid not null,
  group_id uuid not null,
  position integer not null check (position >= 0),
  person text not null check (person in ('member', 'spouse', 'child', 'parent', 'other', 'family')),
  -- Null: every tier without a separate row.
  tier_id uuid references benefit_tiers (id),
  -- In full years. Null: every age, also an unknown one.
  ages int4range check (not isempty(ages)),
  cents bigint check (cents >= 0),
  per_mille numeric(8,4) check (per_mille > 0),
  primary key (rate_table_id, "position"),
  foreign key (rate_table_id, group_id) references rate_tables (id, group_id) on update cascade on delete cascade,
  check ((cents is null) <> (per_mille is null)),
  constraint rate_rows_check1 check (per_mille is null or person = 'member'),
  constraint rate_rows_rate_table_id_person_coalesce_coalesce1_excl exclude using gist (
    rate_table_id with =, person with =, (coalesce(tier_id, '00000000-0000-0000-0000-000000000000'::uuid)) with =,
    (coalesce(ages, '(,)'::int4range)) with &&
  )
);
create index rate_rows_tier on rate_rows (tier_id) where tier_id is not null;
-- Rating looks up a row per member and month. The exclusion index is several times slower.
create index rate_rows_person on rate_rows (rate_table_id, person, tier_id);
select protect('rate_rows');
grant select, insert, delete on rate_rows to milkwood_staff;
grant select on rate_rows to milkwood_scoped;

-- Readers: only the insurer, also the employer's HR administrator, or every user who sees the policy.
create table policy_document_types (
  id uuid primary key,
  name text not null check (btrim(name) <> ''),
  readers text not null check (readers in ('insurer', 'hr', 'employer')),
  required_for_all boolean not null default false,
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index policy_document_types_name on policy_document_types (lower(name));
alter table policy_document_types enable row level security;
alter table policy_document_types force row level security;
create policy for_the_reader on policy_document_types for select to milkwood_scoped
  using (readers = 'employer'
    or readers = 'hr' and (select role from users where id = (select app_user())) = 'group_admin');
grant select, insert, update, delete on policy_document_types to milkwood_staff;
grant select on policy_document_types to milkwood_scoped;

insert into policy_document_types (id, name, readers, required_for_all, created_at)
select gen_random_uuid(), name, readers, required, now()
from (values
  ('Application form', 'employer', true),
  ('Company registration', 'employer', true),
  ('Policy contract', 'employer', false),
  ('Scheme rules', 'employer', false),
  ('Quotation acceptance', 'employer', false),
  ('Debit order mandate', 'employer', false),
  -- Contains ID numbers, which the employer's signatory may not read.
  ('Member schedule', 'hr', false),
  ('Underwriting papers', 'insurer', false),
  ('Correspondence', 'insurer', false),
  ('Other', 'insurer', false)
) as type (name, readers, required);

create table policy_document_requirements (
  document_type uuid not null references policy_document_types (id) on delete cascade,
  product_type_id uuid not null references product_types (id) on delete cascade,
  primary key (document_type, product_type_id)
);
create index policy_document_requirements_product on policy_document_requirements (product_type_id);
grant select, insert, update, delete on policy_document_requirements to milkwood_staff;
grant select on policy_document_requirements to milkwood_scoped;

create table policy_documents (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  document_type uuid not null references policy_document_types (id),
  name text not null check (btrim(name) <> ''),
  file_id uuid not null unique references files (id),
  uploaded_by uuid not null references users (id),
  uploaded_at timestamptz not null,
  -- A draft is deleted with its documents, and cannot change employer while it has any.
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade
);
create index policy_documents_policy on policy_documents (policy_id, uploaded_at, id);
create index policy_documents_group on policy_documents (group_id, uploaded_at, id);
create index policy_documents_type on policy_documents (document_type, policy_id);
create index policy_documents_newest on policy_documents (uploaded_at, id);
create index policy_documents_by_name on policy_documents (lower(name), id);
create index policy_documents_named on policy_documents using gin (lower(name) gin_trgm_ops);
select protect('policy_documents');
create policy of_types_for_the_reader on policy_documents as restrictive for select to milkwood_scoped
  using (document_type in (select id from policy_document_types));
-- The file can be replaced; policy and type cannot.
grant select, insert, delete on policy_documents to milkwood_staff;
grant select on policy_documents to milkwood_scoped;
grant update (name, file_id, uploaded_by, uploaded_at) on policy_documents to milkwood_staff;

create table policy_expiry_warnings (
  group_id uuid not null,
  policy_id uuid not null,
  ends_on date not null,
  -- Null if there was no address or the mail was deleted.
  mail_id uuid references mails (id) on delete set null,
  made_at timestamptz not null,
  primary key (policy_id, ends_on),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
create index policy_expiry_warnings_mail on policy_expiry_warnings (mail_id) where mail_id is not null;
select protect('policy_expiry_warnings');
grant select, insert on policy_expiry_warnings to milkwood_staff;

-- The terms that claims are judged by, each dated separately. A correction supersedes rows and never changes them. The
-- columns of policies are a draft's terms, otherwise copies of today's.
create table policy_cover_terms (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  term text not null check (term in ('product type', 'sum assured', 'waiting period')),
  product_type_id uuid references product_types (id),
  -- Null: no sum assured is set.
  sum_assured_cents bigint check (sum_assured_cents >= 0),
  waiting_period_months integer check (waiting_period_months between 0 and 120),
  valid daterange not null check (not isempty(valid) and not lower_inf(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (policy_id, group_id) references policies (id, group_id),
  check (superseded_at >= recorded_at),
  constraint policy_cover_terms_have_one_value check (
    (term = 'product type') = (product_type_id is not null)
    and (term = 'waiting period') = (waiting_period_months is not null)
    and (term = 'sum assured' or sum_assured_cents is null)),
  constraint policy_cover_terms_do_not_overlap
    exclude using gist (policy_id with =, term with =, valid with &&) where (superseded_at is null)
);
create index policy_cover_terms_policy on policy_cover_terms (policy_id);
create index policy_cover_terms_product on policy_cover_terms (product_type_id) where product_type_id is not null;
select protect('policy_cover_terms');
grant select, insert on policy_cover_terms to milkwood_staff;
grant select on policy_cover_terms to milkwood_scoped;
grant update (superseded_at) on policy_cover_terms to milkwood_staff;
