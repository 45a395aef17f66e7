-- What lines of the bank are: of one line several receipts, of one receipt several lines, payments that left or came
-- back, receipts that the bank took back. And what was learnt of payers.

create table bank_matches (
  id uuid primary key,
  placement_id uuid not null,
  line_id uuid not null,
  -- Of the receipt or payment.
  group_id uuid not null,
  -- A receipt made for the line, one that was there, or one that the bank took back; a payment completed by the line, one
  -- that was completed already, or one that came back.
  kind text not null check (kind in ('made', 'linked', 'returned', 'completed', 'paid', 'came_back')),
  receipt_id uuid,
  payout_id uuid,
  -- Signed as the line: out is below zero.
  amount_cents bigint not null check (amount_cents <> 0),
  -- With its placement.
  undone_at timestamptz,
  foreign key (receipt_id, group_id) references receipts (id, group_id),
  foreign key (payout_id, group_id) references payouts (id, group_id),
  check ((kind in ('made', 'linked', 'returned')) = (receipt_id is not null)),
  check ((kind in ('completed', 'paid', 'came_back')) = (payout_id is not null)),
  check ((kind in ('made', 'linked', 'came_back')) = (amount_cents > 0))
);

alter table bank_placements add unique (id, line_id);
alter table bank_matches add foreign key (placement_id, line_id) references bank_placements (id, line_id);

drop policy own_groups on bank_placements;
alter table bank_placements no force row level security;
alter table bank_placements disable row level security;
insert into bank_matches (id, placement_id, line_id, group_id, kind, receipt_id, amount_cents, undone_at)
select p.id, p.id, p.line_id, p.group_id, 'linked', p.receipt_id, l.amount_cents, p.undone_at
from bank_placements p join bank_lines l on l.id = p.line_id where p.receipt_id is not null;

create index bank_matches_placement on bank_matches (placement_id);
create index bank_matches_receipt on bank_matches (receipt_id) where undone_at is null and receipt_id is not null;
create index bank_matches_payout on bank_matches (payout_id) where undone_at is null and payout_id is not null;
-- A payment leaves once and comes back once, and a receipt is taken back once.
create unique index bank_matches_paid_once on bank_matches (payout_id) where undone_at is null and kind in ('completed', 'paid');
create unique index bank_matches_back_once on bank_matches (payout_id) where undone_at is null and kind = 'came_back';
create unique index bank_matches_returned_once on bank_matches (receipt_id) where undone_at is null and kind = 'returned';
create unique index bank_matches_receipt_once on bank_matches (placement_id, receipt_id) where receipt_id is not null;

drop trigger bank_placements_receipt_fits on bank_placements;
drop function check_placed_receipt();
alter table bank_placements drop column receipt_id, drop column group_id,
  drop constraint bank_placements_kind_check,
  add constraint bank_placements_kind_check
    check (kind in ('receipt', 'payout', 'returned', 'charge', 'interest', 'transfer', 'unknown')),
  -- Posted by the setting, and nobody confirmed it.
  add column by_itself boolean not null default false;

-- A match is no more than its receipt or payment, whatever races.
create function check_match() returns trigger language plpgsql as $$
declare
  whole bigint;
  reversed timestamptz;
  matched bigint;
begin
  if new.receipt_id is not null then
    select amount_cents, reversed_at into whole, reversed from receipts where id = new.receipt_id for update;
    if reversed is not null then
      raise exception 'the receipt was reversed' using errcode = 'check_violation', constraint = 'bank_matches_fit';
    end if;
    if new.kind = 'returned' then
      matched := -new.amount_cents;
    else
      select coalesce(sum(amount_cents), 0) + new.amount_cents into matched from bank_matches
      where receipt_id = new.receipt_id and undone_at is null and kind in ('made', 'linked');
    end if;
    if matched > whole or new.kind = 'returned' and matched <> whole then
      raise exception 'the receipt is not of this line' using errcode = 'check_violation', constraint = 'bank_matches_fit';
    end if;
  elsif abs(new.amount_cents) <> (select amount_cents from payouts where id = new.payout_id) then
    raise exception 'the payment is not of this line' using errcode = 'check_violation', constraint = 'bank_matches_fit';
  end if;
  return new;
end $$;
create trigger bank_matches_fit before insert on bank_matches for each row execute function check_match();

