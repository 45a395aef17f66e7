-- The list as it is opened

with source as not materialized (
    select
  pb.id, pb.product_type_id as "productTypeId", pt.name as "productType", pb.benefit_id as "benefitId",
  b.name as benefit, pb.tier_id as "tierId", t.name as tier, pb.cost_cents as "costCents",
  today.amount_cents as "coverAmountCents", today.salary_multiple::float8 as "salaryMultiple",
  today.percentage as "coverPercentage", today.incident_limit_cents as "incidentLimitCents",
  today.year_limit_cents as "yearLimitCents", today.cover_year as "coverYear",
  case when not today.dependents_alike then (
    select coalesce(jsonb_agg(jsonb_build_object('insured', d.insured, 'ageFrom', d.age_from, 'ageTo', d.age_to,
      'amountCents', d.amount_cents, 'percentage', d.percentage,
  'salaryMultiple', d.salary_multiple, 'incidentLimitCents', d.incident_limit_cents,
  'yearLimitCents', d.year_limit_cents)
      order by array_position(array['spouse', 'child', 'parent', 'other'], d.insured), d.age_from), '[]')
    from product_benefit_dependents d where d.terms_id = today.id) end as dependents, terms.changes as terms, pb.version, pb.product_type_id as "_productTypeId",
      lower(pt.name) as "_productType", lower(b.name) as _benefit, lower(t.name) as _tier, t.position as _position
    from product_benefits pb
    left join product_types pt on pt.id = pb.product_type_id
    left join benefits b on b.id = pb.benefit_id
    left join benefit_tiers t on t.id = pb.tier_id
  left join product_benefit_terms today on today.product_benefit_id = pb.id and today.superseded_at is null
    and today.valid @> '2026-11-02'::date
  left join lateral (
    select
  jsonb_agg(jsonb_build_object('from', lower(x.valid), 'reason', x.reason, 'coverAmountCents', x.amount_cents,
    'coverPercentage', x.percentage, 'coverYear', x.cover_year, 'dependents',
  case when not x.dependents_alike then (
    select coalesce(jsonb_agg(jsonb_build_object('insured', d.insured, 'ageFrom', d.age_from, 'ageTo', d.age_to,
      'amountCents', d.amount_cents, 'percentage', d.percentage,
  'salaryMultiple', d.salary_multiple, 'incidentLimitCents', d.incident_limit_cents,
  'yearLimitCents', d.year_limit_cents)
      order by array_position(array['spouse', 'child', 'parent', 'other'], d.insured), d.age_from), '[]')
    from product_benefit_dependents d where d.terms_id = x.id) end,
  'salaryMultiple', x.salary_multiple, 'incidentLimitCents', x.incident_limit_cents,
  'yearLimitCents', x.year_limit_cents)
    order by x.valid) as changes
    from product_benefit_terms x where x.product_benefit_id = pb.id and x.superseded_at is null
  ) terms on true
),
found as materialized (
  select s.id from source s where s."_productType" is not null
  order by s."_productType" asc, s."_benefit" asc, s."_position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_productType" asc, s."_benefit" asc, s."_position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from source s where true) each) as figures;

-- A search

with source as not materialized (
    select
  pb.id, pb.product_type_id as "productTypeId", pt.name as "productType", pb.benefit_id as "benefitId",
  b.name as benefit, pb.tier_id as "tierId", t.name as tier, pb.cost_cents as "costCents",
  today.amount_cents as "coverAmountCents", today.salary_multiple::float8 as "salaryMultiple",
  today.percentage as "coverPercentage", today.incident_limit_cents as "incidentLimitCents",
  today.year_limit_cents as "yearLimitCents", today.cover_year as "coverYear",
  case when not today.dependents_alike then (
    select coalesce(jsonb_agg(jsonb_build_object('insured', d.insured, 'ageFrom', d.age_from, 'ageTo', d.age_to,
      'amountCents', d.amount_cents, 'percentage', d.percentage,
  'salaryMultiple', d.salary_multiple, 'incidentLimitCents', d.incident_limit_cents,
  'yearLimitCents', d.year_limit_cents)
      order by array_position(array['spouse', 'child', 'parent', 'other'], d.insured), d.age_from), '[]')
    from product_benefit_dependents d where d.terms_id = today.id) end as dependents, terms.changes as terms, pb.version, pb.product_type_id as "_productTypeId",
      lower(pt.name) as "_productType", lower(b.name) as _benefit, lower(t.name) as _tier, t.position as _position
    from product_benefits pb
    left join product_types pt on pt.id = pb.product_type_id
    left join benefits b on b.id = pb.benefit_id
    left join benefit_tiers t on t.id = pb.tier_id
  left join product_benefit_terms today on today.product_benefit_id = pb.id and today.superseded_at is null
    and today.valid @> '2026-11-02'::date
  left join lateral (
    select
  jsonb_agg(jsonb_build_object('from', lower(x.valid), 'reason', x.reason, 'coverAmountCents', x.amount_cents,
    'coverPercentage', x.percentage, 'coverYear', x.cover_year, 'dependents',
  case when not x.dependents_alike then (
    select coalesce(jsonb_agg(jsonb_build_object('insured', d.insured, 'ageFrom', d.age_from, 'ageTo', d.age_to,
      'amountCents', d.amount_cents, 'percentage', d.percentage,
  'salaryMultiple', d.salary_multiple, 'incidentLimitCents', d.incident_limit_cents,
  'yearLimitCents', d.year_limit_cents)
      order by array_position(array['spouse', 'child', 'parent', 'other'], d.insured), d.age_from), '[]')
    from product_benefit_dependents d where d.terms_id = x.id) end,
  'salaryMultiple', x.salary_multiple, 'incidentLimitCents', x.incident_limit_cents,
  'yearLimitCents', x.year_limit_cents)
    order by x.valid) as changes
    from product_benefit_terms x where x.product_benefit_id = pb.id and x.superseded_at is null
  ) terms on true
),
hits as materialized (
  (select s."_productType", s."_benefit", s."_position", s."id" from source s where s."_productType" like '%nkosi%' limit 10001) union
  (select s."_productType", s."_benefit", s."_position", s."id" from source s where s._benefit like '%nkosi%' limit 10001) union
  (select s."_productType", s."_benefit", s."_position", s."id" from source s where s._tier like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where s."_productType" is not null
  order by s."_productType" asc, s."_benefit" asc, s."_position" asc, s.id asc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."_productType" asc, s."_benefit" asc, s."_position" asc, s.id asc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."_productType" asc, s."_benefit" asc, s."_position" asc, s.id asc limit 1 offset 24) as bound;
