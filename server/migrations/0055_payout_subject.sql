-- What a payout is for: a claim now, other kinds later. Payouts know its kind, id and label; the generated column keeps
-- the reference of its kind, so that a payment is always for a record of the same group.

alter table payouts no force row level security;
alter table payouts disable trigger payouts_are_kept;

alter table payouts drop constraint payouts_claim_fk;
drop index payouts_one_live_per_claim;
alter table payouts drop column kind;
alter table payouts rename column claim_id to subject_id;
alter table payouts add column subject_kind text not null default 'claim' check (subject_kind in ('claim'));
alter table payouts alter column subject_kind drop default;
alter table payouts add column subject_label text;
-- The member whom it is about, where it is about one.
alter table payouts add column member_id uuid;
update payouts set subject_label = c.number, member_id = c.member_id from claims c where c.id = payouts.subject_id;
alter table payouts alter column subject_id set not null;
alter table payouts alter column subject_label set not null;
alter table payouts add column claim_id uuid generated always as (case when subject_kind = 'claim' then subject_id end) stored;
alter table payouts add constraint payouts_claim_fk foreign key (claim_id, group_id) references claims (id, group_id);
alter table payouts add constraint payouts_member_fk foreign key (member_id, group_id) references members (id, group_id);

-- A subject has at most one live payment; a failed one is retried or cancelled first.
create unique index payouts_one_live_per_subject on payouts (subject_kind, subject_id) where status <> 'cancelled';
alter index payouts_claim rename to payouts_subject;
create index payouts_member on payouts (member_id);
create index payouts_subject_trigrams on payouts using gin (lower(subject_label) gin_trgm_ops);

-- A generated column has no value yet before the row is written.
create or replace function keep_payout() returns trigger language plpgsql as $$
declare
  moving text[] := array[
    'status', 'released_by', 'released_at', 'completed_on', 'completed_at', 'status_reason', 'version', 'claim_id'
  ];
begin
  if old.status in ('completed', 'cancelled') then
    raise exception 'a % payout is never changed', old.status using errcode = 'restrict_violation';
  end if;
  if (old.subject_kind, old.subject_id, old.policy_id, old.amount_cents)
    is distinct from (new.subject_kind, new.subject_id, new.policy_id, new.amount_cents) then
    raise exception 'a payout keeps its subject and amount' using errcode = 'restrict_violation';
  end if;
  if old.status = 'processing' and (to_jsonb(old) - moving) is distinct from (to_jsonb(new) - moving) then
    raise exception 'a released payout keeps its payee and amount' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

alter table payouts enable trigger payouts_are_kept;
alter table payouts force row level security;
