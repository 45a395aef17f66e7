-- An approved claim can only become paid, approved again if a payment is returned, or under review in a new round if its
-- approval is withdrawn while no payment exists.
create function check_approved_claim() returns trigger language plpgsql as $$
declare
  is_withdrawn boolean := old.status = 'approved' and new.status = 'under_review';
begin
  if (new.group_id, new.policy_id, new.member_id, new.number, new.requested_amount_cents)
      is distinct from (old.group_id, old.policy_id, old.member_id, old.number, old.requested_amount_cents)
    or not is_withdrawn and (new.approved_amount_cents, new.final_approval_at, new.status not in ('approved', 'paid'))
      is distinct from (old.approved_amount_cents, old.final_approval_at, false)
    or old.status = 'paid' and new.status = 'paid' and new.payment_on is distinct from old.payment_on
  then
    raise exception 'the amount and the member of an approved claim are never changed' using errcode = 'restrict_violation';
  end if;
  if is_withdrawn and (
    new.round <> old.round + 1
    or not exists (select from claim_reopenings where claim_id = new.id and round = new.round and kind = 'approval_withdrawn'
      and approved_amount_cents = old.approved_amount_cents and policy_id = old.policy_id)
    or exists (select from payouts
      where subject_kind = 'claim' and subject_id = new.id and status not in ('cancelled', 'returned'))
  ) then
    raise exception 'an approval is withdrawn with a record of it, and only without a payment' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_approved_claim before update on claims
  for each row when (old.status in ('approved', 'paid')) execute function check_approved_claim();

-- A rejected claim can only be reopened by an appeal. A withdrawn claim is final.
create function check_ended_claim() returns trigger language plpgsql as $$
begin
  if old.status = 'withdrawn' or new.status <> 'under_review' or new.round <> old.round + 1
    or (new.group_id, new.policy_id, new.member_id, new.number, new.requested_amount_cents)
      is distinct from (old.group_id, old.policy_id, old.member_id, old.number, old.requested_amount_cents)
    or not exists (select from claim_reopenings where claim_id = new.id and round = new.round and kind = 'appeal')
  then
    raise exception 'a rejected claim can only be reopened, and a withdrawn claim is final' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_ended_claim before update on claims for each row when (
  old.status in ('rejected', 'withdrawn')
  and (new.status, new.round, new.group_id, new.policy_id, new.member_id, new.number, new.requested_amount_cents)
    is distinct from
      (old.status, old.round, old.group_id, old.policy_id, old.member_id, old.number, old.requested_amount_cents)
) execute function check_ended_claim();

-- Four eyes: a decider of any stage cannot withdraw the approval.
create function check_reopening() returns trigger language plpgsql as $$
begin
  if not exists (
    select from claims c join members m on m.id = c.member_id
    where c.id = new.claim_id and m.forgotten_on is null and new.round = c.round + 1 and case new.kind
      when 'appeal' then c.status = 'rejected' and c.rejection_reason = new.rejection_reason
      else c.status = 'approved' and c.approved_amount_cents = new.approved_amount_cents and c.policy_id = new.policy_id end
  ) then
    raise exception 'only a rejected claim is reopened, and only the approval of an approved claim is withdrawn'
      using errcode = 'restrict_violation';
  end if;
  if new.kind = 'approval_withdrawn'
    and exists (select from claim_approvals where claim_id = new.claim_id and decided_by = new.reopened_by)
  then
    raise exception 'a decider of a claim cannot withdraw its approval' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_reopening before insert on claim_reopenings for each row execute function check_reopening();

-- Reads the cover at submission, again if a submitted claim changes person, policy, benefit or day, and when an approver
-- accepts facts recorded later. No statement may set it.
create function set_claim_cover() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and claim_cover_of(new) is distinct from claim_cover_of(old) then
    raise exception 'the cover of a claim is set at submission and never changed' using errcode = 'restrict_violation';
  end if;
  select tier_id, product_type_id, coalesce(max_cover_cents, 0), cover_percentage, incident_limit_cents, year_limit_cents,
    cover_year, gap
  into new.cover_tier_id, new.cover_product_type_id, new.max_cover_cents, new.cover_percentage,
    new.cover_incident_limit_cents, new.cover_year_limit_cents, new.cover_year, new.cover_gap
  from cover_of(new.member_id, new.dependent_id, new.benefit_id, new.incident_on);
  return new;
