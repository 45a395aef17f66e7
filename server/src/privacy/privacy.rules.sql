-- Whether all records of the member ended before the day. `domain/src/privacy/retention.ts` has the same rule.
create function may_forget(whose uuid, before date) returns boolean language sql stable as $$
  select m.status = 'Terminated' and m.end_on < before
    and not exists (select from claims c where c.member_id = m.id
      and (c.status not in ('draft', 'paid', 'rejected', 'withdrawn') or c.updated_at >= before))
    and not exists (select from payouts p
      where (p.member_id = m.id or p.claim_id in (select id from claims where member_id = m.id))
      and (p.status not in ('completed', 'cancelled', 'returned') or greatest(p.completed_on, p.returned_on, p.created_at::date) >= before))
    and not exists (select from refunds r where r.member_id = m.id
      and (r.status not in ('completed', 'failed', 'cancelled') or greatest(r.refunded_on, r.created_at::date) >= before))
    and not exists (select from invoice_lines l join invoices i on i.id = l.invoice_id where l.member_id = m.id
      and (i.status not in ('sent', 'cancelled') or i.invoice_on >= before
        or i.status = 'sent' and i.credited_cents + i.allocated_cents + i.written_off_cents < i.total_cents))
    and not exists (select from credit_note_lines l join credit_notes n on n.id = l.credit_note_id
      where l.member_id = m.id and n.credited_on >= before)
  from members m where m.id = whose
$$;

