-- What a sent invoice bills by class and rate of VAT, without VAT and before discount: added up once, when it is sent, since
-- its lines never change from then on. VAT of a month reads a row or two of an invoice, however many lines that has.

create table invoice_vat (
  invoice_id uuid not null,
  group_id uuid not null,
  vat_class text not null check (vat_class in ('standard', 'zero', 'exempt')),
  vat_percent numeric(5, 2) not null check (vat_percent between 0 and 100),
  net_cents bigint not null,
  primary key (invoice_id, vat_class, vat_percent),
  foreign key (invoice_id, group_id) references invoices (id, group_id)
);

alter table invoices no force row level security;
alter table invoice_lines no force row level security;
insert into invoice_vat (invoice_id, group_id, vat_class, vat_percent, net_cents)
select l.invoice_id, l.group_id, l.vat_class, l.vat_percent, sum(l.total_cents)
from invoice_lines l join invoices i on i.id = l.invoice_id where i.status = 'sent' group by 1, 2, 3, 4;
alter table invoices force row level security;
alter table invoice_lines force row level security;

create function keep_invoice_vat() returns trigger language plpgsql as $$
begin
  insert into invoice_vat (invoice_id, group_id, vat_class, vat_percent, net_cents)
  select new.id, new.group_id, vat_class, vat_percent, sum(total_cents)
  from invoice_lines where invoice_id = new.id group by vat_class, vat_percent;
  return null;
end $$;
create trigger invoices_keep_their_vat after update of status on invoices
  for each row when (new.status = 'sent' and old.status <> 'sent') execute function keep_invoice_vat();
create trigger invoice_vat_follows before insert or update or delete on invoice_vat
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('invoice_vat');
grant select, insert on invoice_vat to milkwood_staff;
