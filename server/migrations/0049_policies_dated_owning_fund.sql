-- The fund that owns the policy is a dated term: a death is paid to the owner on the day of death. Empty: the employer.
alter table policy_cover_terms
  add column owning_fund text,
  drop constraint policy_cover_terms_term_check,
  add constraint policy_cover_terms_term_check
    check (term in ('product type', 'sum assured', 'waiting period', 'owning fund')),
  drop constraint policy_cover_terms_have_one_value,
  add constraint policy_cover_terms_have_one_value check (
    (term = 'product type') = (product_type_id is not null)
    and (term = 'waiting period') = (waiting_period_months is not null)
    and (term = 'owning fund') = (owning_fund is not null)
    and (term = 'sum assured' or sum_assured_cents is null));

-- Until now each activated policy had one owner on every day.
insert into policy_cover_terms (id, group_id, policy_id, term, owning_fund, valid, recorded_at)
select gen_random_uuid(), group_id, id, 'owning fund', owning_fund, daterange(start_on, null), activated_at
from policies where status <> 'Draft' and activated_at is not null;
