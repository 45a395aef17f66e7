create function refuse_lines_unless_draft() returns trigger language plpgsql as $$
begin
  if exists (select from changed_lines join invoices on invoices.id = changed_lines.invoice_id where status <> 'draft') then
    raise exception 'the lines of an invoice change only while it is a draft' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger refuse_lines_unless_draft_on_insert after insert on invoice_lines
  referencing new table as changed_lines for each statement execute function refuse_lines_unless_draft();
create trigger refuse_lines_unless_draft_on_delete after delete on invoice_lines
  referencing old table as changed_lines for each statement execute function refuse_lines_unless_draft();

create function sync_credited_amount() returns trigger language plpgsql as $$
begin
  update invoices set credited_cents = credited_cents + new.total_cents where id = new.invoice_id;
  return null;
end $$;
create trigger sync_credited_amount after insert on credit_notes for each row execute function sync_credited_amount();

create function check_invoice_subtotal() returns trigger language plpgsql as $$
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
create constraint trigger check_invoice_subtotal after insert or update of subtotal_cents, vat_cents, status on invoices
  deferrable initially deferred for each row execute function check_invoice_subtotal();

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
create constraint trigger check_credit_note after insert on credit_notes
  deferrable initially deferred for each row execute function check_credit_note();

create function check_credit_note_lines() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join credit_notes c on c.id = a.credit_note_id join invoice_lines l on l.id = a.invoice_line_id
    where l.invoice_id <> c.invoice_id
      or (l.member_id, l.billed_month, l.vat_class, l.vat_percent) is distinct from (a.member_id, a.billed_month, a.vat_class, a.vat_percent)
  ) then
    raise exception 'a line of a credit note must match the line of its invoice' using errcode = 'check_violation';
  end if;
  -- Checks all lines: lines added by a later statement would exceed the total.
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
create trigger check_credit_note_lines after insert on credit_note_lines
  referencing new table as added for each statement execute function check_credit_note_lines();

create function check_sent_invoice() returns trigger language plpgsql as $$
declare
  moving text[] := array['credited_whole_at', 'credited_cents', 'allocated_cents', 'written_off_cents', 'version'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a sent or cancelled invoice is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_sent_invoice before update on invoices
  for each row when (old.status in ('sent', 'cancelled') and not is_forgetting()) execute function check_sent_invoice();

create function check_invoice_settled() returns trigger language plpgsql as $$
begin
  if exists (select from invoices i where i.id = new.id
    and i.credited_cents + i.allocated_cents + i.written_off_cents > case when i.status = 'sent' then i.total_cents else 0 end) then
    raise exception 'invoice % is settled beyond its total', new.number
      using errcode = 'check_violation', constraint = 'invoice_not_over_settled';
  end if;
  return null;
end $$;
create constraint trigger check_invoice_settled after update of credited_cents, allocated_cents, written_off_cents on invoices
  deferrable initially deferred for each row execute function check_invoice_settled();

create function check_credit_note_change() returns trigger language plpgsql as $$
begin
  if old.pdf_file_id is not null or (to_jsonb(old) - 'pdf_file_id') is distinct from (to_jsonb(new) - 'pdf_file_id') then
    raise exception 'a credit note is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_credit_note_change before update on credit_notes for each row when (not is_forgetting()) execute function check_credit_note_change();

-- Invoices sent before this rule have no reason and can still be paid.
create function refuse_discount_without_reason() returns trigger language plpgsql as $$
begin
  raise exception 'a discount must have a reason' using errcode = 'check_violation', constraint = 'invoice_discount_has_reason';
end $$;
create trigger refuse_discount_without_reason before insert or update of discount_cents, discount_reason on invoices
  for each row when (new.discount_cents > 0 and btrim(new.discount_reason) = '') execute function refuse_discount_without_reason();

create function check_billed_policy_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(old) - array['send_failure', 'credit_notes_mailed_at'])
    is distinct from (to_jsonb(new) - array['send_failure', 'credit_notes_mailed_at'])
    or (old.credit_notes_mailed_at is not null and new.credit_notes_mailed_at is distinct from old.credit_notes_mailed_at)
  then
    raise exception 'the result of a premium run is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_billed_policy_change before update or delete on billing_run_policies
  for each row when (old.state = 'made') execute function check_billed_policy_change();

