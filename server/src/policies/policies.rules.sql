create function check_cover_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.superseded_at is not null then
    raise exception 'a superseded term of a policy is never changed' using errcode = 'restrict_violation';
  end if;
  if lower(new.valid) < (select start_on from policies where id = new.policy_id) then
    raise exception 'a policy term must not apply before the policy starts' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_cover_terms before insert or update on policy_cover_terms
  for each row execute function check_cover_terms();

-- The cover terms on a day, or those of the policy's start before it. Without a day, or for a draft, the columns of the
-- policy.
create function policy_terms_on(of_policy uuid, on_day date, known timestamptz default null)
returns table (product_type_id uuid, sum_assured_cents bigint, waiting_period_months integer, owning_fund text)
language sql stable as $$
  select coalesce(pt.product_type_id, p.product_type_id),
    case when sa.id is null then p.sum_assured_cents else sa.sum_assured_cents end,
    coalesce(wp.waiting_period_months, p.waiting_period_months), coalesce(fund.owning_fund, p.owning_fund)
  from policies p
  left join policy_cover_terms pt on pt.policy_id = p.id and pt.term = 'product type'
    and is_known(pt.recorded_at, pt.superseded_at, known) and on_day is not null and pt.valid @> greatest(on_day, p.start_on)
  left join policy_cover_terms sa on sa.policy_id = p.id and sa.term = 'sum assured'
    and is_known(sa.recorded_at, sa.superseded_at, known) and on_day is not null and sa.valid @> greatest(on_day, p.start_on)
  left join policy_cover_terms wp on wp.policy_id = p.id and wp.term = 'waiting period'
    and is_known(wp.recorded_at, wp.superseded_at, known) and on_day is not null and wp.valid @> greatest(on_day, p.start_on)
  left join policy_cover_terms fund on fund.policy_id = p.id and fund.term = 'owning fund'
    and is_known(fund.recorded_at, fund.superseded_at, known) and on_day is not null
    and fund.valid @> greatest(on_day, p.start_on)
  where p.id = of_policy
$$;

-- Triggers that call functions of other rooms.
create trigger refuse_delete_unless_draft before delete on policies
  for each row when (old.status <> 'Draft') execute function refuse_change();
