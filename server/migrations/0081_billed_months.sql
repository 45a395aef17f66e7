-- Lines say what they bill: the month of a member, and its VAT. Credit notes say what they take back, line by line, and
-- whether they correct what was billed or give something away. So billed can be laid against owed, cent by cent.

alter table invoice_lines
  add column billed_month date check (extract(day from billed_month) = 1),
  add column vat_class text check (vat_class in ('standard', 'zero', 'exempt')),
  add column vat_percent numeric(5, 2) check (vat_percent between 0 and 100),
  add constraint invoice_lines_month_of_a_member check (billed_month is null or member_id is not null),
  add constraint invoice_lines_vat check (vat_class = 'standard' or vat_percent = 0),
  add constraint invoice_lines_with_group unique (id, group_id);

alter table credit_notes
  add column kind text not null default 'correction' check (kind in ('correction', 'concession')),
  add column discount_cents bigint not null default 0,
  drop constraint credit_notes_check,
  -- A correction of what was given away or discounted to nothing takes back nothing, and still counts in what was billed.
  add constraint credit_notes_total check (total_cents = net_cents + vat_cents and total_cents >= 0 and (total_cents > 0 or kind = 'correction'));
alter table credit_notes alter column kind drop default;

create table credit_note_lines (
  id uuid primary key,
  group_id uuid not null,
  credit_note_id uuid not null,
  position integer not null check (position >= 0),
  invoice_line_id uuid not null,
  member_id uuid,
  billed_month date,
  -- What is taken back of the line, without VAT and before discount; of a concession, what is given on it.
  net_cents bigint not null,
  vat_class text not null check (vat_class in ('standard', 'zero', 'exempt')),
  vat_percent numeric(5, 2) not null check (vat_percent between 0 and 100),
  vat_cents bigint not null,
  unique (credit_note_id, position),
  unique (credit_note_id, invoice_line_id),
  foreign key (credit_note_id, group_id) references credit_notes (id, group_id),
  foreign key (invoice_line_id, group_id) references invoice_lines (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id)
);
create index credit_note_lines_invoice_line on credit_note_lines (invoice_line_id);
create index credit_note_lines_member on credit_note_lines (member_id) where member_id is not null;

-- What exists: a premium period bills the month whose 1st it holds, or that in which it begins.
alter table invoices no force row level security;
alter table invoice_lines no force row level security;
alter table credit_notes no force row level security;
update invoice_lines l
set vat_percent = i.vat_percent,
  vat_class = case when i.vat_percent = 0 then 'exempt' else 'standard' end,
  billed_month = case when i.kind = 'premium' and l.member_id is not null then
    case when date_trunc('month', i.period_start_on + interval '1 month - 1 day') <= i.period_end_on
      then date_trunc('month', i.period_start_on + interval '1 month - 1 day')
      else date_trunc('month', i.period_start_on) end end
from invoices i where i.id = l.invoice_id;
alter table invoice_lines alter column vat_class set not null, alter column vat_percent set not null;

-- Credit notes that exist took back a share of every line: each has what its invoice had taken back of the line after it,
-- less what it had before it, so that the shares of all of them sum to what they say, and of a whole credit to the lines.
alter table credit_notes disable trigger credit_notes_are_kept;
create temp table old_credits on commit drop as
  select c.id, c.group_id, c.invoice_id, i.subtotal_cents, i.discount_cents, c.net_cents, c.vat_cents, i.total_cents,
    sum(c.total_cents) over so_far as credited, sum(c.total_cents) over so_far - c.total_cents as before,
    sum(c.net_cents) over so_far as net_credited
  from credit_notes c join invoices i on i.id = c.invoice_id
  window so_far as (partition by c.invoice_id order by c.created_at, c.number);
update credit_notes c set discount_cents = round(o.discount_cents * o.credited::numeric / o.total_cents)
  - round(o.discount_cents * o.before::numeric / o.total_cents)
from old_credits o where o.id = c.id and o.discount_cents > 0;
insert into credit_note_lines (id, group_id, credit_note_id, position, invoice_line_id, member_id, billed_month, net_cents,
  vat_class, vat_percent, vat_cents)
select gen_random_uuid(), s.group_id, s.id, s.position, s.line_id, s.member_id, s.billed_month, s.net,
  s.vat_class, s.vat_percent, s.vat
