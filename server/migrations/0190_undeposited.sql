-- Cash, cheques and cards wait in "undeposited" until a statement shows them. What came in by hand before this was booked
-- to the bank and stays there: nothing is posted anew, and a line that shows it posts nothing.

alter table receipts add column paid_into text not null default 'bank' check (paid_into in ('bank', 'undeposited'));
-- A transfer has reached the bank by itself.
alter table receipts add constraint receipts_transfer_into_bank check (paid_into = 'bank' or method <> 'bank_transfer');
-- Of a receipt that is recorded from now on, its method says it.
create function check_receipt_paid_into() returns trigger language plpgsql as $$
begin
  if (new.paid_into = 'bank') <> (new.method = 'bank_transfer') then
    raise exception 'a receipt by % is not booked to %', new.method, new.paid_into
      using errcode = 'check_violation', constraint = 'receipts_paid_into_by_method';
  end if;
  return new;
end $$;
create trigger receipts_paid_into_by_method before insert on receipts
  for each row execute function check_receipt_paid_into();
