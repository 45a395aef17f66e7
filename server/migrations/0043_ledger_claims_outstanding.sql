-- Reserves of open claims are a liability. Each change of a reserve is posted.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in (
  'invoice_sent', 'credit_note', 'premium_earned', 'receipt_taken', 'receipt_deposited', 'allocation',
  'claim_reserve_changed', 'claim_approved', 'claim_payout_completed', 'claim_payout_returned', 'refund_released',
  'refund_completed', 'refund_returned', 'write_off', 'bank_opening', 'bank_charge', 'bank_interest', 'reversal'
));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'bank', 'undeposited', 'premium_debtors', 'accrued_premium', 'unallocated_receipts', 'claims_payable',
  'claims_outstanding', 'refunds_payable', 'vat_output', 'unearned_premium', 'premium_income', 'interest_received',
  'claims_expense', 'bank_charges', 'opening_balances', 'write_offs'
));