from (
  select o.id, o.group_id, l.position, l.id as line_id, l.member_id, l.billed_month, l.vat_class, l.vat_percent,
    round(upto.cents * after.gross / o.subtotal_cents) - round((upto.cents - l.total_cents) * after.gross / o.subtotal_cents)
      - round(upto.cents * before.gross / o.subtotal_cents) + round((upto.cents - l.total_cents) * before.gross / o.subtotal_cents) as net,
    round(upto.cents * o.vat_cents::numeric / o.subtotal_cents)
      - round((upto.cents - l.total_cents) * o.vat_cents::numeric / o.subtotal_cents) as vat
  from old_credits o
  cross join lateral (select round(o.discount_cents * o.credited::numeric / o.total_cents) + o.net_credited as gross) after
  cross join lateral (
    select round(o.discount_cents * o.before::numeric / o.total_cents) + o.net_credited - o.net_cents as gross) before
  join invoice_lines l on l.invoice_id = o.invoice_id
  cross join lateral (
    select sum(total_cents)::numeric as cents from invoice_lines u where u.invoice_id = o.invoice_id and u.position <= l.position) upto
) s where s.net <> 0 or s.vat <> 0;
alter table credit_notes enable trigger credit_notes_are_kept;
alter table invoices force row level security;
alter table invoice_lines force row level security;
alter table credit_notes force row level security;

-- VAT is rounded once for each rate of a document. The rate on the invoice is that of its own day.
do $$
declare
  one text;
begin
  for one in select conname from pg_constraint
    where conrelid = 'invoices'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%round(%'
  loop
    execute format('alter table invoices drop constraint %I', one);
  end loop;
end $$;
create or replace function check_invoice_subtotal() returns trigger language plpgsql as $$
declare
  invoice invoices := (select i from invoices i where id = new.id);
  lines bigint;
  vat bigint;
begin
  select coalesce(sum(rate.cents), 0), coalesce(sum(round(rate.cents * rate.vat_percent / 100)), 0) into lines, vat
  from (select vat_percent, sum(total_cents) as cents from invoice_lines where invoice_id = new.id group by vat_percent) rate;
  if lines <> invoice.subtotal_cents or vat <> invoice.vat_cents then
    raise exception 'the lines of invoice % do not add up to its subtotal and VAT', new.number
      using errcode = 'check_violation', constraint = 'invoice_subtotal_is_its_lines';
  end if;
  return null;
end $$;
drop trigger invoice_subtotal_is_its_lines on invoices;
create constraint trigger invoice_subtotal_is_its_lines after insert or update of subtotal_cents, vat_cents, status on invoices
  deferrable initially deferred for each row execute function check_invoice_subtotal();

-- At commit the lines of a credit note add up to it.
create function check_credit_note() returns trigger language plpgsql as $$
declare
  net bigint;
  vat bigint;
begin
  select coalesce(sum(net_cents), 0), coalesce(sum(vat_cents), 0) into net, vat from credit_note_lines where credit_note_id = new.id;
  if net <> new.net_cents + new.discount_cents or vat <> new.vat_cents then
    raise exception 'the lines of credit note % do not add up to it', new.number
      using errcode = 'check_violation', constraint = 'credit_note_is_its_lines';
  end if;
  return null;
end $$;
create constraint trigger credit_note_is_its_lines after insert on credit_notes
  deferrable initially deferred for each row execute function check_credit_note();
-- A line takes what its invoice's line has: member, month and VAT.
create function check_credit_note_lines() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join credit_notes c on c.id = a.credit_note_id join invoice_lines l on l.id = a.invoice_line_id
    where l.invoice_id <> c.invoice_id
      or (l.member_id, l.billed_month, l.vat_class, l.vat_percent) is distinct from (a.member_id, a.billed_month, a.vat_class, a.vat_percent)
  ) then
    raise exception 'a line of a credit note says what the line of its invoice says' using errcode = 'check_violation';
  end if;
  -- All at once: lines that are added later would add up to more.
  if exists (
    select from credit_notes c
    where c.id in (select credit_note_id from added) and (c.net_cents + c.discount_cents, c.vat_cents) <> (
      select sum(net_cents), sum(vat_cents) from credit_note_lines where credit_note_id = c.id)
  ) then
    raise exception 'the lines of a credit note do not add up to it'
      using errcode = 'check_violation', constraint = 'credit_note_is_its_lines';
  end if;
  return null;
end $$;
create trigger credit_note_lines_follow after insert on credit_note_lines
  referencing new table as added for each statement execute function check_credit_note_lines();
create trigger credit_note_lines_are_kept before update or delete or truncate on credit_note_lines execute function refuse_change();

-- What a policy was billed is asked by its invoices, all but the cancelled.
create index invoices_billing on invoices (policy_id) where status <> 'cancelled';
create index credit_notes_policy on credit_notes (policy_id);

select protect('credit_note_lines');
grant select, insert on credit_note_lines to milkwood_staff;
grant select on credit_note_lines to milkwood_scoped;
