-- What reports, the dashboard and the month's end looked for in whole tables.

-- The moment of a decision. Row-level security lets no index serve readers of groups by a coalesce, and by a case it does.
drop index claims_by_decision;
drop index claims_by_decision_back;
drop index claims_of_group_by_decision;
create index claims_by_decision on claims ((case when final_approval_at is null then rejected_at else final_approval_at end), id);
create index claims_by_decision_back on claims (
  (case when final_approval_at is null then rejected_at else final_approval_at end) nulls first, id);
create index claims_of_group_by_decision on claims (
  group_id, (case when final_approval_at is null then rejected_at else final_approval_at end));

-- A year of a group's claims is added up by month from this alone.
create index claims_of_group_by_month on claims (group_id, submitted_at) include (status, final_approval_at, rejected_at)
  where status <> 'draft';

-- Each round's decisions in their order.
create index claim_approvals_in_order on claim_approvals (claim_id, round, decided_at) include (stage)
  where decided_at is not null;

-- What was paid of a claim, and what was released in a month.
create index payouts_completed_of_claims on payouts (subject_id) include (amount_cents)
  where subject_kind = 'claim' and status = 'completed';
create index payouts_released on payouts (released_at) include (status) where released_at is not null;
