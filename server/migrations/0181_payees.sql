-- A payee that is another than at the last payment needs a second person, and waits. The payee may want a word by mail.
alter table payouts no force row level security;
alter table payouts disable trigger payouts_are_kept;
alter table payouts
  add column payee_email text not null default '',
  -- Whom the last payment went to, where this one goes to somebody else.
  add column payee_was jsonb,
  -- When it was changed here; while it is as it was made, that was when it was made.
  add column payee_changed_at timestamptz,
  add column payee_confirmed_by uuid,
  add constraint payouts_changed_payee_is_confirmed
    check (payee_was is null or payee_confirmed_by is not null or status not in ('processing', 'completed', 'returned')),
  add constraint payouts_payee_is_confirmed_by_another
    check (payee_confirmed_by <> coalesce(payee_changed_by, created_by));
update payouts set payee_changed_at = created_at where payee_changed_by is not null;
alter table payouts add constraint payouts_payee_change_is_stamped
  check ((payee_changed_by is null) = (payee_changed_at is null));
alter table payouts enable trigger payouts_are_kept;
alter table payouts force row level security;

-- The last payment of a member, and of a policy where it is about no member.
create index payouts_last_of_member on payouts (member_id, released_at desc) where member_id is not null and released_at is not null;
create index payouts_last_of_policy on payouts (policy_id, released_at desc) where member_id is null and released_at is not null;
