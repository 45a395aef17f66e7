-- Payments of the groups whose name a search looks for.
create index payouts_group on payouts (group_id);
