-- What a sent invoice's lines come to is added up once, when it is sent, since they never change from then on: how many
-- there are, how many members they are for, and what of them bills months before its own; and where in its lines each
-- class and rate of VAT comes first. A page about an invoice of 85,000 lines reads a row or two.

alter table invoices
  add column line_count integer,
  add column member_count integer,
  add column earlier_cents bigint,
  add constraint invoice_lines_are_counted_when_sent check (
    status = 'sent' or line_count is null and member_count is null and earlier_cents is null);
alter table invoice_vat add column position integer;

alter table invoices no force row level security;
alter table invoice_lines no force row level security;
alter table invoice_vat no force row level security;
alter table invoices disable trigger user;
alter table invoice_vat disable trigger user;
update invoices i set line_count = l.line_count, member_count = l.member_count, earlier_cents = l.earlier_cents
from (
  select l.invoice_id, count(*) as line_count, count(distinct l.member_id) as member_count,
    coalesce(sum(l.total_cents) filter (where l.billed_month < date_trunc('month', i.period_start_on)), 0) as earlier_cents
  from invoice_lines l join invoices i on i.id = l.invoice_id where i.status = 'sent' group by l.invoice_id
) l where l.invoice_id = i.id;
update invoice_vat v set position = l.position
from (select invoice_id, vat_class, vat_percent, min(position) as position from invoice_lines group by 1, 2, 3) l
where l.invoice_id = v.invoice_id and l.vat_class = v.vat_class and l.vat_percent = v.vat_percent;
alter table invoices enable trigger user;
alter table invoice_vat enable trigger user;
alter table invoices force row level security;
alter table invoice_lines force row level security;
alter table invoice_vat force row level security;
alter table invoice_vat alter column position set not null;

-- A draft has none, and whatever was written as it is sent, it is what the lines say.
create function keep_line_figures() returns trigger language plpgsql as $$
begin
  select count(*), count(distinct member_id),
    coalesce(sum(total_cents) filter (where billed_month < date_trunc('month', new.period_start_on)), 0)
  into new.line_count, new.member_count, new.earlier_cents
  from invoice_lines where invoice_id = new.id;
  return new;
end $$;
create trigger invoices_count_their_lines before update of status on invoices
  for each row when (new.status = 'sent' and old.status <> 'sent') execute function keep_line_figures();
create trigger invoice_lines_are_counted_by_nobody_else before insert on invoices
  for each row when (new.line_count is not null or new.member_count is not null or new.earlier_cents is not null)
  execute function refuse_kept_figures();

create or replace function keep_invoice_vat() returns trigger language plpgsql as $$
begin
  insert into invoice_vat (invoice_id, group_id, vat_class, vat_percent, net_cents, position)
  select new.id, new.group_id, vat_class, vat_percent, sum(total_cents), min(position)
  from invoice_lines where invoice_id = new.id group by vat_class, vat_percent;
  return null;
end $$;

-- An employer's people see an invoice's VAT as they see its lines: of their groups, once it is sent.
grant select on invoice_vat to milkwood_scoped;
