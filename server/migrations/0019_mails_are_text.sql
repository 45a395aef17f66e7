-- Every mail is plain text.

alter table mails drop column html_body;
