-- Which house this is. The data folder carries the same id (its file "installation"): its files and its last seal go by
-- the rows of this database, and of no other. A dump takes the id along. Nobody but the owner reads it.
create table installation (
  id uuid primary key default gen_random_uuid(),
  is_only boolean not null default true unique check (is_only)
);
insert into installation default values;
