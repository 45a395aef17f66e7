-- The order of posting: a statement reads as it happened, also where several entries share a day and an instant.
alter table ledger_entries add column seq bigint generated always as identity unique;

drop index ledger_entries_effective;
create index ledger_entries_effective on ledger_entries (effective_on, seq);
