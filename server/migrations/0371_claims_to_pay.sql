-- Approved claims of which something is to be paid and no payment is on its way, with how much: kept, since the list of
-- payments counts, adds up, sorts and finds them among the payments.
create table claims_to_pay (
  claim_id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  member_id uuid not null,
  number text not null,
  open_cents bigint not null check (open_cents > 0),
  approved_at timestamptz not null,
  foreign key (claim_id, group_id) references claims (id, group_id) on delete cascade on update cascade
);
create index claims_to_pay_newest on claims_to_pay (approved_at, claim_id);
create index claims_to_pay_amount on claims_to_pay (open_cents, claim_id);
create index claims_to_pay_member on claims_to_pay (member_id);
create index claims_to_pay_group on claims_to_pay (group_id);
create index claims_to_pay_trigrams on claims_to_pay using gin (lower(number) gin_trgm_ops);

-- Under the claim's lock, whatever of it changes: it is written anew. While its last payment arrives nothing is open of a
-- claim that is not paid yet.
create function keep_claim_to_pay() returns trigger language plpgsql as $$
declare
  claim uuid := case tg_table_name when 'claims' then new.id else (to_jsonb(new) ->> 'subject_id')::uuid end;
begin
  if tg_table_name = 'payouts' then
    perform from claims where id = claim for no key update;
  end if;
  delete from claims_to_pay where claim_id = claim;
  insert into claims_to_pay (claim_id, group_id, policy_id, member_id, number, open_cents, approved_at)
  select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents, c.final_approval_at
  from claims c cross join lateral (
    select coalesce(sum(o.amount_cents) filter (where o.status = 'completed'), 0) as cents,
      coalesce(bool_or(o.status in ('pending', 'processing', 'failed')), false) as is_underway
    from payouts o where o.subject_id = c.id and o.subject_kind = 'claim'
  ) paid
  where c.id = claim and c.status = 'approved' and not paid.is_underway and c.approved_amount_cents > paid.cents;
  return null;
end $$;
create trigger claims_wait_for_payment after insert on claims for each row
  when (new.status = 'approved') execute function keep_claim_to_pay();
-- What was approved stands still from then on.
create trigger claims_still_wait_for_payment after update of status on claims for each row
  when ((new.status = 'approved') <> (old.status = 'approved')) execute function keep_claim_to_pay();
create trigger payouts_z_pay_what_waits after insert on payouts for each row
  when (new.subject_kind = 'claim') execute function keep_claim_to_pay();
create trigger payouts_z_still_pay_what_waits after update of status on payouts for each row
  when (new.subject_kind = 'claim' and (
    (new.status in ('pending', 'processing', 'failed')) <> (old.status in ('pending', 'processing', 'failed'))
    or (new.status = 'completed') <> (old.status = 'completed')))
  execute function keep_claim_to_pay();

-- Nobody else says what waits.
create trigger claims_to_pay_follow before insert or update or delete on claims_to_pay
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('claims_to_pay');
grant select, insert, delete on claims_to_pay to milkwood_staff;

alter table claims no force row level security;
alter table payouts no force row level security;
alter table claims_to_pay no force row level security;
alter table claims_to_pay disable trigger claims_to_pay_follow;
insert into claims_to_pay (claim_id, group_id, policy_id, member_id, number, open_cents, approved_at)
select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents, c.final_approval_at
from claims c cross join lateral (
  select coalesce(sum(o.amount_cents) filter (where o.status = 'completed'), 0) as cents,
    coalesce(bool_or(o.status in ('pending', 'processing', 'failed')), false) as is_underway
  from payouts o where o.subject_id = c.id and o.subject_kind = 'claim'
) paid
where c.status = 'approved' and not paid.is_underway and c.approved_amount_cents > paid.cents;
alter table claims_to_pay enable trigger claims_to_pay_follow;
alter table claims_to_pay force row level security;
alter table payouts force row level security;
alter table claims force row level security;
