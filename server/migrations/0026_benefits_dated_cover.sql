-- Cover of a product benefit for incidents on the days of `valid`: the member's, and that of dependents.
create table product_benefit_terms (
  id uuid primary key,
  product_benefit_id uuid not null references product_benefits (id) on delete cascade,
  valid daterange not null check (not isempty(valid)),
  -- 0 means no maximum.
  amount_cents bigint not null check (amount_cents >= 0),
  -- Of the monthly salary on the incident day, instead of an amount.
  salary_multiple numeric(5, 2) check (salary_multiple > 0),
  -- 0 means not set, which pays 100.
  percentage integer not null check (percentage between 0 and 100),
  incident_limit_cents bigint check (incident_limit_cents > 0),
  year_limit_cents bigint check (year_limit_cents > 0),
  cover_year text not null check (cover_year in ('calendar', 'policy')),
  -- Whether dependents have the member's cover. Otherwise product_benefit_dependents has theirs.
  dependents_alike boolean not null,
  -- Why cover of past days was corrected.
  reason text,
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  constraint product_benefit_terms_have_one_maximum check (salary_multiple is null or amount_cents = 0),
  constraint product_benefit_terms_superseded check (superseded_at >= recorded_at),
  constraint product_benefit_terms_do_not_overlap
    exclude using gist (product_benefit_id with =, valid with &&) where (superseded_at is null)
);
create index product_benefit_terms_of on product_benefit_terms (product_benefit_id);
grant select, insert on product_benefit_terms to milkwood_staff;
grant select on product_benefit_terms to milkwood_scoped;
grant update (superseded_at) on product_benefit_terms to milkwood_staff;

create table product_benefit_dependents (
  id uuid primary key,
  terms_id uuid not null references product_benefit_terms (id) on delete cascade,
  insured text not null check (insured in ('spouse', 'child', 'parent', 'other')),
  -- Completed years on the incident day, inclusive.
  age_from integer not null check (age_from >= 0),
  age_to integer check (age_to >= age_from),
  amount_cents bigint not null check (amount_cents >= 0),
  salary_multiple numeric(5, 2) check (salary_multiple > 0),
  percentage integer not null check (percentage between 0 and 100),
  incident_limit_cents bigint check (incident_limit_cents > 0),
  year_limit_cents bigint check (year_limit_cents > 0),
  constraint product_benefit_dependents_have_one_maximum check (salary_multiple is null or amount_cents = 0),
  constraint product_benefit_dependents_do_not_overlap
    exclude using gist (terms_id with =, insured with =, int4range(age_from, age_to, '[]') with &&)
);
grant select, insert on product_benefit_dependents to milkwood_staff;
grant select on product_benefit_dependents to milkwood_scoped;

-- Until now every insured person had the same cover on every day.
insert into product_benefit_terms (id, product_benefit_id, valid, amount_cents, percentage, cover_year,
  dependents_alike, recorded_at)
select gen_random_uuid(), id, daterange(null, null), cover_amount_cents, cover_percentage, 'calendar', true, created_at
from product_benefits;
alter table product_benefits drop column cover_amount_cents, drop column cover_percentage;
