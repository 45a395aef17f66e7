-- Data retention: people whose membership ended long ago, and who are tied to nothing open, are made anonymous; what was
-- written about them then is deleted. Money stays, without names.

alter table members add column forgotten_on date, add check (forgotten_on is null or status = 'Terminated');
create index members_to_forget on members (end_on, id) where status = 'Terminated' and forgotten_on is null;

-- Whether the rows are changed by the work below, which is the owner's alone: whoever else says so is refused as ever.
create function is_forgetting() returns boolean language sql stable as $$
  select current_setting('app.forgetting', true) is not distinct from 'on'
    and current_user not in ('milkwood_staff', 'milkwood_scoped', 'milkwood_auth')
$$;

-- What is kept for ever is kept, but for the names in it.
drop trigger payouts_are_kept on payouts;
create trigger payouts_are_kept before update on payouts for each row when (not is_forgetting()) execute function keep_payout();
drop trigger refunds_are_kept on refunds;
create trigger refunds_are_kept before update on refunds for each row when (not is_forgetting()) execute function keep_refund();
drop trigger sent_invoices_are_kept on invoices;
create trigger sent_invoices_are_kept before update on invoices
  for each row when (old.status in ('sent', 'cancelled') and not is_forgetting()) execute function keep_sent_invoice();
drop trigger credit_notes_are_kept on credit_notes;
create trigger credit_notes_are_kept before update on credit_notes for each row when (not is_forgetting()) execute function keep_credit_note();
drop trigger members_births_are_kept on members;
create trigger members_births_are_kept after update of date_of_birth on members for each row
  when (old.date_of_birth is distinct from new.date_of_birth and not is_forgetting()) execute function keep_birth_before();

-- Nobody gives them back what they were.
create function refuse_forgotten() returns trigger language plpgsql as $$
begin
  raise exception 'a member who was made anonymous is never changed' using errcode = 'restrict_violation';
end $$;
create trigger forgotten_members_stay before update on members for each row
  when (old.forgotten_on is not null and not is_forgetting()) execute function refuse_forgotten();

-- A list that is kept no longer has no file and no rows, a member's place on it stays.
alter table staff_lists drop constraint staff_lists_have_a_file;
alter table staff_lists add column forgotten_on date,
  add constraint staff_lists_have_a_file check (
    file_id is not null or division_id is not null or status = 'discarded' or forgotten_on is not null);

-- The PDF of an invoice that is kept no longer is made anew when it is asked for, from what its lines say by then.
alter table invoices drop constraint invoices_check5;
alter table invoices add column paper_deleted_on date,
  add constraint invoices_sent_is_stamped check (
    (status = 'sent') = (sent_at is not null and sent_to is not null and (pdf_file_id is not null or paper_deleted_on is not null)));

-- Whether a member may be made anonymous, as far as what is due before a day counts: membership ended before it, and so did
-- all that was claimed, paid, refunded and billed for the person. `domain/src/privacy/retention.ts` says the same.
create function may_forget(whose uuid, before date) returns boolean language sql stable as $$
  select m.status = 'Terminated' and m.end_on < before
    and not exists (select from claims c where c.member_id = m.id
      and (c.status not in ('draft', 'paid', 'rejected') or c.updated_at >= before))
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

