-- A discount of an invoice has a reason, and may be a percentage of the subtotal.
alter table invoices
  add column discount_percent numeric(5, 2) check (discount_percent > 0 and discount_percent <= 100),
  add column discount_reason text not null default '',
  add constraint invoice_discount_is_its_percentage
    check (discount_percent is null or discount_cents = round(subtotal_cents * discount_percent / 100));

-- Invoices from before have none: what was sent is never changed, and goes on being paid.
create function refuse_discount_without_reason() returns trigger language plpgsql as $$
begin
  raise exception 'a discount has a reason' using errcode = 'check_violation', constraint = 'invoice_discount_has_reason';
end $$;
create trigger invoice_discount_has_reason before insert or update of discount_cents, discount_reason on invoices
  for each row when (new.discount_cents > 0 and btrim(new.discount_reason) = '') execute function refuse_discount_without_reason();
