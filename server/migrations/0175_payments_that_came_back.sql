-- A payment whose return was recorded by hand is linked to the line that shows it; undoing that leaves the return.
alter table bank_matches drop constraint bank_matches_kind_check;
alter table bank_matches drop constraint bank_matches_check1;
alter table bank_matches drop constraint bank_matches_check2;
alter table bank_matches
  add constraint bank_matches_kind_check
    check (kind in ('made', 'linked', 'returned', 'completed', 'paid', 'came_back', 'back')),
  add constraint bank_matches_of_a_payment
    check ((kind in ('completed', 'paid', 'came_back', 'back')) = (payout_id is not null)),
  add constraint bank_matches_direction
    check ((kind in ('made', 'linked', 'came_back', 'back')) = (amount_cents > 0));
drop index bank_matches_back_once;
create unique index bank_matches_back_once on bank_matches (payout_id)
  where undone_at is null and kind in ('came_back', 'back');

-- At commit: what a line is comes to its amount, and receipts and payments stand as it says.
create or replace function check_placement() returns trigger language plpgsql as $$
declare
  the_placement uuid := case tg_table_name when 'bank_placements' then new.id else (to_jsonb(new) ->> 'placement_id')::uuid end;
begin
  if exists (
    select from bank_placements p join bank_lines l on l.id = p.line_id
    where p.id = the_placement and p.undone_at is null and case when p.kind in ('receipt', 'payout', 'returned')
      then l.amount_cents <> (select coalesce(sum(m.amount_cents), 0) from bank_matches m where m.placement_id = p.id)
      else exists (select from bank_matches m where m.placement_id = p.id) end
  ) then
    raise exception 'what the line is does not come to its amount' using errcode = 'check_violation', constraint = 'bank_matches_sum';
  end if;
  if exists (
    select from bank_matches m left join receipts r on r.id = m.receipt_id left join payouts o on o.id = m.payout_id
    where m.placement_id = the_placement and m.undone_at is null and case m.kind
      when 'returned' then r.reversed_at is null
      when 'completed' then o.status not in ('completed', 'returned')
      when 'paid' then o.status not in ('completed', 'returned')
      when 'came_back' then o.status <> 'returned'
      when 'back' then o.status <> 'returned'
      else false end
  ) then
    raise exception 'the receipt or payment does not stand as its line says' using errcode = 'check_violation', constraint = 'bank_matches_stand';
  end if;
  return null;
end $$;
