-- What each account and policy was posted in a month, kept by the statements that post: a balance is a sum of months and
-- of what came since, however long the books are. verifyLedger holds it against the postings.

create table ledger_months (
  account text not null,
  policy_id uuid,
  group_id uuid,
  month date not null check (month = date_trunc('month', month)),
  debit_cents bigint not null check (debit_cents >= 0),
  credit_cents bigint not null check (credit_cents >= 0),
  postings integer not null check (postings > 0),
  constraint ledger_months_once unique nulls not distinct (account, policy_id, month),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((policy_id is null) = (group_id is null))
);
create index ledger_months_policy on ledger_months (policy_id, account, month);

alter table ledger_postings no force row level security;
insert into ledger_months (account, policy_id, group_id, month, debit_cents, credit_cents, postings)
select p.account, p.policy_id, p.group_id, date_trunc('month', e.effective_on), coalesce(sum(p.amount_cents) filter (where p.amount_cents > 0), 0),
  coalesce(-sum(p.amount_cents) filter (where p.amount_cents < 0), 0), count(*)
from ledger_postings p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3, 4;
alter table ledger_postings force row level security;

create function keep_ledger_months() returns trigger language plpgsql as $$
begin
  insert into ledger_months as kept (account, policy_id, group_id, month, debit_cents, credit_cents, postings)
  select p.account, p.policy_id, p.group_id, date_trunc('month', e.effective_on), coalesce(sum(p.amount_cents) filter (where p.amount_cents > 0), 0),
    coalesce(-sum(p.amount_cents) filter (where p.amount_cents < 0), 0), count(*)
  from added p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict on constraint ledger_months_once do update set debit_cents = kept.debit_cents + excluded.debit_cents,
    credit_cents = kept.credit_cents + excluded.credit_cents, postings = kept.postings + excluded.postings;
  return null;
end $$;
create trigger postings_are_added_up after insert on ledger_postings
  referencing new table as added for each statement execute function keep_ledger_months();
create trigger ledger_months_follow before insert or update or delete on ledger_months
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('ledger_months');
grant select, insert, update on ledger_months to milkwood_staff;
