-- The claims of a reader's groups are counted and summed by status along an index.
drop index claims_of_group_by_status;
create index claims_of_group_by_status on claims (group_id, status, submitted_at) include (requested_amount_cents);
