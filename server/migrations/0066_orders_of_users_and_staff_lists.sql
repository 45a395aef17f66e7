-- The orders that the lists of accounts and of staff lists offer, and what is searched in them.

create index users_by_name on users (lower(name), id);
create index users_in_order_of_role on users (role, id);
create index users_in_order_of_role_back on users (role nulls first, id);
create index users_by_creation on users (created_at, id);
create index users_by_sign_in on users (last_sign_in_at, id);
create index users_by_sign_in_back on users (last_sign_in_at nulls first, id);
create index users_name_trigrams on users using gin (lower(name) gin_trgm_ops);
create index users_email_trigrams on users using gin (lower(email) gin_trgm_ops);

create index staff_lists_by_creation on staff_lists (created_at, id);
create index staff_lists_by_file on staff_lists (lower(file_name), id);
create index staff_lists_by_size on staff_lists (row_count, id);
create index staff_lists_file_trigrams on staff_lists using gin (lower(file_name) gin_trgm_ops);
