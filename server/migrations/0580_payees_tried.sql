-- The payee to whom a payment was last released, kept when the payment fails or is cancelled: a retry to another payee is
-- held against it.
alter table payouts no force row level security;
alter table payouts disable trigger payouts_are_kept;
alter table payouts
  add column tried_payee jsonb,
  add column tried_at timestamptz,
  add constraint payouts_tried_payee_is_dated check ((tried_payee is null) = (tried_at is null));

create function payee_of(payout payouts) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select jsonb_build_object('method', payout.method, 'payeeName', payout.payee_name, 'payeeBank', payout.payee_bank,
    'payeeBranchCode', payout.payee_branch_code, 'payeeAccountNumber', payout.payee_account_number,
    'payeeEmail', payout.payee_email)
$$;

-- Before this migration the former payee of a failed payment was not kept: the present one stands in for it.
update payouts o set tried_payee = payee_of(o), tried_at = coalesce(released_at, created_at)
where released_at is not null or releases_undone > 0;
alter table payouts enable trigger payouts_are_kept;
alter table payouts force row level security;

-- A payee's name as it is compared: without case, dots, commas, apostrophes and hyphens.
create function payee_key(name text) returns text language sql immutable parallel safe set search_path = public, pg_temp as $$
  select trim(regexp_replace(lower(name), '[\s.,''-]+', ' ', 'g'))
$$;

-- The last payment to an account under a name, in an employer's group.
create index payouts_to_account_by_name on payouts (group_id, payee_key(payee_name), released_at desc)
  where released_at is not null and payee_account_number <> '';
-- All payments of a claim or a refund, and of a policy's refunds.
create index payouts_by_subject on payouts (subject_kind, subject_id);
create index payouts_refunds_of_policy on payouts (policy_id) where subject_kind = 'refund';

-- Records the payee at each release. Another account than at the last attempt needs a recorded change of payee, which
-- `payouts_changed_payee_is_confirmed` holds back until a second person has confirmed it.
create function keep_tried_payee() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  tried jsonb;
begin
  select o.tried_payee into tried from payouts o
  where o.subject_kind = new.subject_kind and o.subject_id = new.subject_id and o.tried_payee is not null
  order by o.tried_at desc limit 1;
  if new.payee_was is null
    and (tried ->> 'payeeAccountNumber', tried ->> 'payeeBranchCode') <> (new.payee_account_number, new.payee_branch_code) then
    raise exception 'another account than at the last attempt needs a second person'
      using errcode = 'check_violation', constraint = 'payouts_other_account_is_held';
  end if;
  new.tried_payee := payee_of(new);
  new.tried_at := new.released_at;
  return new;
end $$;
create trigger payouts_tried_payee before update of status on payouts for each row
  when (old.status = 'pending' and new.status = 'processing') execute function keep_tried_payee();

-- The tried payee is forgotten with the payee.
do $$
declare
  source text := pg_get_functiondef('forget_person(uuid, date, date, timestamptz)'::regprocedure);
begin
  if position('payee_was = null,' in source) = 0 then
    raise exception 'forget_person does not clear payee_was';
  end if;
  execute replace(source, 'payee_was = null,', 'payee_was = null, tried_payee = null, tried_at = null,');
end $$;
