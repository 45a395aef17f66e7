-- Policies by the premium that they show: of those whose rates say it there is none, and they come last, both ways.
drop index policies_by_premium;
create index policies_by_premium on policies ((case when rate_table_id is null then premium_cents end), id);
create index policies_by_premium_back on policies ((case when rate_table_id is null then premium_cents end) nulls first, id);
