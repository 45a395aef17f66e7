-- A member is found by any part of the phone number too, as it is dialled here: +27 82 555 0100 is 0825550100.
-- Dropping the column drops the two indexes that hold it.
alter table members drop column search_key;
alter table members add column search_key text not null generated always as (
  lower(first_name || ' ' || last_name || E'\n' || number || E'\n' || coalesce(id_number, '') || E'\n'
    || coalesce(passport_number, '') || E'\n' || email || E'\n'
    || regexp_replace(translate(phone, ' ()-', ''), '^\+27', '0'))
) stored;
create index members_search on members using gin (search_key gin_trgm_ops);
create index members_of_group_searched on members (group_id) include (search_key);
