-- Dates of money are plausible, whatever a clock says; which of them are open is a rule of the domain. Rows that were
-- written before stay as they are.
alter table invoices add constraint invoices_dates_are_plausible check (
  invoice_on between '2000-01-01' and '2199-12-31' and due_on between '2000-01-01' and '2199-12-31'
) not valid;
alter table receipts add constraint receipts_date_is_plausible
  check (received_on between '2000-01-01' and '2199-12-31') not valid;
alter table ledger_entries add constraint ledger_entries_date_is_plausible
  check (effective_on between '2000-01-01' and '2199-12-31') not valid;

-- Once a claim is approved its amount is posted: whom it is for and how much it is stay as they are, and once it is
-- paid also when.
create function keep_approved_claim() returns trigger language plpgsql as $$
begin
  if (new.group_id, new.policy_id, new.member_id, new.number, new.requested_amount_cents, new.approved_amount_cents,
      new.final_approval_at, new.status not in ('approved', 'paid'))
    is distinct from
     (old.group_id, old.policy_id, old.member_id, old.number, old.requested_amount_cents, old.approved_amount_cents,
      old.final_approval_at, false)
    or old.status = 'paid' and (new.status, new.payment_on) is distinct from (old.status, old.payment_on)
  then
    raise exception 'the amount and the member of an approved claim are never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger approved_claims_are_kept before update on claims
  for each row when (old.status in ('approved', 'paid')) execute function keep_approved_claim();

-- Who typed into a claim, added its evidence, took it or routed it does not decide it; a decision is never changed.
create function check_decider() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' and (new.round, new.stage, new.status, new.approved_amount_cents, new.decided_by, new.decided_at)
    is distinct from (old.round, old.stage, old.status, old.approved_amount_cents, old.decided_by, old.decided_at)
  then
    raise exception 'a decision is never changed' using errcode = 'restrict_violation';
  end if;
  if old.decided_by is null and exists (
    select from claims where id = new.claim_id and new.decided_by = any (captured_by || submitted_by || reviewed_by)
  ) then
    raise exception 'who captured, submitted or reviewed a claim does not decide it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger deciders_have_clean_hands before update on claim_approvals
  for each row execute function check_decider();

alter table claims no force row level security;
alter table claim_documents no force row level security;
update claims c
set captured_by = c.captured_by || array(
  select hand from (
    select c.reviewed_by as hand
    union
    select d.uploaded_by from claim_documents d where d.claim_id = c.id
  ) hands
  where hand is not null and hand <> all (c.captured_by)
)
where c.status not in ('approved', 'rejected', 'paid');
alter table claims force row level security;
alter table claim_documents force row level security;
