-- Room policies: employer groups, their policies, and the dated facts of a policy.

create table employer_groups (
  id uuid primary key,
  -- An employer group is scoped like everything that belongs to it.
  group_id uuid not null generated always as (id) stored,
  name text not null check (btrim(name) <> ''),
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index employer_groups_name on employer_groups (lower(name));
create index employer_groups_name_trigrams on employer_groups using gin (lower(name) gin_trgm_ops);

alter table user_groups
  add constraint user_groups_group_fk foreign key (group_id) references employer_groups (id) on delete cascade;

create table policies (
  id uuid primary key,
  group_id uuid not null references employer_groups (id),
  number text not null unique,
  status text not null default 'Draft' check (status in ('Draft', 'Active', 'Suspended', 'Terminated', 'Expired')),
  description text not null default '',
  product_type_id uuid references product_types (id),
  coverage_type text check (coverage_type in ('life', 'health', 'disability', 'comprehensive')),
  -- The premium of today, a copy of policy_premiums for lists; rules read the dated rows.
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
  unique (id, group_id),
  check (end_on >= start_on),
  check (status = 'Draft' or (start_on is not null and product_type_id is not null)),
  check ((status = 'Terminated') = (terminated_on is not null))
);
create index policies_group on policies (group_id, status);
create index policies_status on policies (status, end_on);
create index policies_number_trigrams on policies using gin (lower(number) gin_trgm_ops);
create index policies_product_type on policies (product_type_id);

-- What a member costs a month, by day. A correction supersedes a row and never changes it,
-- so that what was known on a day can be told from what was true on it.
create table policy_premiums (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  premium_cents bigint not null check (premium_cents >= 0),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id),
  exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_premiums_policy on policy_premiums (policy_id);

-- On which days a policy was in force or suspended; a draft has none, and after its end there are none.
create table policy_periods (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('active', 'suspended')),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id),
  exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_periods_policy on policy_periods (policy_id);

select protect('employer_groups');
select protect('policies');
select protect('policy_premiums');
select protect('policy_periods');

grant select on employer_groups, policies, policy_premiums, policy_periods to milkwood_scoped;
-- Whoever adds a member locks the policy, so that it is not activated or ended meanwhile; a lock needs this grant.
grant update (updated_at) on policies to milkwood_scoped;
grant select, insert, update on employer_groups, policies to milkwood_staff;
grant select, insert on policy_premiums, policy_periods to milkwood_staff;
grant update (superseded_at) on policy_premiums, policy_periods to milkwood_staff;
