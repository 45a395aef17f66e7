-- What the books of the benchmarks are made with: see book.sql and premium-book.sql.

-- # ground
set session_replication_role = replica;
set work_mem = '256MB';
set maintenance_work_mem = '512MB';
create function pg_temp.id(kind text, place bigint) returns uuid language sql immutable as
  $$ select overlay(overlay(md5(kind || place) placing '4' from 13) placing '8' from 17)::uuid $$;
create function pg_temp.number(name text) returns bigint language sql stable as
  $$ select current_setting('book.' || name)::bigint $$;
create function pg_temp.person(name text) returns uuid language sql stable as
  $$ select current_setting('book.' || name)::uuid $$;
create function pg_temp.today() returns date language sql stable as
  $$ select current_setting('book.today')::date $$;
create function pg_temp.numbered(prefix text, on_day date, place bigint) returns text language sql immutable as
  $$ select prefix || '-' || extract(year from on_day) || '-' || lpad(place::text, greatest(6, length(place::text)), '0') $$;
