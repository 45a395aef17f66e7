create table benefit_tiers (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  position integer not null,
  created_at timestamptz not null,
  version integer not null default 1,
  unique ("position") deferrable initially deferred
);
create unique index benefit_tiers_name on benefit_tiers (lower(name));
grant select, insert, update, delete on benefit_tiers to milkwood_staff;
grant select on benefit_tiers to milkwood_scoped;

insert into benefit_tiers (id, name, position, created_at)
select gen_random_uuid(), name, position, now()
from unnest(array['Standard', 'Silver', 'Gold', 'Platinum']) with ordinality as tier (name, position);

create table product_types (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  created_at timestamptz not null,
  version integer not null default 1
);
create unique index product_types_name on product_types (lower(name));
grant select, insert, update, delete on product_types to milkwood_staff;
grant select on product_types to milkwood_scoped;

-- Dated VAT rates. The first has no from_on and applies before all others.
create table product_type_vat_rates (
  product_type_id uuid not null references product_types (id) on delete cascade,
  from_on date,
  percent numeric(5,2) not null check (percent between 0 and 100),
  class text not null,
  recorded_at timestamptz not null,
  superseded_at timestamptz,
  constraint product_type_vat_rates_class
    check (class in ('standard', 'zero', 'exempt') and (class = 'standard' or percent = 0)),
  constraint product_type_vat_rates_superseded check (superseded_at >= recorded_at)
);
create unique index product_type_vat_rates_once on product_type_vat_rates (product_type_id, from_on) nulls not distinct
  where superseded_at is null;
create index product_type_vat_rates_history on product_type_vat_rates (product_type_id, recorded_at);
grant select, insert on product_type_vat_rates to milkwood_staff;
grant select on product_type_vat_rates to milkwood_scoped;
grant update (superseded_at) on product_type_vat_rates to milkwood_staff;

create table benefits (
  id uuid primary key,
  name text not null check (name <> ''),
  description text not null default '',
  created_at timestamptz not null,
  version integer not null default 1,
  -- A benefit pays all claim types by default.
  claim_types text[] not null default array['death', 'disability', 'medical', 'maternity', 'other'],
  constraint benefits_claim_types_are_known check (
    cardinality(claim_types) > 0 and claim_types <@ array['death', 'disability', 'medical', 'maternity', 'other'])
);
create unique index benefits_name on benefits (lower(name));
grant select, insert, update, delete on benefits to milkwood_staff;
grant select on benefits to milkwood_scoped;

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
grant select, insert, update, delete on product_benefits to milkwood_staff;
grant select on product_benefits to milkwood_scoped;
