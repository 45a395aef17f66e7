-- The retirement fund that owns the policy; empty if the employer owns it.
alter table policies add column owning_fund text not null default '';
