-- A search that many match has its page's end before it has the page: the trigram index carries the name that members
-- are in order by, so that those who sort beyond it are not looked up.
drop index members_search;
create index members_search on members using gin (last_name_key, search_key gin_trgm_ops);

-- What is counted by status, for everybody and for the groups of a reader, along an index.
create index members_to_complete_by_status on members (status, group_id)
  where to_complete <> '{}' and status <> 'Terminated';
drop index members_tier;
create index members_tier on members (tier_id, status, group_id);

-- Searches of employers' people, and their palette, go by the trigrams now.
drop index members_of_group_searched;
drop index members_group_name;
drop index members_group_last_name;
drop index members_group_number;
drop index members_group_id_number;
drop index claims_group_number;
drop index invoices_group_number;
