-- What of a batch did not arrive: the bank's debit is less by it.
create index payout_batch_payments_failed on payout_batch_payments (batch_id)
  where left_at is not null and end_to_end_id is not null;