-- Makes a member anonymous: names, numbers, addresses, what is medical, payees, documents, mails and the key of the trail.
-- What a premium was is rated from ages and salaries: where the policy goes on and has been rated they stay until it ends.
create function forget_person(whose uuid, before date, today date, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone constant text := 'Made anonymous';
  their_claims uuid[] := array(select id from claims where member_id = whose);
  their_payouts uuid[] := array(select id from payouts where member_id = whose or claim_id = any (their_claims));
  their_refunds uuid[] := array(select id from refunds where member_id = whose);
  records uuid[] := whose || their_claims || their_payouts || their_refunds;
  address text := (select lower(email) from members where id = whose and email <> '');
  is_rated boolean;
  unnamed uuid[];
begin
  if before > today - interval '5 years' then
    raise exception 'nobody is made anonymous within five years' using errcode = 'restrict_violation';
  end if;
  perform from members where id = whose for update;
  if may_forget(whose, before) is not true then
    raise exception 'the member is not to be made anonymous yet' using errcode = 'restrict_violation';
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
  if not is_rated then
    delete from member_births_before where member_id = whose;
    delete from member_salaries where member_id = whose;
    update dependent_covers set born_on = null where member_id = whose and born_on is not null;
  end if;

  update claims set description = gone, diagnosis = '', hospital_name = '', doctor_name = '', treatment_details = '',
    rejection_reason = case when rejection_reason is not null then gone end where member_id = whose and status <> 'draft';
  update claims set description = '', diagnosis = '', hospital_name = '', doctor_name = '', treatment_details = ''
    where member_id = whose and status = 'draft';
  update claim_approvals set comment = case when comment is not null then gone end,
    reduction_reason = case when reduction_reason is not null then gone end where claim_id = any (their_claims);
  with removed as (delete from claim_documents where claim_id = any (their_claims) returning file_id) select array_agg(file_id) into unnamed from removed;
  delete from files where id = any (unnamed);

  update payouts set payee_name = gone, payee_email = '', payee_was = null, reference = case when reference <> '' then gone else '' end,
    notes = '', status_reason = case when status_reason is not null then gone end,
    payee_account_number = case when payee_account_number <> '' then '0' else '' end where id = any (their_payouts);
  update refunds set reference = '', notes = '', status_reason = case when status_reason is not null then gone end where id = any (their_refunds);
  update invoice_lines set description = 'Former member' where member_id = whose;
  update remittance_rows set who = 'Former member', words = '' where member_id = whose;

  delete from mails where state <> 'queued' and (about_id = any (records) or lower(to_address) = address);
  delete from notifications where record_id = any (records);
  with removed as (
    update person_files set state = 'removed', file_id = null, ticket = null, ticket_of = null
    from (select id, file_id from person_files where member_id = whose and file_id is not null) was
    where person_files.id = was.id returning was.file_id
  ) select array_agg(file_id) into unnamed from removed;
  delete from files where id = any (unnamed);
  -- From here on nobody reads what the trail says of the person; its chain is over what is stored, and holds.
  delete from person_keys where person_id = whose;
  perform set_config('app.forgetting', 'off', true);
end $$;
revoke execute on function forget_person from public;
grant execute on function forget_person to milkwood_staff;

-- Papers that were made before a day and that hold people's names: deleted at most so many at once, of one kind. Answers
-- how many. What a paper was about, and its amounts, stay.
create function forget_papers(kind text, before date, today date, at_most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  chosen uuid[];
  unnamed uuid[];
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
      chosen := array(select remittance_id from remittance_contents c join remittances r on r.id = c.remittance_id
        where r.created_at < before limit at_most);
      delete from remittance_contents where remittance_id = any (chosen);
      at_most := coalesce(array_length(chosen, 1), 0);
    else raise exception 'no papers of the kind %', kind;
  end case;
  -- Lists that were divided may have one file together: the last of them takes it along.
  delete from files f where f.id = any (unnamed)
    and not exists (select from staff_lists l where f.id in (l.file_id, l.rows_file_id));
  perform set_config('app.forgetting', 'off', true);
  return at_most;
end $$;
revoke execute on function forget_papers from public;
grant execute on function forget_papers to milkwood_staff;

-- What retention would do, and did: a row a night on which there was something.
create table retention_runs (
  id uuid primary key,
  shown_at timestamptz not null,
  today date not null unique,
  years integer not null check (years between 5 and 30),
  -- How many of each kind, as they were counted first, and as they were removed.
  due jsonb not null,
  removed jsonb not null default '{}',
  state text not null default 'shown' check (state in ('shown', 'removing', 'done')),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  finished_at timestamptz,
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((state = 'done') = (finished_at is not null))
);
create index retention_runs_confirmed on retention_runs (confirmed_at) where confirmed_at is not null;
create trigger retention_runs_stay before delete or truncate on retention_runs for each statement execute function refuse_change();
grant select, insert on retention_runs to milkwood_staff;
grant update (due, shown_at, removed, state, confirmed_by, confirmed_at, finished_at) on retention_runs to milkwood_staff;
