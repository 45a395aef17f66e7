-- A premium run mails the credit notes that it made when its invoices are sent, once.
alter table billing_run_policies
  add column credit_notes_mailed_at timestamptz,
  add constraint billing_run_policies_mailed_notes check (credit_notes_mailed_at is null or credit_note_ids <> '{}');

create or replace function keep_billed_policy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(old) - array['send_failure', 'credit_notes_mailed_at'])
    is distinct from (to_jsonb(new) - array['send_failure', 'credit_notes_mailed_at'])
    or (old.credit_notes_mailed_at is not null and new.credit_notes_mailed_at is distinct from old.credit_notes_mailed_at)
  then
    raise exception 'what a premium run made is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