create function sync_invoice_vat() returns trigger language plpgsql as $$
begin
  insert into invoice_vat (invoice_id, group_id, vat_class, vat_percent, net_cents, position)
  select new.id, new.group_id, vat_class, vat_percent, sum(total_cents), min(position)
  from invoice_lines where invoice_id = new.id group by vat_class, vat_percent;
  return null;
end $$;
create trigger sync_invoice_vat after update of status on invoices
  for each row when (new.status = 'sent' and old.status <> 'sent') execute function sync_invoice_vat();

-- A draft has no figures.
create function set_line_figures() returns trigger language plpgsql as $$
begin
  select count(*), count(distinct member_id),
    coalesce(sum(total_cents) filter (where billed_month < date_trunc('month', new.period_start_on)), 0)
  into new.line_count, new.member_count, new.earlier_cents
  from invoice_lines where invoice_id = new.id;
  return new;
end $$;
create trigger set_line_figures before update of status on invoices
  for each row when (new.status = 'sent' and old.status <> 'sent') execute function set_line_figures();

-- Removed lines may have billed a settled month, so no month of the policy counts as settled any more.
create function clear_settled_months() returns trigger language plpgsql as $$
begin
  delete from settled_months where policy_id in (
    select policy_id from invoices where id in (select invoice_id from removed_lines));
  return null;
end $$;
create trigger clear_settled_months after delete on invoice_lines
  referencing old table as removed_lines for each statement execute function clear_settled_months();

-- The billed month of the line. Without one, the month that a premium period bills, otherwise the month in which the
-- period begins.
create function cover_month(billed_month date, kind text, period_start_on date, period_end_on date) returns date
language sql immutable parallel safe
return coalesce(billed_month, case
  when kind = 'premium' and extract(day from period_start_on) > 1
    and (date_trunc('month', period_start_on::timestamp) + interval '1 month')::date <= period_end_on
  then (date_trunc('month', period_start_on::timestamp) + interval '1 month')::date
  else date_trunc('month', period_start_on::timestamp)::date end);

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
create constraint trigger check_premium_parts after update of status on invoices deferrable initially deferred
  for each row when (old.status <> 'sent' and new.status = 'sent') execute function check_premium_parts();
create constraint trigger check_premium_parts after insert on credit_notes deferrable initially deferred
  for each row execute function check_premium_parts();

-- The amounts of premium_parts from the lines. A discount is shared in proportion to the months. Rounding the running
-- total makes the parts sum to the cent.
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
grant select on premium_of_lines to milkwood_staff;

-- Triggers that call functions of other rooms.
create trigger refuse_figures_on_update before update of credited_cents on invoices
  for each row when (pg_trigger_depth() = 0) execute function refuse_derived_figures();
create trigger refuse_figures_on_insert before insert on invoices
  for each row when (new.credited_cents <> 0 or new.allocated_cents <> 0 or new.written_off_cents <> 0) execute function refuse_derived_figures();
create trigger refuse_change before update or delete or truncate on credit_note_lines execute function refuse_change();
create trigger refuse_delete before delete or truncate on credit_notes execute function refuse_change();
create trigger refuse_derived_figures before insert or update or delete on invoice_vat
  for each row when (pg_trigger_depth() = 0) execute function refuse_derived_figures();
create trigger refuse_line_figures_on_insert before insert on invoices
  for each row when (new.line_count is not null or new.member_count is not null or new.earlier_cents is not null)
  execute function refuse_derived_figures();
