-- The journal. A debit is an amount above zero, a credit one below (domain/src/ledger/account.ts says so once).
-- An entry is never changed or deleted, by anybody: a correction is a reversal.

create table ledger_entries (
  id uuid primary key,
  -- What it comes from; unique, so that an event can never be posted twice.
  source text not null unique,
  kind text not null check (kind in (
    'invoice_sent', 'credit_note', 'receipt_taken', 'allocation', 'claim_approved', 'claim_payout_completed',
    'refund_released', 'refund_completed', 'write_off', 'reversal'
  )),
  -- The entry that this one undoes; an entry can be undone once.
  reverses_id uuid unique references ledger_entries (id),
  effective_on date not null,
  posted_at timestamptz not null,
  description text not null check (description <> ''),
  record_kind text not null check (record_kind <> ''),
  record_id uuid not null,
  check ((kind = 'reversal') = (reverses_id is not null))
);

create index ledger_entries_effective on ledger_entries (effective_on, posted_at, id);
create index ledger_entries_record on ledger_entries (record_kind, record_id);

create table ledger_postings (
  entry_id uuid not null references ledger_entries (id),
  line smallint not null check (line >= 0),
  account text not null check (account in (
    'bank', 'premium_debtors', 'unallocated_receipts', 'claims_payable', 'refunds_payable', 'vat_output',
    'premium_income', 'claims_expense', 'write_offs'
  )),
  policy_id uuid,
  group_id uuid,
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (entry_id, line),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null)),
  check (account not in ('premium_debtors', 'unallocated_receipts') or policy_id is not null)
);

create index ledger_postings_account on ledger_postings (account, entry_id) include (amount_cents);
create index ledger_postings_policy on ledger_postings (policy_id, account) include (amount_cents);

-- At commit every entry that was touched has at least two postings, which add up to nothing.
create function check_ledger_entry() returns trigger language plpgsql as $$
declare
  entry uuid := case tg_table_name when 'ledger_entries' then (to_jsonb(new) ->> 'id')::uuid
                                   else (to_jsonb(new) ->> 'entry_id')::uuid end;
  total numeric;
  lines integer;
begin
  select coalesce(sum(amount_cents), 0), count(*) into total, lines from ledger_postings where entry_id = entry;
  if lines < 2 or total <> 0 then
    raise exception 'ledger entry % does not balance: % postings, % cents', entry, lines, total
      using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;

create constraint trigger ledger_entry_balances after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_entry();
create constraint trigger ledger_posting_balances after insert on ledger_postings
  deferrable initially deferred for each row execute function check_ledger_entry();

create trigger ledger_entries_are_kept before update or delete or truncate on ledger_entries execute function refuse_change();
create trigger ledger_postings_are_kept before update or delete or truncate on ledger_postings execute function refuse_change();

-- Nobody may change or delete; the scoped role sees nothing of the ledger at all.
select protect('ledger_postings');
grant select, insert on ledger_entries, ledger_postings to milkwood_staff;
