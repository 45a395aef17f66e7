-- What the sealer has still to chain. A row with a lower id may be committed after a higher one, at any distance, so
-- that the last sealed id says nothing; each row is put on this list by its own insert.
create table audit_unsealed (
  audit_id bigint primary key
);
insert into audit_unsealed
  select id from audit_log a where not exists (select from audit_seals s where s.audit_id = a.id);

create function list_unsealed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into audit_unsealed select id from added;
  return null;
end $$;
revoke execute on function list_unsealed() from public;
create trigger audit_log_is_sealed after insert on audit_log
  referencing new table as added for each statement execute function list_unsealed();

grant select, delete on audit_unsealed to milkwood_staff;
