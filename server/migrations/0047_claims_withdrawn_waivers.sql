-- A withdrawn waiver remains, and the same documents can be waived again.
alter table claim_document_waivers
  add column withdrawn_at timestamptz,
  add column withdrawn_by uuid references users (id),
  add column withdrawn_reason text,
  add constraint claim_document_waivers_withdrawal_is_whole check (
    num_nonnulls(withdrawn_at, withdrawn_by, withdrawn_reason) in (0, 3) and btrim(withdrawn_reason) <> ''
      and withdrawn_at >= waived_at
  ),
  drop constraint claim_document_waivers_once;
create unique index claim_document_waivers_one_current on claim_document_waivers (claim_id, documents)
  where withdrawn_at is null;
-- For the foreign key, and all waivers of a claim.
create index claim_document_waivers_claim on claim_document_waivers (claim_id, group_id);
grant update (withdrawn_at, withdrawn_by, withdrawn_reason) on claim_document_waivers to milkwood_staff;
