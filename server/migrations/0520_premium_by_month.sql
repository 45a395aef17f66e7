-- Premium is income in the month that it covers. Premium billed for a later month waits in unearned premium until the
-- first of that month. Premium billed late counts in its own month while that is open, against accrued premium, which the
-- document clears on its day.

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in (
  'invoice_sent', 'credit_note', 'premium_earned', 'receipt_taken', 'receipt_deposited', 'allocation', 'claim_approved',
  'claim_payout_completed', 'claim_payout_returned', 'refund_released', 'refund_completed', 'refund_returned',
  'write_off', 'bank_opening', 'bank_charge', 'bank_interest', 'reversal'
));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'bank', 'undeposited', 'premium_debtors', 'accrued_premium', 'unallocated_receipts', 'claims_payable', 'refunds_payable',
  'vat_output', 'unearned_premium', 'premium_income', 'interest_received', 'claims_expense', 'bank_charges',
  'opening_balances', 'write_offs'
));

-- What a sent invoice or a credit note bills for each cover month, without VAT and after discount. Below zero where it
-- takes premium back.
create table premium_parts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  invoice_id uuid not null,
  -- Null for the invoice itself.
  credit_note_id uuid,
  -- The number of the document.
  number text not null check (number <> ''),
  month date not null check (extract(day from month) = 1),
  net_cents bigint not null check (net_cents <> 0),
  -- The day on which the document's entry counts.
  posted_on date not null,
  -- The day on which it counts as income; null until its month begins. The same as posted_on where the document's own
  -- entry posts it as income.
  earned_on date,
  -- Posted before premium was deferred: income on the document's day, whatever its month.
  is_earned_at_once boolean not null default false,
  constraint premium_parts_once unique nulls not distinct (invoice_id, credit_note_id, month),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (credit_note_id, group_id) references credit_notes (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
create index premium_parts_due on premium_parts (month) where earned_on is null;
create index premium_parts_policy on premium_parts (policy_id, month) include (net_cents, earned_on);
create index premium_parts_month on premium_parts (month) include (policy_id, net_cents, earned_on);
-- Which invoices bill months after another, for the check of deferred income.
create index invoice_lines_months on invoice_lines using brin (billed_month);

-- The month that a line covers: the one that it names; else the month that a premium period bills, or in which another
-- period begins.
create function cover_month(billed_month date, kind text, period_start_on date, period_end_on date) returns date
language sql immutable parallel safe
return coalesce(billed_month, case
  when kind = 'premium' and extract(day from period_start_on) > 1
    and (date_trunc('month', period_start_on::timestamp) + interval '1 month')::date <= period_end_on
  then (date_trunc('month', period_start_on::timestamp) + interval '1 month')::date
  else date_trunc('month', period_start_on::timestamp)::date end);

-- The same amounts as premium_parts, worked out from the lines of the documents alone. A discount is shared in proportion
-- to what each month bills, up to each month in turn, so that the parts add up to the cent.
create view premium_of_lines with (security_invoker = true) as
select invoice_id, credit_note_id, group_id, policy_id, number, month,
  (sign * (cents - case when whole <> 0 then round(discount_cents * up_to / whole) - round(discount_cents * (up_to - cents) / whole)
    when nth = 1 then discount_cents else 0 end))::bigint as net_cents
from (
  select *, row_number() over (partition by invoice_id, credit_note_id order by month) as nth,
    sum(cents) over (partition by invoice_id, credit_note_id order by month) as up_to,
    sum(cents) over (partition by invoice_id, credit_note_id) as whole
  from (
    select i.id as invoice_id, null::uuid as credit_note_id, i.group_id, i.policy_id, i.number, i.discount_cents, 1 as sign,
      cover_month(l.billed_month, i.kind, i.period_start_on, i.period_end_on) as month, sum(l.total_cents) as cents
    from invoices i join invoice_lines l on l.invoice_id = i.id where i.status = 'sent'
    group by i.id, cover_month(l.billed_month, i.kind, i.period_start_on, i.period_end_on)
    union all
    select n.invoice_id, n.id, n.group_id, n.policy_id, n.number, n.discount_cents, -1,
      cover_month(l.billed_month, i.kind, i.period_start_on, i.period_end_on), sum(l.net_cents)
    from credit_notes n join invoices i on i.id = n.invoice_id join credit_note_lines l on l.credit_note_id = n.id
    group by n.id, cover_month(l.billed_month, i.kind, i.period_start_on, i.period_end_on)
  ) lines
) shared;

-- Documents posted so far were income on their own day; their postings stay as they are.
alter table invoices no force row level security;
alter table invoice_lines no force row level security;
alter table credit_notes no force row level security;
alter table credit_note_lines no force row level security;
insert into premium_parts (id, group_id, policy_id, invoice_id, credit_note_id, number, month, net_cents, posted_on, earned_on,
  is_earned_at_once)
select gen_random_uuid(), p.group_id, p.policy_id, p.invoice_id, p.credit_note_id, p.number, p.month, p.net_cents,
  e.effective_on, e.effective_on, true
from premium_of_lines p
join ledger_entries e on e.source = case when p.credit_note_id is null then 'invoice:' || p.invoice_id || ':sent'
  else 'credit-note:' || p.credit_note_id end
where p.net_cents <> 0;
alter table invoices force row level security;
alter table invoice_lines force row level security;
alter table credit_notes force row level security;
alter table credit_note_lines force row level security;

-- A part is released once, by the entry that says so; nothing else of it changes.
create function check_premium_part() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.earned_on is not null or new.earned_on is null
    or (to_jsonb(old) - 'earned_on') is distinct from (to_jsonb(new) - 'earned_on')
  then
    raise exception 'a part of premium is released once, and nothing else of it changes'
      using errcode = 'restrict_violation', constraint = 'premium_parts_are_kept';
  end if;
  if not exists (select from ledger_entries where effective_on = new.earned_on
    and source = case when new.credit_note_id is null then 'invoice:' || new.invoice_id else 'credit-note:' || new.credit_note_id end
      || ':earned:' || to_char(new.month, 'YYYY-MM'))
  then
    raise exception 'no entry releases the premium of %', new.month
      using errcode = 'check_violation', constraint = 'premium_parts_are_posted';
  end if;
  return new;
end $$;
create trigger premium_parts_are_kept before update or delete on premium_parts
  for each row execute function check_premium_part();
create trigger premium_parts_are_not_emptied before truncate on premium_parts execute function refuse_change();

-- At commit the parts of a sent invoice, and those of a credit note, add up to what it bills without VAT.
create function check_premium_parts() returns trigger language plpgsql as $$
declare
  parts bigint := (select coalesce(sum(net_cents), 0) from premium_parts
    where case tg_table_name when 'invoices' then invoice_id = new.id and credit_note_id is null else credit_note_id = new.id end);
  net bigint := case tg_table_name when 'invoices'
    then (to_jsonb(new) ->> 'subtotal_cents')::bigint - (to_jsonb(new) ->> 'discount_cents')::bigint
    else -(to_jsonb(new) ->> 'net_cents')::bigint end;
begin
  if parts <> net then
    raise exception 'the premium of % by month does not add up: % of %', new.number, parts, net
      using errcode = 'check_violation', constraint = 'premium_parts_add_up';
  end if;
  return null;
end $$;
create constraint trigger premium_parts_add_up after update of status on invoices deferrable initially deferred
  for each row when (old.status <> 'sent' and new.status = 'sent') execute function check_premium_parts();
create constraint trigger premium_parts_add_up after insert on credit_notes deferrable initially deferred
  for each row execute function check_premium_parts();

-- A month closes after the premium of it, and of those before it, was released.
create function refuse_unreleased_premium() returns trigger language plpgsql as $$
begin
  if exists (select from premium_parts where earned_on is null and month <= new.month) then
    raise exception 'premium up to % is not released', new.month
      using errcode = 'restrict_violation', constraint = 'closed_months_are_released';
  end if;
  return new;
end $$;
create trigger closed_months_are_released before insert on closed_months
  for each row execute function refuse_unreleased_premium();

select protect('premium_parts');
grant select, insert on premium_parts to milkwood_staff;
grant update (earned_on) on premium_parts to milkwood_staff;
grant select on premium_of_lines to milkwood_staff;
