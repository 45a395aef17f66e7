-- The bank reconciliation of a month as it was when the month was closed; its PDF and CSV are made and kept right after.
create table signed_reconciliations (
  closed_month_id uuid primary key references closed_months (id),
  content jsonb not null,
  pdf_file_id uuid references files (id),
  pdf_sha256 text,
  csv_file_id uuid references files (id),
  csv_sha256 text,
  check ((pdf_file_id is null) = (pdf_sha256 is null) and (pdf_file_id is null) = (csv_file_id is null)
    and (pdf_file_id is null) = (csv_sha256 is null))
);
create function keep_signed_reconciliation() returns trigger language plpgsql as $$
declare
  added text[] := array['pdf_file_id', 'pdf_sha256', 'csv_file_id', 'csv_sha256'];
begin
  if old.pdf_file_id is not null or (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) then
    raise exception 'a signed bank reconciliation is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger signed_reconciliations_are_kept before update on signed_reconciliations
  for each row execute function keep_signed_reconciliation();
create trigger signed_reconciliations_stay before delete or truncate on signed_reconciliations
  for each statement execute function refuse_change();
grant select, insert, update (pdf_file_id, pdf_sha256, csv_file_id, csv_sha256) on signed_reconciliations to milkwood_staff;
