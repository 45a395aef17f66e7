-- Product types, benefits, tiers, and what they give each other. They belong to no group: every role reads them.

create table benefit_tiers (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  position integer not null unique deferrable initially deferred,
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index benefit_tiers_name on benefit_tiers (lower(name));

create table product_types (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index product_types_name on product_types (lower(name));

-- The VAT rates of a product type, each from its day on; the first has none and held before all others.
create table product_type_vat_rates (
  product_type_id uuid not null references product_types (id) on delete cascade,
  from_on date,
  percent numeric(5, 2) not null check (percent between 0 and 100),
  unique nulls not distinct (product_type_id, from_on)
);

create table benefits (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index benefits_name on benefits (lower(name));

create table product_benefits (
  id uuid primary key,
  product_type_id uuid not null references product_types (id),
  benefit_id uuid not null references benefits (id),
  tier_id uuid not null references benefit_tiers (id),
  cost_cents bigint not null default 0 check (cost_cents >= 0),
  cover_amount_cents bigint not null default 0 check (cover_amount_cents >= 0),
  cover_percentage integer not null default 0 check (cover_percentage between 0 and 100),
  created_at timestamptz not null,
  version integer not null default 1,
  constraint product_benefits_once unique (product_type_id, benefit_id, tier_id)
);
create index product_benefits_benefit on product_benefits (benefit_id);
create index product_benefits_tier on product_benefits (tier_id);

insert into benefit_tiers (id, name, position, created_at)
select gen_random_uuid(), name, position, now()
from unnest(array['Standard', 'Silver', 'Gold', 'Platinum']) with ordinality as tier (name, position);

grant select, insert, update, delete on benefit_tiers, product_types, product_type_vat_rates, benefits, product_benefits
  to milkwood_staff;
grant select on benefit_tiers, product_types, product_type_vat_rates, benefits, product_benefits to milkwood_scoped;
