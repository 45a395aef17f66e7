-- A batch that arrives completes thousands of payments in one transaction, of which the statistics know none: the payments of
-- a claim are looked up by the claim alone, or the planner goes through all that are completed for each of them.

create or replace function check_claim_is_paid() returns trigger language plpgsql as $$
declare
  claim uuid := case tg_table_name when 'claims' then new.id else (to_jsonb(new) ->> 'subject_id')::uuid end;
begin
  if exists (select from claims c where c.id = claim and c.status in ('approved', 'paid')
    and (c.status = 'paid') <> (c.approved_amount_cents = (
      select coalesce(sum(amount_cents) filter (where subject_kind = 'claim' and status = 'completed'), 0)
      from payouts where subject_id = c.id))) then
    raise exception 'a claim is paid by the payments that have arrived'
      using errcode = 'check_violation', constraint = 'claims_paid_is_what_arrived';
  end if;
  return null;
end $$;

create or replace function check_claim_payments() returns trigger language plpgsql as $$
declare
  approved bigint;
begin
  select approved_amount_cents into approved from claims where id = new.subject_id for no key update;
  if (select sum(amount_cents) filter (where subject_kind = 'claim' and status not in ('cancelled', 'returned'))
    from payouts where subject_id = new.subject_id) > coalesce(approved, 0) then
    raise exception 'payments of a claim are at most its approved amount'
      using errcode = 'check_violation', constraint = 'payouts_within_the_claim';
  end if;
  return null;
end $$;
