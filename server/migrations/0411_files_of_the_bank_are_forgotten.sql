-- Files that the bank was given or gave, and employers' lists of who was paid for, go with the retention of data like other
-- papers: they name people and their accounts. What they did stays: payments, lines, sums, and the hash of each file.

alter table remittances alter column file_id drop not null;
alter table payment_files alter column file_id drop not null;
alter table payment_answers alter column file_id drop not null;
alter table bank_statements alter column file_id drop not null;

-- What is kept for ever is kept, but for the file.
drop trigger payment_files_are_kept on payment_files;
create trigger payment_files_are_kept before update on payment_files
  for each row when (not is_forgetting()) execute function keep_payment_file();
drop trigger bank_statements_are_kept on bank_statements;
create trigger bank_statements_are_kept before update on bank_statements
  for each row when (not is_forgetting()) execute function keep_bank_statement();

-- Whether the bank has not said yet what became of a payment of the batch.
create function is_on_its_way(batch uuid) returns boolean language sql stable as $$
  select exists (select from payout_batch_payments i join payouts o on o.id = i.payout_id
    where i.batch_id = batch and i.left_at is null and o.status in ('pending', 'processing'))
$$;

-- As before, with these kinds.
create or replace function forget_papers(kind text, before date, today date, at_most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  chosen uuid[];
  unnamed uuid[];
  done bigint;
begin
  if before > today - interval '5 years' then
    raise exception 'nothing is deleted within five years' using errcode = 'restrict_violation';
  end if;
  perform set_config('app.forgetting', 'on', true);
  case kind
    when 'mails' then
      delete from mails where id in (select id from mails where created_at < before and state <> 'queued' limit at_most);
      get diagnostics at_most = row_count;
    when 'staff_lists' then
      chosen := array(select id from staff_lists where created_at < before and forgotten_on is null
        and status in ('completed', 'undone', 'failed', 'discarded', 'uploaded', 'ready') order by created_at limit at_most);
      unnamed := array(select unnest(array[file_id, rows_file_id]) from staff_lists where id = any (chosen));
      delete from staff_list_rows where staff_list_id = any (chosen);
      update staff_lists set file_id = null, rows_file_id = null, sample = '[]', corrections = '{}', notes = '{}', forgotten_on = today,
        version = version + 1 where id = any (chosen);
      at_most := coalesce(array_length(chosen, 1), 0);
    when 'invoices' then
      chosen := array(select id from invoices where invoice_on < before and pdf_file_id is not null
        and (status = 'cancelled' or status = 'sent' and credited_cents + allocated_cents + written_off_cents >= total_cents)
        order by invoice_on limit at_most);
      unnamed := array(select pdf_file_id from invoices where id = any (chosen));
      update invoices set pdf_file_id = null, paper_deleted_on = today where id = any (chosen);
      at_most := coalesce(array_length(chosen, 1), 0);
    when 'credit_notes' then
      chosen := array(select id from credit_notes where credited_on < before and pdf_file_id is not null order by credited_on limit at_most);
      unnamed := array(select pdf_file_id from credit_notes where id = any (chosen));
      update credit_notes set pdf_file_id = null where id = any (chosen);
      at_most := coalesce(array_length(chosen, 1), 0);
    when 'remittances' then
      chosen := array(select id from remittances where created_at < before and file_id is not null order by created_at limit at_most);
      unnamed := array(select file_id from remittances where id = any (chosen));
      delete from remittance_contents where remittance_id = any (chosen);
      -- Whom the file named and no member was found for; members stand there until they are made anonymous themselves.
      update remittance_rows set who = 'Somebody', words = '' where remittance_id = any (chosen) and member_id is null;
      update remittances set file_id = null, notes = '{}', version = version + 1 where id = any (chosen);
      at_most := coalesce(array_length(chosen, 1), 0);
    when 'bank_files' then
      chosen := array(select f.id from payment_files f where f.made_at < before and f.file_id is not null
        and not is_on_its_way(f.batch_id) order by f.made_at limit at_most);
      unnamed := array(select file_id from payment_files where id = any (chosen));
      update payment_files set file_id = null, ticket = null where id = any (chosen);
      done := coalesce(array_length(chosen, 1), 0);
      chosen := array(select a.id from payment_answers a where a.uploaded_at < before and a.file_id is not null
        and not is_on_its_way(a.batch_id) order by a.uploaded_at limit at_most);
      unnamed := unnamed || array(select file_id from payment_answers where id = any (chosen));
      update payment_answers set file_id = null, content = '{}' where id = any (chosen);
      done := done + coalesce(array_length(chosen, 1), 0);
      chosen := array(select id from bank_statements where imported_at < before and file_id is not null order by imported_at limit at_most);
      unnamed := unnamed || array(select file_id from bank_statements where id = any (chosen));
      update bank_statements set file_id = null where id = any (chosen);
      at_most := done + coalesce(array_length(chosen, 1), 0);
    else raise exception 'no papers of the kind %', kind;
  end case;
  -- Lists that were divided may have one file together: the last of them takes it along.
  delete from files f where f.id = any (unnamed)
    and not exists (select from staff_lists l where f.id in (l.file_id, l.rows_file_id));
  perform set_config('app.forgetting', 'off', true);
  return at_most;
end $$;