-- Makes a member anonymous: names, numbers, addresses, medical text, payees, documents, letters, mails and the audit key.
-- Premiums of a rated policy need ages and salaries, so these remain until the policy ends.
create function forget_person(whose uuid, before date, today date, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone constant text := 'Anonymised';
  their_claims uuid[] := array(select id from claims where member_id = whose);
  their_payouts uuid[] := array(select id from payouts where member_id = whose or claim_id = any (their_claims));
  their_refunds uuid[] := array(select id from refunds where member_id = whose);
  their_letters uuid[] := array(select id from letters where member_id = whose);
  records uuid[] := whose || their_claims || their_payouts || their_refunds || their_letters;
  address text := (select lower(email) from members where id = whose and email <> '');
  is_rated boolean;
  unnamed uuid[];
begin
  if before > today - interval '5 years' then
    raise exception 'a member cannot be made anonymous within five years' using errcode = 'restrict_violation';
  end if;
  perform from members where id = whose for update;
  if may_forget(whose, before) is not true then
    raise exception 'the member cannot be made anonymous yet' using errcode = 'restrict_violation';
  end if;
  perform set_config('app.forgetting', 'on', true);
  is_rated := exists (
    select from members m join policies p on p.id = m.policy_id join policy_premiums r on r.policy_id = p.id and r.rate_table_id is not null
    where m.id = whose and p.status not in ('Terminated', 'Expired'));

  update members set first_name = 'Former', last_name = 'member', id_number = null, passport_number = null, email = '', phone = '',
    address = '', gender = null, employment_status = null, employer = '', job_title = '', status_reason = null, to_complete = '{}',
    date_of_birth = case when is_rated then date_of_birth end, forgotten_on = today, updated_at = at, version = version + 1
    where id = whose;
  update member_covers set reason = null where member_id = whose and reason is not null;
  update dependents set first_name = 'Former', last_name = 'dependent', id_number = null, gender = null,
    date_of_birth = case when is_rated then date_of_birth end, updated_at = at where member_id = whose;
  with removed as (
    delete from nomination_documents d using nominations n where n.id = d.nomination_id and n.member_id = whose returning d.file_id
  ) select array_agg(file_id) into unnamed from removed;
  delete from files where id = any (unnamed);
  -- With their nominees.
  delete from nominations where member_id = whose;
  if not is_rated then
    delete from former_birth_dates where member_id = whose;
    delete from member_salaries where member_id = whose;
    update dependent_covers set born_on = null where member_id = whose and born_on is not null;
  end if;

  update claims c set member_last_name_key = m.last_name_key, member_name_key = m.name_key
    from members m where m.id = whose and c.member_id = whose;
  update claims set description = gone, diagnosis = '', hospital_name = '', doctor_name = '', treatment_details = '', bill_number = '',
    cause_of_death = null,
    rejection_reason = case when rejection_reason is not null then gone end,
    withdrawal_reason = case when withdrawal_reason is not null then gone end where member_id = whose and status <> 'draft';
  update claims set description = '', diagnosis = '', hospital_name = '', doctor_name = '', treatment_details = '', bill_number = '',
    cause_of_death = null
    where member_id = whose and status = 'draft';
  update claim_document_waivers set reason = gone,
    withdrawn_reason = case when withdrawn_reason is not null then gone end where claim_id = any (their_claims);
  update claim_approvals set comment = case when comment is not null then gone end,
    reduction_reason = case when reduction_reason is not null then gone end where claim_id = any (their_claims);
  update claim_reserve_movements set reason = case when reason <> '' then gone else '' end where claim_id = any (their_claims);
  update claim_reopenings set reason = gone, rejection_reason = case when rejection_reason is not null then gone end
    where claim_id = any (their_claims);
  update member_notes set person = '', contact = '', text = gone, struck_reason = case when struck_reason is not null then gone end
    where member_id = whose;
  update claim_notes set person = '', contact = '', text = gone, struck_reason = case when struck_reason is not null then gone end
    where claim_id = any (their_claims);
  with removed as (delete from claim_documents where claim_id = any (their_claims) returning file_id) select array_agg(file_id) into unnamed from removed;
  delete from files where id = any (unnamed);

  unnamed := array(select file_id from letters where id = any (their_letters) and file_id is not null);
  update letters set wording = null, file_id = null where id = any (their_letters);
  update letter_mails set to_address = gone where letter_id = any (their_letters);
  delete from files where id = any (unnamed);

  -- With their payees. The amounts remain on the payouts.
  delete from claim_payee_sets where claim_id = any (their_claims);

  update payouts set payee_name = gone, payee_email = '', former_payee = null, attempted_payee = null, attempted_at = null, reference = case when reference <> '' then gone else '' end,
    notes = '', status_reason = case when status_reason is not null then gone end,
    payee_account_number = case when payee_account_number <> '' then '0' else '' end where id = any (their_payouts);
  update refunds set reference = '', notes = '', status_reason = case when status_reason is not null then gone end where id = any (their_refunds);
  update invoice_lines set description = 'Former member' where member_id = whose;
  update remittance_rows set who = 'Former member', words = '' where member_id = whose;

  delete from mails where state <> 'queued' and (about_id = any (records) or address = any (regexp_split_to_array(lower(to_address), '\s*[,;]\s*')));
  delete from notifications where record_id = any (records);
  with removed as (
    update person_files set state = 'removed', file_id = null, ticket = null, ticket_of = null
    from (select id, file_id from person_files where member_id = whose and file_id is not null) was
    where person_files.id = was.id returning was.file_id
  ) select array_agg(file_id) into unnamed from removed;
  delete from files where id = any (unnamed);
  -- Without the key, personal values in the audit trail cannot be read. The hash chain covers the encrypted values and
  -- remains valid.
  delete from person_keys where person_id = whose;
  perform set_config('app.forgetting', 'off', true);
end $$;
revoke execute on function forget_person(uuid,date,date,timestamp with time zone) from public;
grant execute on function forget_person(uuid,date,date,timestamp with time zone) to milkwood_staff;

-- Records keys whose member no longer exists, and returns the number of new ones. `row_security = off` makes it fail if
-- row-level security hides members, which would otherwise appear deleted.
create function see_who_is_gone(today date) returns bigint
language plpgsql security definer set search_path = public, pg_temp set row_security = off as $$
declare
  seen bigint;
begin
  insert into removed_people (person_id, seen_on)
    select k.person_id, today from person_keys k
    where not exists (select from members m where m.id = k.person_id)
      and not exists (select from removed_people g where g.person_id = k.person_id);
  get diagnostics seen = row_count;
  return seen;
end $$;
revoke execute on function see_who_is_gone(date) from public;
grant execute on function see_who_is_gone(date) to milkwood_staff;

create function forget_removed_people(before date, today date, at_most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp set row_security = off as $$
declare
  forgotten bigint;
begin
  if before > today - interval '5 years' then
    raise exception 'the key of a removed member cannot be deleted within five years' using errcode = 'restrict_violation';
  end if;
  delete from person_keys where person_id in (
    select g.person_id from removed_people g
    where g.seen_on < before and not exists (select from members m where m.id = g.person_id)
    order by g.seen_on limit at_most);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_removed_people(date,date,integer) from public;
grant execute on function forget_removed_people(date,date,integer) to milkwood_staff;

-- Whether a payment of the batch still waits for the bank's answer.
create function is_on_its_way(batch uuid) returns boolean language sql stable as $$
  select exists (select from payout_batch_payments i join payouts o on o.id = i.payout_id
    where i.batch_id = batch and i.removed_at is null and o.status in ('pending', 'processing'))
$$;

-- Returns the number deleted, at most `at_most`.
create function forget_papers(kind text, before date, today date, at_most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  chosen uuid[];
  unnamed uuid[];
  done bigint;
begin
  if before > today - interval '5 years' then
    raise exception 'files and mails cannot be deleted within five years' using errcode = 'restrict_violation';
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
      -- Only names without a member. The name of a member remains until the member is made anonymous.
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
    else raise exception 'unknown kind of file: %', kind;
  end case;
  -- Parts of a divided list share a file, which is deleted with the last of them.
  delete from files f where f.id = any (unnamed)
    and not exists (select from staff_lists l where f.id in (l.file_id, l.rows_file_id));
  perform set_config('app.forgetting', 'off', true);
  return at_most;
end $$;
revoke execute on function forget_papers(text,date,date,integer) from public;
grant execute on function forget_papers(text,date,date,integer) to milkwood_staff;

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on retention_runs for each statement execute function refuse_change();
create trigger refuse_update before update or truncate on removed_people for each statement execute function refuse_change();