-- At commit: what a line is comes to its amount, and what the bank took back is reversed.
create function check_placement() returns trigger language plpgsql as $$
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
    where m.placement_id = the_placement and m.undone_at is null
      and (m.kind = 'returned' and r.reversed_at is null or m.kind in ('completed', 'paid') and o.status <> 'completed')
  ) then
    raise exception 'the receipt or payment does not stand as its line says' using errcode = 'check_violation', constraint = 'bank_matches_stand';
  end if;
  return null;
end $$;
create constraint trigger bank_placements_sum after insert on bank_placements
  deferrable initially deferred for each row execute function check_placement();
create constraint trigger bank_matches_sum after insert on bank_matches
  deferrable initially deferred for each row execute function check_placement();

-- A receipt that is reversed lets go of its lines, unless it is the bank that took it back.
create function check_reversed_receipt() returns trigger language plpgsql as $$
begin
  if exists (select from bank_matches where receipt_id = new.id and undone_at is null and kind in ('made', 'linked'))
    and not exists (select from bank_matches where receipt_id = new.id and undone_at is null and kind = 'returned') then
    raise exception 'a line still is this receipt' using errcode = 'check_violation', constraint = 'bank_matches_stand';
  end if;
  return null;
end $$;
create constraint trigger receipts_let_go_of_lines after update of reversed_at on receipts
  deferrable initially deferred for each row when (new.reversed_at is not null) execute function check_reversed_receipt();

-- What was decided stays as it was; it is undone once, with its placement.
create function keep_match() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null or (to_jsonb(old) - 'undone_at') is distinct from (to_jsonb(new) - 'undone_at')
    or new.undone_at is distinct from (select undone_at from bank_placements where id = new.placement_id) then
    raise exception 'what a line is never changes, it is only undone with its placement' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bank_matches_are_kept before update on bank_matches for each row execute function keep_match();
create trigger bank_matches_stay before delete or truncate on bank_matches for each statement execute function refuse_change();

create function undo_matches() returns trigger language plpgsql as $$
begin
  update bank_matches set undone_at = new.undone_at where placement_id = new.id;
  return null;
end $$;
create trigger bank_placements_undo_matches after update of undone_at on bank_placements
  for each row when (old.undone_at is null and new.undone_at is not null) execute function undo_matches();

select protect('bank_matches');
grant select, insert, update (undone_at) on bank_matches to milkwood_staff;

-- What people said of a payer's text: whose it is, or why such lines are not ours. Forgotten, a row stays for its matches.
create table bank_payers (
  id uuid primary key,
  -- Normalised: words without numbers, days and the bank's own.
  payer text not null check (payer <> ''),
  policy_id uuid,
  group_id uuid,
  reason text check (reason in ('charge', 'interest', 'transfer', 'unknown')),
  confirmed integer not null default 0 check (confirmed >= 0),
  declined integer not null default 0 check (declined >= 0),
  last_at timestamptz not null,
  forgotten_at timestamptz,
  forgotten_by uuid,
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null) and (policy_id is null) <> (reason is null))
);
create unique index bank_payers_policy on bank_payers (payer, policy_id) where forgotten_at is null and policy_id is not null;
create unique index bank_payers_reason on bank_payers (payer, reason) where forgotten_at is null and reason is not null;
-- Looked for by its letters alone.
create index bank_payers_letters on bank_payers (replace(payer, ' ', '')) where forgotten_at is null;
create index bank_payers_of_policy on bank_payers (policy_id, last_at) where forgotten_at is null;

-- What a placement taught: taken back with it.
create table bank_lessons (
  placement_id uuid not null references bank_placements (id),
  payer_id uuid not null references bank_payers (id),
  primary key (placement_id, payer_id)
);
create trigger bank_lessons_are_kept before update or delete or truncate on bank_lessons for each statement execute function refuse_change();

-- What somebody said a line is not.
create table bank_declines (
  line_id uuid not null references bank_lines (id),
  -- The candidate's.
  key text not null,
  declined_by uuid,
  declined_at timestamptz not null,
  primary key (line_id, key)
);
create trigger bank_declines_are_kept before update or delete or truncate on bank_declines for each statement execute function refuse_change();

select protect('bank_payers');
grant select, insert, update (confirmed, declined, last_at, forgotten_at, forgotten_by) on bank_payers to milkwood_staff;
grant select, insert on bank_lessons, bank_declines to milkwood_staff;
