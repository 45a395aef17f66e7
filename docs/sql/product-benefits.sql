-- The list as it is opened

with source as not materialized (
    select
  pb.id, pb.product_type_id as "productTypeId", pt.name as "productType", pb.benefit_id as "benefitId",
  b.name as benefit, pb.tier_id as "tierId", t.name as tier, pb.cost_cents as "costCents",
  pb.cover_amount_cents as "coverAmountCents", pb.cover_percentage as "coverPercentage", pb.version, pb.product_type_id as "_productTypeId",
      lower(pt.name) as "_productType", lower(b.name) as _benefit, lower(t.name) as _tier, t.position as _position
    from product_benefits pb
    left join product_types pt on pt.id = pb.product_type_id
    left join benefits b on b.id = pb.benefit_id
    left join benefit_tiers t on t.id = pb.tier_id
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
  pb.cover_amount_cents as "coverAmountCents", pb.cover_percentage as "coverPercentage", pb.version, pb.product_type_id as "_productTypeId",
      lower(pt.name) as "_productType", lower(b.name) as _benefit, lower(t.name) as _tier, t.position as _position
    from product_benefits pb
    left join product_types pt on pt.id = pb.product_type_id
    left join benefits b on b.id = pb.benefit_id
    left join benefit_tiers t on t.id = pb.tier_id
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
