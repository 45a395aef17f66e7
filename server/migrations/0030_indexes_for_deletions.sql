-- A deletion looks for the rows that refer to the deleted one. Without an index it reads the whole table for each row.

create index bank_placements_of_line on bank_placements (line_id);
create index payouts_claim on payouts (claim_id) where claim_id is not null;

create index bank_statements_file on bank_statements (file_id) where file_id is not null;
create index bank_uploads_file on bank_uploads (file_id) where file_id is not null;
create index credit_notes_pdf_file on credit_notes (pdf_file_id) where pdf_file_id is not null;
create index invoices_pdf_file on invoices (pdf_file_id) where pdf_file_id is not null;
create index payment_answers_file on payment_answers (file_id) where file_id is not null;
create index person_files_file on person_files (file_id) where file_id is not null;
create index remittances_file on remittances (file_id) where file_id is not null;
create index report_runs_file on report_runs (file_id) where file_id is not null;
create index signed_checklists_file on signed_checklists (file_id) where file_id is not null;
create index signed_reconciliations_csv_file on signed_reconciliations (csv_file_id) where csv_file_id is not null;
create index signed_reconciliations_pdf_file on signed_reconciliations (pdf_file_id) where pdf_file_id is not null;
create index staff_lists_file on staff_lists (file_id) where file_id is not null;
create index staff_lists_rows_file on staff_lists (rows_file_id) where rows_file_id is not null;

create index policy_expiry_warnings_mail on policy_expiry_warnings (mail_id) where mail_id is not null;
create index premium_contacts_mail on premium_contacts (mail_id) where mail_id is not null;

-- A user is deactivated. No command deletes one, and many tables refer to users without an index.
revoke delete on users from milkwood_auth;