end $$;
create function claim_cover_of(claim claims) returns jsonb language sql immutable as $$
  select jsonb_build_array(claim.cover_tier_id, claim.cover_product_type_id, claim.max_cover_cents, claim.cover_percentage,
    claim.cover_incident_limit_cents, claim.cover_year_limit_cents, claim.cover_year, claim.cover_gap)
$$;
create trigger set_claim_cover_on_insert before insert on claims for each row
  when (new.status <> 'draft') execute function set_claim_cover();
create trigger set_claim_cover_on_update before update on claims for each row
  when (
    (new.cover_tier_id, new.cover_product_type_id, new.max_cover_cents, new.cover_percentage,
      new.cover_incident_limit_cents, new.cover_year_limit_cents, new.cover_year, new.cover_gap)
      is distinct from (old.cover_tier_id, old.cover_product_type_id, old.max_cover_cents, old.cover_percentage,
        old.cover_incident_limit_cents, old.cover_year_limit_cents, old.cover_year, old.cover_gap)
    or new.cover_accepted_at is distinct from old.cover_accepted_at
    or new.status = 'submitted' and (old.status, old.member_id, old.dependent_id, old.policy_id, old.benefit_id, old.incident_on)
      is distinct from ('submitted'::text, new.member_id, new.dependent_id, new.policy_id, new.benefit_id, new.incident_on)
  )
  execute function set_claim_cover();

create function check_decider() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending'
    and (new.round, new.stage, new.status, new.approved_amount_cents, new.decided_by, new.decided_for, new.decided_at)
      is distinct from
        (old.round, old.stage, old.status, old.approved_amount_cents, old.decided_by, old.decided_for, old.decided_at)
  then
    raise exception 'a decision is never changed' using errcode = 'restrict_violation';
  end if;
  if old.decided_by is null and new.decided_by is not null then
    if exists (
      select from claims where id = new.claim_id
        and array[new.decided_by, new.decided_for] && (captured_by || submitted_by || reviewed_by)
    ) then
      raise exception 'a user who captured, submitted or reviewed a claim cannot decide it' using errcode = 'restrict_violation';
    end if;
    if new.decided_for is null and not exists (select from users where id = new.decided_by and role = new.stage) then
      raise exception 'a stage must be decided by a user with the role of that name' using errcode = 'restrict_violation';
    end if;
    if new.decided_for is not null and not exists (
      select from claim_stand_ins s
      join users person on person.id = s.person_id and person.role = new.stage
      join users other on other.id = s.stand_in_id and other.role = 'group_admin'
      join user_groups g on g.user_id = person.id and g.group_id = new.group_id
      where s.person_id = new.decided_for and s.stand_in_id = new.decided_by and s.ended_at is null
        -- One day of tolerance, because the days are in the organisation's timezone.
        and (new.decided_at at time zone 'UTC')::date between s.from_on - 1 and s.until_on + 1
    ) then
      raise exception 'only a current stand-in can decide for another user' using errcode = 'restrict_violation';
    end if;
    if exists (
      select from claim_approvals a
      where a.claim_id = new.claim_id and a.stage <> new.stage and a.decided_by = new.decided_by
    ) then
      raise exception 'a user cannot decide two stages of one claim' using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
create trigger check_decider before update on claim_approvals
  for each row execute function check_decider();

-- The commands lock the member first, so that a concurrent change of the member finds the claim.
create function set_member_columns() returns trigger language plpgsql as $$
begin
  select last_name_key, name_key, start_on, end_on
  into new.member_last_name_key, new.member_name_key, new.member_start_on, new.member_end_on
  from members where id = new.member_id;
  return new;
end $$;
create trigger set_member_columns_on_insert before insert on claims for each row execute function set_member_columns();
-- Overwrites values that the statement sets.
create trigger set_member_columns_on_update before update on claims for each row
  when ((new.member_id, new.member_last_name_key, new.member_name_key, new.member_start_on, new.member_end_on)
    is distinct from (old.member_id, old.member_last_name_key, old.member_name_key, old.member_start_on, old.member_end_on))
  execute function set_member_columns();

