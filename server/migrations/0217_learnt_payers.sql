-- What was learnt of payers, the latest first.
create index bank_payers_newest on bank_payers (last_at, id) where forgotten_at is null;
