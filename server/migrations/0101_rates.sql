-- Rate tables: what a member costs by tier, family, age and sum assured, in place of one premium. A table never changes;
-- a policy's premium of some days refers to one, and a draft to that which its activation will date.

create table rate_tables (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  -- On which day ages are those that count: the 1st of the month, or the policy's anniversary before it.
  age_on text not null check (age_on in ('month', 'anniversary')),
  -- What a rate per mille is of: one sum for all, one for each tier (rate_sums), or so many monthly salaries.
  sum_kind text check (sum_kind in ('fixed', 'tier', 'salary')),
  sum_cents bigint check (sum_cents > 0),
  salary_multiple numeric(6, 2) check (salary_multiple > 0),
  created_at timestamptz not null,
  unique (id, group_id),
  unique (id, policy_id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade on update cascade,
  check ((sum_kind is not distinct from 'fixed') = (sum_cents is not null)),
  check ((sum_kind is not distinct from 'salary') = (salary_multiple is not null))
);
create index rate_tables_policy on rate_tables (policy_id);

create table rate_sums (
  rate_table_id uuid not null,
  group_id uuid not null,
  tier_id uuid not null references benefit_tiers (id),
  cents bigint not null check (cents > 0),
  primary key (rate_table_id, tier_id),
  foreign key (rate_table_id, group_id) references rate_tables (id, group_id) on delete cascade on update cascade
);
create index rate_sums_tier on rate_sums (tier_id);

create table rate_rows (
  rate_table_id uuid not null,
  group_id uuid not null,
  position integer not null check (position >= 0),
  person text not null check (person in ('member', 'spouse', 'child', 'parent', 'other', 'family')),
  -- Null: every tier that has no row of its own.
  tier_id uuid references benefit_tiers (id),
  -- In full years; null: every age, also one that nobody knows.
  ages int4range check (not isempty(ages)),
  cents bigint check (cents >= 0),
  per_mille numeric(8, 4) check (per_mille > 0),
  primary key (rate_table_id, position),
  foreign key (rate_table_id, group_id) references rate_tables (id, group_id) on delete cascade on update cascade,
  check ((cents is null) <> (per_mille is null)),
  check (per_mille is null or person = 'member'),
  -- No two rows rate the same person.
  exclude using gist (
    rate_table_id with =, person with =, (coalesce(tier_id, '00000000-0000-0000-0000-000000000000'::uuid)) with =,
    (coalesce(ages, '(,)'::int4range)) with &&
  )
);
create index rate_rows_tier on rate_rows (tier_id) where tier_id is not null;

alter table policies
  add column rate_table_id uuid,
  -- Deferred: a draft that moves to another group takes its table along.
  add foreign key (rate_table_id, id, group_id) references rate_tables (id, policy_id, group_id) deferrable initially deferred;
create index policies_rate_table on policies (rate_table_id) where rate_table_id is not null;
-- Of days that are rated the premium itself is nothing.
alter table policy_premiums
  add column rate_table_id uuid,
  add foreign key (rate_table_id, policy_id, group_id) references rate_tables (id, policy_id, group_id),
  add check (rate_table_id is null or premium_cents = 0);
create index policy_premiums_rate_table on policy_premiums (rate_table_id) where rate_table_id is not null;

-- Dates of birth that members had until they were put right: what was known at a moment is the one that was superseded
-- first after it, and without one the member's own. Kept by the members' rows themselves.
create table member_births_before (
  id bigint generated always as identity primary key,
  group_id uuid not null,
  member_id uuid not null,
  born_on date,
  superseded_at timestamptz not null,
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade
);
create index member_births_before_member on member_births_before (member_id);

create function keep_birth_before() returns trigger language plpgsql as $$
begin
  insert into member_births_before (group_id, member_id, born_on, superseded_at)
    values (old.group_id, old.id, old.date_of_birth, new.updated_at);
  return null;
end $$;
create trigger members_births_are_kept after update of date_of_birth on members for each row
  when (old.date_of_birth is distinct from new.date_of_birth) execute function keep_birth_before();

-- A dependent is covered from a day on, to a last one if there is one; what was known of it is kept.
alter table dependents
  drop constraint dependents_relationship_check,
  add constraint dependents_relationship_check check (relationship in ('spouse', 'child', 'parent', 'other')),
  add column from_on date,
  add column until_on date;
alter table dependents no force row level security;
alter table members no force row level security;
update dependents d set from_on = m.start_on from members m where m.id = d.member_id;
alter table dependents
  alter column from_on set not null,
  add constraint dependents_days check (until_on >= from_on);

create table dependent_covers (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  -- The dependent's own row goes when they are taken off the record; what they were billed for stays.
  dependent_id uuid not null,
  relationship text not null check (relationship in ('spouse', 'child', 'parent', 'other')),
  born_on date,
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  exclude using gist (dependent_id with =, valid with &&) where (superseded_at is null)
);
create index dependent_covers_member on dependent_covers (member_id);
insert into dependent_covers (id, group_id, member_id, dependent_id, relationship, born_on, valid, recorded_at)
select gen_random_uuid(), group_id, member_id, id, relationship, date_of_birth, daterange(from_on, null), created_at from dependents;
alter table dependents force row level security;
alter table members force row level security;

-- What a member earns a month, by day. It is read by few: see "Who may call what".
create table member_salaries (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  monthly_cents bigint not null check (monthly_cents > 0),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  exclude using gist (member_id with =, valid with &&) where (superseded_at is null)
);
create index member_salaries_member on member_salaries (member_id);

select protect('rate_tables');
select protect('rate_sums');
select protect('rate_rows');
select protect('member_births_before');
select protect('dependent_covers');
select protect('member_salaries');
grant select on rate_tables, rate_sums, rate_rows to milkwood_scoped;
-- A draft's table goes when another takes its place; one that a premium was dated by is held by it.
grant select, insert, delete on rate_tables, rate_sums, rate_rows to milkwood_staff;
grant select, insert on member_births_before to milkwood_staff, milkwood_scoped;
grant select, insert, delete on dependent_covers, member_salaries to milkwood_staff, milkwood_scoped;
grant update (superseded_at) on dependent_covers, member_salaries to milkwood_staff, milkwood_scoped;