create function check_claims_of_member() returns trigger language plpgsql as $$
begin
  if exists (
    select from claims c join members m on m.id = c.member_id
    where m.id = new.id and (c.member_last_name_key, c.member_name_key, c.member_start_on, c.member_end_on)
      is distinct from (m.last_name_key, m.name_key, m.start_on, m.end_on)
  ) then
    raise exception 'the claims of member % must have its name and days of membership', new.id
      using errcode = 'check_violation', constraint = 'claims_have_their_member';
  end if;
  return null;
end $$;

-- Whether a payment counts, or was released before: then the payees keep their shares.
create function claim_has_payments(of_claim uuid, except_payout uuid default null) returns boolean language sql stable as $$
  select exists (
    select from payouts where subject_kind = 'claim' and subject_id = of_claim and id is distinct from except_payout
      and (attempted_at is not null or status in ('pending', 'processing', 'failed', 'completed')))
$$;

-- At commit, or when a command that has locked the claims asks for it. It takes no lock itself.
create function check_claim_payments() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from payouts
      where subject_kind = 'claim' and subject_id = new.subject_id and status not in ('cancelled', 'returned'))
    > coalesce((select approved_amount_cents from claims where id = new.subject_id), 0) then
    raise exception 'the payments of a claim must not exceed its approved amount'
      using errcode = 'check_violation', constraint = 'payouts_within_the_claim';
  end if;
  if (new.payee_id is not null
      or exists (select from claim_payee_sets s where s.claim_id = new.subject_id and s.superseded_at is null))
    and not exists (
      select from claim_payee_sets s join claim_payees p on p.set_id = s.id
      where s.claim_id = new.subject_id and s.superseded_at is null and p.id = new.payee_id
    ) then
    raise exception 'a payment of a claim must go to one of its recorded payees'
      using errcode = 'check_violation', constraint = 'payouts_to_recorded_payees';
  end if;
  -- A claim with payments from a version that did not require payees can no longer have any.
  if tg_op = 'INSERT' and new.payee_id is null
    and exists (select from claims where id = new.subject_id and claim_type = 'death')
    and not claim_has_payments(new.subject_id, new.id) then
    raise exception 'a death claim must have recorded payees before it is paid'
      using errcode = 'check_violation', constraint = 'payouts_of_deaths_have_payees';
  end if;
  return null;
end $$;

create function check_payee_shares() returns trigger language plpgsql as $$
begin
  if (select sum(share_basis_points) from claim_payees where set_id = new.set_id) <> 10000 then
    raise exception 'the shares of a claim''s payees add up to 100.00 %%'
      using errcode = 'check_violation', constraint = 'claim_payees_share_the_whole';
  end if;
  return null;
end $$;
create constraint trigger check_payee_shares after insert on claim_payees
  deferrable initially deferred for each row execute function check_payee_shares();

-- Payees with payments are not replaced.
create function check_replaced_payees() returns trigger language plpgsql as $$
begin
  if claim_has_payments(new.claim_id) then
    raise exception 'the payees of a claim with payments are not replaced'
      using errcode = 'check_violation', constraint = 'claim_payee_sets_are_unpaid';
  end if;
  return new;
end $$;
create trigger check_replaced_payees before insert or update on claim_payee_sets
  for each row execute function check_replaced_payees();

-- The account of a payment that counts is the payout's own.
create function check_changed_payee() returns trigger language plpgsql as $$
begin
  if exists (
    select from payouts where payee_id = new.id and status in ('pending', 'processing', 'failed', 'completed')
  ) then
    raise exception 'a payee with a payment is not changed'
      using errcode = 'check_violation', constraint = 'claim_payees_are_unpaid';
  end if;
  return new;
end $$;
create trigger check_changed_payee before update on claim_payees
  for each row execute function check_changed_payee();

create function check_claim_is_paid() returns trigger language plpgsql as $$
declare
  claim uuid := case tg_table_name when 'claims' then new.id else (to_jsonb(new) ->> 'subject_id')::uuid end;
begin
  if exists (select from claims c where c.id = claim and c.status in ('approved', 'paid')
    and (c.status = 'paid') <> (c.approved_amount_cents = (
      select coalesce(sum(amount_cents) filter (where subject_kind = 'claim' and status = 'completed'), 0)
      from payouts where subject_id = c.id))) then
    raise exception 'a claim must be paid exactly when its completed payments equal its approved amount'
      using errcode = 'check_violation', constraint = 'claims_paid_is_what_arrived';
  end if;
  return null;
