-- A line may show a batch of thousands: what its matches come to is added up once for each statement that writes some, and not
-- for each of them. Their placement is touched, and weighed at commit, also where matches are added to one that is there.

drop trigger bank_matches_sum on bank_matches;
drop trigger bank_placements_sum on bank_placements;
create constraint trigger bank_placements_sum after insert or update on bank_placements
  deferrable initially deferred for each row execute function check_placement();

create function weigh_placements() returns trigger language plpgsql as $$
begin
  update bank_placements set undone_at = undone_at where id in (select placement_id from added);
  return null;
end $$;
create trigger bank_matches_are_weighed after insert on bank_matches
  referencing new table as added for each statement execute function weigh_placements();
