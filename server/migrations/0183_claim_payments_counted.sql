-- The list of claim payments counts and adds up claims' payments alone: refunds have a list of their own.
create index payouts_of_kind_by_status on payouts (subject_kind, status) include (amount_cents);
drop index if exists payouts_by_status;
