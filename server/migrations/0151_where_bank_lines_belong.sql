-- Where lines of the bank belong: to a receipt that is there, or for which reason they are not ours.

create table bank_placements (
  id uuid primary key,
  line_id uuid not null references bank_lines (id),
  kind text not null check (kind in ('receipt', 'charge', 'interest', 'transfer', 'unknown')),
  note text not null default '',
  receipt_id uuid,
  -- The receipt's.
  group_id uuid,
  placed_by uuid,
  placed_at timestamptz not null,
  undone_by uuid,
  undone_at timestamptz,
  foreign key (receipt_id, group_id) references receipts (id, group_id),
  check ((kind = 'receipt') = (receipt_id is not null) and (receipt_id is null) = (group_id is null)),
  check (kind <> 'unknown' or btrim(note) <> '')
);
-- A line belongs to one thing at a time, and a receipt to one line.
create unique index bank_placements_line on bank_placements (line_id) where undone_at is null;
create unique index bank_placements_receipt on bank_placements (receipt_id) where undone_at is null and receipt_id is not null;
create index bank_placements_kind on bank_placements (kind, line_id) where undone_at is null;

-- A receipt is a line's when it is as much, and still stands.
create function check_placed_receipt() returns trigger language plpgsql as $$
begin
  if not exists (select from bank_lines l, receipts r where l.id = new.line_id and r.id = new.receipt_id
    and l.amount_cents = r.amount_cents and r.reversed_at is null) then
    raise exception 'the receipt is not of this line' using errcode = 'check_violation', constraint = 'bank_placements_receipt_fits';
  end if;
  return new;
end $$;
create trigger bank_placements_receipt_fits before insert on bank_placements
  for each row when (new.receipt_id is not null) execute function check_placed_receipt();

-- What was decided stays as it was; it is undone once.
create function keep_placement() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null
    or (to_jsonb(old) - array['undone_by', 'undone_at']) is distinct from (to_jsonb(new) - array['undone_by', 'undone_at']) then
    raise exception 'where a line was put is never changed, only undone once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bank_placements_are_kept before update on bank_placements for each row execute function keep_placement();
create trigger bank_placements_stay before delete or truncate on bank_placements for each statement execute function refuse_change();

select protect('bank_placements');
grant select, insert, update (undone_by, undone_at) on bank_placements to milkwood_staff;

-- When an account was opened here: what the ledger had by then is in its opening balance.
alter table bank_accounts add column opened_at timestamptz;
update bank_accounts a set opened_at = (select min(imported_at) from bank_statements where account_id = a.id) where opened_on is not null;
alter table bank_accounts add check ((opened_on is null) = (opened_at is null));

create index receipts_amount_received on receipts (amount_cents, received_on) where reversed_at is null;

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in (
  'invoice_sent', 'credit_note', 'receipt_taken', 'allocation', 'claim_approved', 'claim_payout_completed',
  'refund_released', 'refund_completed', 'write_off', 'bank_opening', 'bank_charge', 'bank_interest', 'reversal'
));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'bank', 'premium_debtors', 'unallocated_receipts', 'claims_payable', 'refunds_payable', 'vat_output',
  'premium_income', 'interest_received', 'claims_expense', 'bank_charges', 'opening_balances', 'write_offs'
));
