-- The terms of a policy that claims are judged by: product type, sum assured and waiting period, each dated on its own. A
-- correction supersedes rows and never changes them. The columns of policies are a draft's own terms, and copies of
-- today's terms of any other policy.
create table policy_cover_terms (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  term text not null check (term in ('product type', 'sum assured', 'waiting period')),
  product_type_id uuid references product_types (id),
  -- Null means that no sum assured is set.
  sum_assured_cents bigint check (sum_assured_cents >= 0),
  waiting_period_months integer check (waiting_period_months between 0 and 120),
  valid daterange not null check (not isempty(valid) and not lower_inf(valid)),
  recorded_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= recorded_at),
  foreign key (policy_id, group_id) references policies (id, group_id),
  constraint policy_cover_terms_have_one_value check (
    (term = 'product type') = (product_type_id is not null)
    and (term = 'waiting period') = (waiting_period_months is not null)
    and (term = 'sum assured' or sum_assured_cents is null)),
  constraint policy_cover_terms_do_not_overlap
    exclude using gist (policy_id with =, term with =, valid with &&) where (superseded_at is null)
);
create index policy_cover_terms_policy on policy_cover_terms (policy_id);
create index policy_cover_terms_product on policy_cover_terms (product_type_id) where product_type_id is not null;

alter table policies no force row level security;
insert into policy_cover_terms (id, group_id, policy_id, term, product_type_id, sum_assured_cents, waiting_period_months, valid, recorded_at)
select gen_random_uuid(), p.group_id, p.id, t.term,
  case t.term when 'product type' then p.product_type_id end,
  case t.term when 'sum assured' then p.sum_assured_cents end,
  case t.term when 'waiting period' then p.waiting_period_months end,
  daterange(p.start_on, null), coalesce(p.activated_at, p.created_at)
from policies p cross join unnest(array['product type', 'sum assured', 'waiting period']) t (term)
where p.status <> 'Draft';
alter table policies force row level security;

-- The start of a policy is the first day of its terms, and a superseded row stays superseded.
create function guard_cover_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.superseded_at is not null then
    raise exception 'a superseded term of a policy is never changed' using errcode = 'restrict_violation';
  end if;
  if lower(new.valid) < (select start_on from policies where id = new.policy_id) then
    raise exception 'a term of a policy applies from its start at the earliest' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger policy_cover_terms_are_guarded before insert or update on policy_cover_terms
  for each row execute function guard_cover_terms();

select protect('policy_cover_terms');
grant select on policy_cover_terms to milkwood_scoped;
grant select, insert, update (superseded_at) on policy_cover_terms to milkwood_staff;

-- The terms of a policy on a day, and before its start those of its start. Without a day, and for a draft, the policy's own.
create function policy_terms_on(of_policy uuid, on_day date)
returns table (product_type_id uuid, sum_assured_cents bigint, waiting_period_months integer) language sql stable as $$
  select coalesce(pt.product_type_id, p.product_type_id),
    case when sa.id is null then p.sum_assured_cents else sa.sum_assured_cents end,
    coalesce(wp.waiting_period_months, p.waiting_period_months)
  from policies p
  left join policy_cover_terms pt on pt.policy_id = p.id and pt.term = 'product type' and pt.superseded_at is null
    and on_day is not null and pt.valid @> greatest(on_day, p.start_on)
  left join policy_cover_terms sa on sa.policy_id = p.id and sa.term = 'sum assured' and sa.superseded_at is null
    and on_day is not null and sa.valid @> greatest(on_day, p.start_on)
  left join policy_cover_terms wp on wp.policy_id = p.id and wp.term = 'waiting period' and wp.superseded_at is null
    and on_day is not null and wp.valid @> greatest(on_day, p.start_on)
  where p.id = of_policy
$$;

-- The member's tier on the day (today's where there was no cover then), and what the policy's product of that day gives for
-- the benefit at it; 0 where it gives nothing.
create or replace function claim_cover(of_member uuid, of_policy uuid, of_benefit uuid, incident date)
returns table (tier_id uuid, max_cover_cents bigint, cover_percentage integer) language sql stable as $$
  select t.tier_id, coalesce(pb.cover_amount_cents, 0)::bigint, pb.cover_percentage::integer
  from (
    select coalesce((
      select c.tier_id from member_covers c
      where c.member_id = of_member and c.superseded_at is null and c.valid @> incident
    ), m.tier_id) as tier_id
    from members m where m.id = of_member
  ) t
  cross join lateral policy_terms_on(of_policy, incident) p
  left join product_benefits pb on pb.product_type_id = p.product_type_id and pb.benefit_id = of_benefit
    and pb.tier_id = t.tier_id
$$;
