-- Money that came in by hand waits in "undeposited" until the bank shows it; what was paid out may come back.

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in (
  'invoice_sent', 'credit_note', 'receipt_taken', 'receipt_deposited', 'allocation', 'claim_approved',
  'claim_payout_completed', 'claim_payout_returned', 'refund_released', 'refund_completed', 'refund_returned',
  'write_off', 'bank_opening', 'bank_charge', 'bank_interest', 'reversal'
));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'bank', 'undeposited', 'premium_debtors', 'unallocated_receipts', 'claims_payable', 'refunds_payable', 'vat_output',
  'premium_income', 'interest_received', 'claims_expense', 'bank_charges', 'opening_balances', 'write_offs'
));
