-- The dated facts that premiums rest on and that were not dated yet: the VAT of a product type with its class, from which
-- month a policy is billed here, and what the month of an end of cover owes. Corrections supersede and never change.

alter table product_type_vat_rates
  add column class text,
  add column recorded_at timestamptz,
  add column superseded_at timestamptz;
-- Nothing was zero-rated before: a rate of nothing was life cover, which is exempt.
update product_type_vat_rates r set class = case when percent = 0 then 'exempt' else 'standard' end, recorded_at = t.created_at
  from product_types t where t.id = r.product_type_id;
alter table product_type_vat_rates
  alter column class set not null,
  alter column recorded_at set not null,
  add constraint product_type_vat_rates_class check (class in ('standard', 'zero', 'exempt') and (class = 'standard' or percent = 0)),
  add constraint product_type_vat_rates_superseded check (superseded_at >= recorded_at),
  drop constraint product_type_vat_rates_product_type_id_from_on_key;
create unique index product_type_vat_rates_once on product_type_vat_rates (product_type_id, from_on) nulls not distinct
  where superseded_at is null;
create index product_type_vat_rates_history on product_type_vat_rates (product_type_id, recorded_at);
revoke update, delete on product_type_vat_rates from milkwood_staff;
grant update (superseded_at) on product_type_vat_rates to milkwood_staff;

-- Nothing earlier is owed here; a policy without a row owes from its start.
create table policy_billed_from (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  month date not null check (extract(day from month) = 1),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade on update cascade
);
create unique index policy_billed_from_once on policy_billed_from (policy_id) where superseded_at is null;
create index policy_billed_from_policy on policy_billed_from (policy_id);

-- What a month owes in which cover ends; a policy without a row owes the whole month.
create table policy_end_rules (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  rule text not null check (rule in ('whole month', 'by days')),
  valid daterange not null check (not isempty(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id) on delete cascade on update cascade,
  exclude using gist (policy_id with =, valid with &&) where (superseded_at is null)
);
create index policy_end_rules_policy on policy_end_rules (policy_id);

-- What was known at an instant is asked by policy too.
create index member_covers_history on member_covers (policy_id, recorded_at);

select protect('policy_billed_from');
select protect('policy_end_rules');
grant select on policy_billed_from, policy_end_rules to milkwood_scoped;
grant select, insert on policy_billed_from, policy_end_rules to milkwood_staff;
grant update (superseded_at) on policy_billed_from, policy_end_rules to milkwood_staff;
