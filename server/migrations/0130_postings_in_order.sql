-- A posting carries its day, its place in the journal and its words, as its entry has them, and an id: a page of an
-- account, and the balance after each of its rows, are read along one index, and a search finds an account's own
-- postings by theirs. An entry never changes, so what is carried cannot come to differ from it.

create extension if not exists btree_gin;

alter table ledger_postings
  add column id uuid not null default gen_random_uuid(),
  add column effective_on date,
  add column seq bigint,
  add column words text;

alter table ledger_postings no force row level security;
alter table ledger_postings disable trigger ledger_postings_are_kept;
update ledger_postings p set effective_on = e.effective_on, seq = e.seq, words = lower(e.description)
from ledger_entries e where e.id = p.entry_id;
alter table ledger_postings enable trigger ledger_postings_are_kept;
alter table ledger_postings force row level security;
alter table ledger_postings alter column effective_on set not null, alter column seq set not null,
  alter column words set not null, add unique (id);

create function carry_what_the_entry_says() returns trigger language plpgsql as $$
begin
  select effective_on, seq, lower(description) into new.effective_on, new.seq, new.words
  from ledger_entries where id = new.entry_id;
  return new;
end $$;
create trigger postings_carry_their_entry before insert on ledger_postings
  for each row execute function carry_what_the_entry_says();

drop index ledger_postings_account;
drop index ledger_postings_policy;
create index ledger_postings_account on ledger_postings (account, effective_on, seq, line, id) include (amount_cents);
create index ledger_postings_policy on ledger_postings (policy_id, account, effective_on, seq, line, id) include (amount_cents);
create index ledger_postings_words on ledger_postings using gin (account, words gin_trgm_ops);