end $$;
create constraint trigger check_claim_is_paid after update of status, approved_amount_cents on claims
  deferrable initially deferred for each row when (new.status in ('approved', 'paid')) execute function check_claim_is_paid();

-- The movements of a claim's reserve are a chain without gaps.
create function check_reserve() returns trigger language plpgsql as $$
declare
  last record;
begin
  select seq, reserve_cents into last from claim_reserve_movements where claim_id = new.claim_id order by seq desc limit 1;
  if (new.seq - 1, new.reserve_cents - new.change_cents)
    is distinct from (coalesce(last.seq, 0), coalesce(last.reserve_cents, 0))
  then
    raise exception 'a movement of a reserve must start where the last one ended'
      using errcode = 'check_violation', constraint = 'claim_reserve_movements_are_a_chain';
  end if;
  return new;
end $$;
create trigger check_reserve before insert on claim_reserve_movements for each row execute function check_reserve();

create function check_released_reserve() returns trigger language plpgsql as $$
declare
  claim uuid := case tg_table_name when 'claims' then new.id else (to_jsonb(new) ->> 'claim_id')::uuid end;
begin
  if exists (select from claims where id = claim and status in ('draft', 'approved', 'paid', 'rejected', 'withdrawn'))
    and (select reserve_cents from claim_reserve_movements where claim_id = claim order by seq desc limit 1) > 0
  then
    raise exception 'only a claim that is submitted and not decided has a reserve'
      using errcode = 'check_violation', constraint = 'claim_reserve_movements_end_with_the_decision';
  end if;
  return null;
end $$;
create constraint trigger check_released_reserve after insert on claim_reserve_movements
  deferrable initially deferred for each row when (new.reserve_cents > 0) execute function check_released_reserve();
create constraint trigger check_released_reserve after update of status on claims
  deferrable initially deferred for each row when (new.status in ('approved', 'rejected', 'withdrawn') and new.status <> old.status)
  execute function check_released_reserve();

create function check_withdrawn_waiver() returns trigger language plpgsql as $$
begin
  if (select status from claims where id = new.claim_id) not in ('submitted', 'under_review') then
    raise exception 'a waiver must be withdrawn before its claim is routed'
      using errcode = 'check_violation', constraint = 'claim_document_waivers_withdrawn_before_routing';
  end if;
  return new;
end $$;
create trigger check_withdrawn_waiver before update of withdrawn_at on claim_document_waivers for each row
  when (new.withdrawn_at is distinct from old.withdrawn_at) execute function check_withdrawn_waiver();

create function check_key_makers_of_claim() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from service_keys k
    where k.id = any (new.captured_by || new.submitted_by || new.reviewed_by) and k.made_by <> all (new.captured_by)
  ) then
    raise exception 'the maker of a service key must be among the capturers of its claims' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger check_key_makers_of_claim before insert or update of captured_by, submitted_by, reviewed_by on claims
  for each row execute function check_key_makers_of_claim();

-- The amount of an undecided claim from which its next approver starts.
create function claim_amount_cents(claim claims) returns bigint language sql stable as $$
  select coalesce(claim.approved_amount_cents, (
    select a.approved_amount_cents from claim_approvals a
    where a.claim_id = claim.id and a.round = claim.round and a.status = 'approved'
    order by array_position(array['group_admin', 'underwriter', 'policy_holder'], a.stage) desc limit 1
  ), claim.requested_amount_cents)
$$;

