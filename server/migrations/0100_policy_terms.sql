-- On which terms a policy is billed. As with the premium, a draft holds them itself, and of a policy that was activated
-- the first two are copies of what holds today; rules read policy_billed_from and policy_end_rules.
alter table policies
  add column billed_from_on date check (extract(day from billed_from_on) = 1),
  add column end_rule text not null default 'whole month' check (end_rule in ('whole month', 'by days')),
  add column due_days integer not null default 30 check (due_days between 0 and 120);

update policies p set billed_from_on = b.month from policy_billed_from b
  where b.policy_id = p.id and b.superseded_at is null;
