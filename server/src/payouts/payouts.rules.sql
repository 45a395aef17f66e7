-- A completed payout can only be returned, or its completion undone.
create function check_payout_change() returns trigger language plpgsql as $$
declare
  -- claim_id is generated and has no value yet in a BEFORE trigger.
  moving text[] := array[
    'status', 'released_by', 'released_at', 'completed_on', 'completed_at', 'returned_on', 'bank_account_id',
    'releases_undone', 'completions_undone', 'returns_undone', 'status_reason', 'version', 'claim_id'
  ];
begin
  if old.status = 'cancelled'
    or old.status = 'completed' and new.status not in ('processing', 'returned')
    or old.status = 'returned' and new.status <> 'completed' then
    raise exception 'a % payout is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if (old.subject_kind, old.subject_id, old.payee_id, old.policy_id, old.amount_cents)
    is distinct from (new.subject_kind, new.subject_id, new.payee_id, new.policy_id, new.amount_cents) then
    raise exception 'a payout keeps its subject and amount' using errcode = 'restrict_violation';
  end if;
  if old.status in ('processing', 'completed', 'returned')
    and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a released payout keeps its payee and amount' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_payout_change before update on payouts for each row when (not is_forgetting()) execute function check_payout_change();

create function check_batch_payment() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_batches b, payouts o where b.id = new.batch_id and b.status = 'open'
    and o.id = new.payout_id and o.status = 'pending' and o.method in ('bank_transfer', 'eft')) then
    raise exception 'an open batch accepts only pending bank payments' using errcode = 'check_violation', constraint = 'payout_batch_payments_fit';
  end if;
  return new;
end $$;
create trigger check_batch_payment before insert on payout_batch_payments
  for each row execute function check_batch_payment();

create function check_batch_payment_change() returns trigger language plpgsql as $$
begin
  if old.removed_at is not null or old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id
    or (to_jsonb(old) - array['removed_at', 'end_to_end_id']) is distinct from (to_jsonb(new) - array['removed_at', 'end_to_end_id']) then
    raise exception 'a payment of a batch is never changed, only removed once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_batch_payment_change before update on payout_batch_payments
  for each row execute function check_batch_payment_change();

-- Sums the payments of an open batch, once per statement.
create function count_batch_payments() returns trigger language plpgsql as $$
begin
  update payout_batches b set payment_count = held.payments, amount_cents = held.cents
  from (
    select touched.batch_id, count(o.id) as payments, coalesce(sum(o.amount_cents), 0) as cents
    from (select distinct batch_id from changed) touched
    left join payout_batch_payments p on p.batch_id = touched.batch_id and p.removed_at is null
    left join payouts o on o.id = p.payout_id group by 1
  ) held where b.id = held.batch_id and b.status = 'open';
  return null;
end $$;
create trigger count_batch_payments_on_insert after insert on payout_batch_payments
  referencing new table as changed for each statement execute function count_batch_payments();
create trigger count_batch_payments_on_update after update on payout_batch_payments
  referencing new table as changed for each statement execute function count_batch_payments();

-- A released batch never changes, except its execution day. A cancelled batch never changes.
create function check_payout_batch_change() returns trigger language plpgsql as $$
declare
  moving text[] := array['execution_on', 'version'];
begin
  if old.status <> 'open' and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving)
    or old.status = 'cancelled' then
    raise exception 'a % batch is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if new.status = 'released' and old.status = 'open' and exists (
    select from payout_batch_payments p join payouts o on o.id = p.payout_id
    where p.batch_id = new.id and p.removed_at is null and o.payee_changed_by = new.released_by) then
    raise exception 'a user who changed a payee cannot release its payment' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_payout_batch_change before update on payout_batches for each row execute function check_payout_batch_change();

create function check_payment_file_change() returns trigger language plpgsql as $$
declare
  moving text[] := array['exported_by', 'exported_at', 'ticket', 'withdrawn', 'withdrawn_by', 'withdrawn_at', 'withdrawn_reason'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving)
    or old.exported_at is not null and (new.exported_by, new.exported_at) is distinct from (old.exported_by, old.exported_at)
    or old.exported_at is not null and new.ticket is not null and new.ticket is distinct from old.ticket
    or old.withdrawn is not null then
    raise exception 'a payment file is exported once and withdrawn once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_payment_file_change before update on payment_files
  for each row when (not is_forgetting()) execute function check_payment_file_change();

create function check_key_makers_of_payout() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from service_keys k where k.id = any (new.prepared_by) and k.made_by <> all (new.prepared_by)) then
    raise exception 'the maker of a service key must be among the preparers of its payments' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_key_makers_of_payout before insert or update of prepared_by on payouts
  for each row execute function check_key_makers_of_payout();

create function payee_of(payout payouts) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select jsonb_build_object('method', payout.method, 'payeeName', payout.payee_name, 'payeeBank', payout.payee_bank,
    'payeeBranchCode', payout.payee_branch_code, 'payeeAccountNumber', payout.payee_account_number,
    'payeeEmail', payout.payee_email)
$$;

-- A different account than at the last attempt at the claim's payee, or at the policy's refunds, needs a recorded payee change,
-- which a second user must confirm. `findEarlierPayee` of the domain compares the same attempts when the payee is entered; a
-- payment released since then can be the last attempt.
create function set_tried_payee() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  tried jsonb;
begin
  select o.attempted_payee into tried from payouts o
  where o.attempted_payee is not null and o.subject_kind = new.subject_kind and o.payee_id is not distinct from new.payee_id
    and case new.subject_kind when 'claim' then o.subject_id = new.subject_id else o.policy_id = new.policy_id end
  -- The numbers decide between payments released together; payee-guard.queries.ts orders them alike.
  order by o.attempted_at desc, o.number desc limit 1;
  if new.former_payee is null
    and (tried ->> 'payeeAccountNumber', tried ->> 'payeeBranchCode') <> (new.payee_account_number, new.payee_branch_code) then
    raise exception 'a payment to another account than at the last attempt needs a second person'
      using errcode = 'check_violation', constraint = 'payouts_other_account_is_held', detail = new.number;
  end if;
  new.attempted_payee := payee_of(new);
  new.attempted_at := new.released_at;
  return new;
end $$;
create trigger set_tried_payee before update of status on payouts for each row
  when (old.status = 'pending' and new.status = 'processing') execute function set_tried_payee();

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on payout_batch_payments
  for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on payout_batches for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on payment_files for each statement execute function refuse_change();
create trigger refuse_program before insert or update of released_by, payee_changed_by, payee_confirmed_by on payouts
  for each row execute function refuse_program('released_by', 'payee_changed_by', 'payee_confirmed_by');
create trigger refuse_program before insert or update of released_by on payout_batches
  for each row execute function refuse_program('released_by');
