-- Claims that wait for a payment are computed from claims and payouts. The index has all that the list of payments reads.
drop table claims_to_pay;
create index claims_approved on claims (final_approval_at, id)
  include (group_id, policy_id, member_id, number, approved_amount_cents) where status = 'approved';
