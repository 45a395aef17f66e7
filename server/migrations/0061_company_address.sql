-- The buyer's address: a tax invoice above R 5 000 states it.
alter table policies add column company_address text not null default '';
-- Whether what was sent about a record was mailed.
create index mails_about on mails (about_id, created_at desc) where about_id is not null;
