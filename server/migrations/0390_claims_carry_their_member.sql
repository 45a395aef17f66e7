-- A claim carries of its member what it is found, put in order and judged by: the names, and the days of membership. To
-- look at the member of each took longer than all else where many claims are compared. The database alone writes it.

alter table claims
  add column member_last_name_key text,
  add column member_name_key text,
  add column member_start_on date,
  add column member_end_on date;

alter table claims no force row level security;
alter table members no force row level security;
alter table claims disable trigger user;
update claims c
set member_last_name_key = m.last_name_key, member_name_key = m.name_key, member_start_on = m.start_on, member_end_on = m.end_on
from members m where m.id = c.member_id;
alter table claims enable trigger user;
alter table claims force row level security;
alter table members force row level security;

-- The member is held meanwhile: whoever changes it then finds the claim.
create function carry_member() returns trigger language plpgsql as $$
begin
  select last_name_key, name_key, start_on, end_on
  into new.member_last_name_key, new.member_name_key, new.member_start_on, new.member_end_on
  from members where id = new.member_id for share;
  return new;
end $$;
create trigger claims_carry_their_member before insert on claims for each row execute function carry_member();
-- Whatever is written there, it is what the member says.
create trigger claims_carry_another_member before update on claims for each row
  when ((new.member_id, new.member_last_name_key, new.member_name_key, new.member_start_on, new.member_end_on)
    is distinct from (old.member_id, old.member_last_name_key, old.member_name_key, old.member_start_on, old.member_end_on))
  execute function carry_member();

create function tell_claims_of_member() returns trigger language plpgsql as $$
begin
  update claims set member_last_name_key = new.last_name_key, member_name_key = new.name_key,
    member_start_on = new.start_on, member_end_on = new.end_on
  where member_id = new.id;
  return null;
end $$;
create trigger members_are_carried_by_claims after update on members for each row
  when ((new.last_name_key, new.name_key, new.start_on, new.end_on)
    is distinct from (old.last_name_key, old.name_key, old.start_on, old.end_on))
  execute function tell_claims_of_member();
-- An employer's people change their members, too.
grant update (member_last_name_key, member_name_key, member_start_on, member_end_on) on claims to milkwood_scoped;

create index claims_by_member_name on claims (member_last_name_key, member_name_key, id) include (status, group_id);
create index claims_member_trigrams on claims using gin (member_name_key gin_trgm_ops);

-- As claims_found does by their numbers (0161).
create function claims_named(patterns text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and member_name_key like any ($2) limit $3'
  using app_groups(), patterns, at_most;
end $$;
revoke execute on function claims_named from public;
grant execute on function claims_named to milkwood_scoped;
