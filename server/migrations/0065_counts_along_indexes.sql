-- What is counted by status, along the index: members to complete, and those of a tier.
drop index members_to_complete;
create index members_to_complete on members (last_name_key, name_key, id) include (status)
  where to_complete <> '{}' and status <> 'Terminated';
drop index members_tier;
create index members_tier on members (tier_id, status);
