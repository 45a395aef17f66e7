-- The documents of a mail that covers several, such as the credit notes of one correction. Such a mail has no about_id.
create table mail_documents (
  mail_id uuid not null references mails (id) on delete cascade,
  document_id uuid not null,
  document_kind text not null check (document_kind in ('credit_note')),
  group_id uuid not null,
  primary key (mail_id, document_id),
  foreign key (document_id, group_id) references credit_notes (id, group_id)
);
create index mail_documents_document on mail_documents (document_id, mail_id);
select protect('mail_documents');
grant select, insert on mail_documents to milkwood_staff;