-- Other claims for the death of the same child, of all employers: approved, or in progress since earlier. It answers sums
-- only, so that a reader of one employer learns no claim of another.
create function other_child_claims(of_claim uuid) returns table (approved_cents bigint, in_progress_cents bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(sum(claim_amount_cents(o)) filter (where o.status in ('approved', 'paid')), 0)::bigint,
    coalesce(sum(claim_amount_cents(o)) filter (where o.status not in ('approved', 'paid', 'draft', 'rejected', 'withdrawn')
      and (c.submitted_at is null or (o.submitted_at, o.number) < (c.submitted_at, c.number))), 0)::bigint
  from claims c
  join dependents child on child.id = c.dependent_id
  join dependents same on same.id_number = child.id_number
    or lower(same.first_name || ' ' || same.last_name) = lower(child.first_name || ' ' || child.last_name)
      and same.date_of_birth = child.date_of_birth and (same.id_number is null or child.id_number is null)
  join claims o on o.dependent_id = same.id and o.id <> c.id and o.claim_type = 'death'
  where c.id = of_claim
$$;
revoke execute on function other_child_claims(uuid) from public;
grant execute on function other_child_claims(uuid) to milkwood_scoped, milkwood_staff;

create function claims_found(sought text, at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and lower(number)'
    || case when sought like '\%%' then ' like $2' else ' ~ $2' end || ' limit $3'
  using app_groups(), sought, at_most;
end $$;
revoke execute on function claims_found(text,bigint) from public;
grant execute on function claims_found(text,bigint) to milkwood_scoped;

create function claims_named(sought text, also text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set enable_indexonlyscan = off as $$
begin
  return query execute 'select id from claims where group_id = any ($1) and member_name_key'
    || case when sought like '\%%' then ' like $2' else ' ~ $2' end
    || case when also is null then '' else ' and member_name_key like all ($3)' end || ' limit $4'
  using app_groups(), sought, also, at_most;
end $$;
revoke execute on function claims_named(text,text[],bigint) from public;
grant execute on function claims_named(text,text[],bigint) to milkwood_scoped;

create function seal_claim_detail() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  member uuid;
  of_group uuid;
begin
  select member_id, group_id into member, of_group from claims where id = new.record_id;
  if member is not null then new.detail := sealed_for(member, of_group, new.detail); end if;
  return new;
end $$;
revoke execute on function seal_claim_detail() from public;

-- The payment of a refund has no member: it goes to the employer.
create function seal_payout_detail() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  member uuid;
  of_group uuid;
begin
  select coalesce(p.member_id, c.member_id), p.group_id into member, of_group
  from payouts p left join claims c on c.id = p.subject_id where p.id = new.record_id;
  if member is not null then new.detail := sealed_for(member, of_group, new.detail); end if;
  return new;
end $$;
revoke execute on function seal_payout_detail() from public;

-- Triggers that call functions of other rooms.
-- A strike and a completed follow-up are final.
create trigger refuse_change_of_notes before update on claim_notes for each row
  when (not is_forgetting() and (
    old.struck_at is not null and (new.struck_at, new.struck_reason) is distinct from (old.struck_at, old.struck_reason)
    or old.followed_up_at is not null
      and (new.followed_up_at, new.followed_up_by) is distinct from (old.followed_up_at, old.followed_up_by)
  ))
  execute function refuse_change();
-- So is the withdrawal of a waiver.
create trigger refuse_change_of_withdrawn_waivers before update on claim_document_waivers for each row
  when (old.withdrawn_at is not null and not is_forgetting()) execute function refuse_change();
create trigger refuse_delete_unless_draft before delete on claims
  for each row when (old.status <> 'draft') execute function refuse_change();
create trigger refuse_program before update of decided_by, decided_for on claim_approvals
  for each row execute function refuse_program('decided_by', 'decided_for');

create trigger refuse_program before insert on claim_reopenings
  for each row when (new.kind = 'approval_withdrawn') execute function refuse_program('reopened_by');

-- Triggers on tables of other rooms.
create constraint trigger check_claims_of_member after update on members
  deferrable initially deferred for each row
  when ((new.last_name_key, new.name_key, new.start_on, new.end_on)
    is distinct from (old.last_name_key, old.name_key, old.start_on, old.end_on))
  execute function check_claims_of_member();
create constraint trigger check_claim_payments after insert or update of status on payouts
  deferrable initially deferred for each row
  when (new.subject_kind = 'claim' and new.status not in ('cancelled', 'returned')) execute function check_claim_payments();
create constraint trigger check_claim_is_paid after update of status on payouts
  deferrable initially deferred for each row
  when (new.subject_kind = 'claim' and (new.status = 'completed') <> (old.status = 'completed'))
  execute function check_claim_is_paid();
create trigger seal_claim_detail before insert on audit_log for each row
  when (new.record_kind = 'claim' and holds_personal(new.fact, new.detail)) execute function seal_claim_detail();
create trigger seal_payout_detail before insert on audit_log for each row
  when (new.record_kind = 'payout' and holds_personal(new.fact, new.detail)) execute function seal_payout_detail();
