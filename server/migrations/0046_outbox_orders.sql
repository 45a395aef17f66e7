-- The outbox by every order it offers, its tabs counted without a look at the mails, and any part of an address or a
-- subject found.

drop index mails_newest;
create index mails_by_time on mails (created_at, id);
create index mails_by_address on mails (lower(to_address), id);
create index mails_by_subject on mails (lower(subject), id);
create index mails_by_state on mails (state);
create index mails_address_trigrams on mails using gin (lower(to_address) gin_trgm_ops);
create index mails_subject_trigrams on mails using gin (lower(subject) gin_trgm_ops);
