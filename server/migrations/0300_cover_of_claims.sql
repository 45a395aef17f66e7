-- What a claim is held against is settled when it is handed in: the tier and the cover of the day of its incident, as
-- they are on record then. What is changed afterwards, of the member or of the product, is no matter of this claim;
-- who sends it back, or changes what it is about, has it settled anew.

-- The tier of the member on the day (today's where there was no cover then), and what the policy's product gives for the
-- benefit at it; 0 where it gives nothing.
create function claim_cover(of_member uuid, of_policy uuid, of_benefit uuid, incident date)
returns table (tier_id uuid, max_cover_cents bigint, cover_percentage integer) language sql stable as $$
  select t.tier_id, coalesce(pb.cover_amount_cents, 0)::bigint, pb.cover_percentage::integer
  from (
    select coalesce((
      select c.tier_id from member_covers c
      where c.member_id = of_member and c.superseded_at is null and c.valid @> incident
    ), m.tier_id) as tier_id
    from members m where m.id = of_member
  ) t
  join policies p on p.id = of_policy
  left join product_benefits pb on pb.product_type_id = p.product_type_id and pb.benefit_id = of_benefit
    and pb.tier_id = t.tier_id
$$;

alter table claims
  add column cover_tier_id uuid references benefit_tiers (id),
  add column max_cover_cents bigint check (max_cover_cents >= 0),
  add column cover_percentage integer check (cover_percentage between 0 and 100);

alter table claims no force row level security;
alter table members no force row level security;
alter table member_covers no force row level security;
alter table policies no force row level security;
alter table claims disable trigger user;
update claims c
set (cover_tier_id, max_cover_cents, cover_percentage)
  = (select tier_id, max_cover_cents, cover_percentage from claim_cover(c.member_id, c.policy_id, c.benefit_id, c.incident_on))
where c.status <> 'draft';
alter table claims enable trigger user;
alter table claims force row level security;
alter table members force row level security;
alter table member_covers force row level security;
alter table policies force row level security;

alter table claims add constraint claims_cover_is_settled
  check ((status = 'draft') = (cover_tier_id is null) and (cover_tier_id is null) = (max_cover_cents is null));

create function settle_claim_cover() returns trigger language plpgsql as $$
begin
  select tier_id, max_cover_cents, cover_percentage
  into new.cover_tier_id, new.max_cover_cents, new.cover_percentage
  from claim_cover(new.member_id, new.policy_id, new.benefit_id, new.incident_on);
  return new;
end $$;
create function keep_claim_cover() returns trigger language plpgsql as $$
begin
  raise exception 'the cover of a claim is settled when it is handed in' using errcode = 'restrict_violation';
end $$;

-- Triggers run in the order of their names: what was set by hand is seen before it is settled.
create trigger claim_cover_is_kept before update on claims for each row
  when ((new.cover_tier_id, new.max_cover_cents, new.cover_percentage)
    is distinct from (old.cover_tier_id, old.max_cover_cents, old.cover_percentage))
  execute function keep_claim_cover();
create trigger claim_cover_is_settled before insert on claims for each row
  when (new.status <> 'draft') execute function settle_claim_cover();
create trigger claim_cover_is_settled_anew before update on claims for each row
  when (new.status = 'submitted' and (old.status, old.member_id, old.policy_id, old.benefit_id, old.incident_on)
    is distinct from ('submitted'::text, new.member_id, new.policy_id, new.benefit_id, new.incident_on))
  execute function settle_claim_cover();
create index claims_at_tier on claims (cover_tier_id);
