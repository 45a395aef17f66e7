-- Who changed the payee last: other bank details need another person's approval, whatever the release limit says.
alter table payouts add column payee_changed_by uuid;
alter table payouts add constraint payouts_changed_payee_is_approved check (released_by <> payee_changed_by);
