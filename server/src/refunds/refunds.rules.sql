create function check_part_change() returns trigger language plpgsql as $$
declare
  releasing text[] := array['released_at', 'invoice_id', 'is_split'];
begin
  if old.released_at is not null or (to_jsonb(old) - releasing) is distinct from (to_jsonb(new) - releasing) then
    raise exception 'a part of a refund is never changed, only released once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_part_change before update on refund_parts for each row execute function check_part_change();

create function check_refunded_amount() returns trigger language plpgsql as $$
declare
  the_receipt uuid := case tg_table_name when 'receipts' then new.id else (to_jsonb(new) ->> 'receipt_id')::uuid end;
begin
  if (select refunded_cents from receipts where id = the_receipt) <>
    (select coalesce(sum(amount_cents), 0) from refund_parts where receipt_id = the_receipt and released_at is null) then
    raise exception 'the refunded amount of receipt % must equal its unreleased refund parts', the_receipt
      using errcode = 'check_violation', constraint = 'receipts_refunded_is_refund_parts';
  end if;
  return null;
end $$;
create constraint trigger check_refunded_amount after insert or update on refund_parts
  deferrable initially deferred for each row execute function check_refunded_amount();

-- A refund never changes, except its status.
create function check_refund_change() returns trigger language plpgsql as $$
declare
  moving text[] := array['status', 'refunded_on', 'status_reason', 'version'];
begin
  if (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a refund is never changed' using errcode = 'restrict_violation';
  end if;
  if old.method = 'credit_note' and old.status in ('completed', 'cancelled') and new.status <> old.status then
    raise exception 'a % refund keeps its status', old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_refund_change before update on refunds for each row when (not is_forgetting()) execute function check_refund_change();

create function check_refund_payment() returns trigger language plpgsql as $$
begin
  if not exists (select from refunds f where f.id = new.subject_id and f.group_id = new.group_id and f.policy_id = new.policy_id
    and f.amount_cents = new.amount_cents and f.method = new.method and f.status = 'pending') then
    raise exception 'a payment of a refund must have the policy, amount and method of a pending refund'
      using errcode = 'check_violation', constraint = 'payouts_pay_their_refund';
  end if;
  return null;
end $$;

-- At commit, a refund by payout has the status of its payment.
create function check_refund_status() returns trigger language plpgsql as $$
declare
  the_refund uuid := case tg_table_name when 'refunds' then new.id else (to_jsonb(new) ->> 'subject_id')::uuid end;
begin
  if exists (
    select from refunds f left join payouts p on p.subject_kind = 'refund' and p.subject_id = f.id
    where f.id = the_refund and f.method <> 'credit_note' and (f.status, f.refunded_on) is distinct from (
      case when p.status is null then 'pending' when p.status = 'returned' then 'failed' else p.status end,
      case when p.status = 'completed' then p.completed_on end)
  ) then
    raise exception 'a refund must have the status of its payment'
      using errcode = 'check_violation', constraint = 'refunds_follow_their_payout';
  end if;
  return null;
end $$;
create constraint trigger check_refund_status after update of status, refunded_on on refunds
  deferrable initially deferred for each row execute function check_refund_status();

-- At commit, the unreleased parts sum to the refund's amount, or to 0 if it failed or was cancelled. For credit, they
-- sum to the unused amount.
create function check_refund_total() returns trigger language plpgsql as $$
declare
  the_refund uuid := case tg_table_name when 'refunds' then new.id else (to_jsonb(new) ->> 'refund_id')::uuid end;
begin
  if exists (
    select from refunds f
    cross join lateral (
      select coalesce(sum(amount_cents) filter (where released_at is null), 0) as held,
        coalesce(sum(amount_cents) filter (where invoice_id is not null), 0) as used
      from refund_parts where refund_id = f.id
    ) p
    where f.id = the_refund and (
      p.held <> case when f.status in ('failed', 'cancelled') then 0
        when f.method <> 'credit_note' then f.amount_cents
        when f.status = 'completed' then 0 else f.amount_cents - p.used end
      or f.method = 'credit_note' and f.status = 'completed' and p.used <> f.amount_cents)
  ) then
    raise exception 'the parts of refund % must add up to its amount', the_refund
      using errcode = 'check_violation', constraint = 'refund_holds_its_amount';
  end if;
  return null;
end $$;
create constraint trigger check_refund_total after insert or update of status on refunds
  deferrable initially deferred for each row execute function check_refund_total();
create constraint trigger check_refund_total after insert or update on refund_parts
  deferrable initially deferred for each row execute function check_refund_total();

-- The detail of a refund without a member is not encrypted.
create function seal_refund_detail() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  member uuid;
  of_group uuid;
begin
  select member_id, group_id into member, of_group from refunds where id = new.record_id;
  if member is not null then new.detail := sealed_for(member, of_group, new.detail); end if;
  return new;
end $$;
revoke execute on function seal_refund_detail() from public;

-- Triggers that call functions of other rooms.
create trigger refuse_delete before delete or truncate on refund_parts for each statement execute function refuse_change();
create trigger refuse_delete before delete or truncate on refunds for each statement execute function refuse_change();

-- Triggers on tables of other rooms.
create trigger check_refund_payment after insert on payouts
  for each row when (new.subject_kind = 'refund') execute function check_refund_payment();
create constraint trigger check_refund_status after update of status on payouts
  deferrable initially deferred for each row when (new.subject_kind = 'refund') execute function check_refund_status();
create constraint trigger check_refunded_amount after update of refunded_cents on receipts
  deferrable initially deferred for each row execute function check_refunded_amount();
create trigger seal_refund_detail before insert on audit_log for each row
  when (new.record_kind = 'refund' and holds_personal(new.fact, new.detail)) execute function seal_refund_detail();
