-- While somebody is away, a stage of a claim can be decided for them: a group administrator of the group stands in for
-- its policy holder, from one day to another. Nobody decides two stages by it, nor a claim that either had a hand in.

create table claim_stand_ins (
  id uuid primary key,
  -- Who is away, and who decides for them.
  person_id uuid not null references users (id) on delete cascade,
  stand_in_id uuid not null references users (id) on delete cascade,
  from_on date not null,
  -- The last day.
  until_on date not null,
  named_by uuid not null references users (id),
  created_at timestamptz not null,
  -- Ended before its last day, or before it began.
  ended_at timestamptz,
  constraint claim_stand_ins_are_two_people check (person_id <> stand_in_id),
  constraint claim_stand_ins_are_for_a_while check (until_on between from_on and from_on + 366),
  constraint claim_stand_ins_one_at_a_time
    exclude using gist (person_id with =, daterange(from_on, until_on, '[]') with &&) where (ended_at is null)
);
create index claim_stand_ins_of_stand_in on claim_stand_ins (stand_in_id) where ended_at is null;

-- Whose groups the reader sees may be read of; a person names for themselves, and ends what is theirs.
alter table claim_stand_ins enable row level security;
alter table claim_stand_ins force row level security;
create policy of_own_groups on claim_stand_ins for select to milkwood_scoped using (
  exists (select from user_groups g where g.user_id = person_id and g.group_id = any ((select app_groups())::uuid[])));
create policy named_by_oneself on claim_stand_ins for insert to milkwood_scoped
  with check (person_id = (select app_user()) and named_by = (select app_user()) and ended_at is null);
create policy ended_by_oneself on claim_stand_ins for update to milkwood_scoped using (person_id = (select app_user()));
grant select, insert on claim_stand_ins to milkwood_staff, milkwood_scoped;
grant update (ended_at) on claim_stand_ins to milkwood_staff, milkwood_scoped;

alter table claim_approvals
  add column decided_for uuid references users (id),
  add constraint claim_approvals_decided_for_another check (
    decided_for is null or (decided_by is not null and decided_for <> decided_by and stage = 'policy_holder'));

-- A stage is decided by the role that has its name, or for somebody who has it.
create or replace function check_decider() returns trigger language plpgsql as $$
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
      raise exception 'who captured, submitted or reviewed a claim does not decide it' using errcode = 'restrict_violation';
    end if;
    if new.decided_for is null and not exists (select from users where id = new.decided_by and role = new.stage) then
      raise exception 'a stage is decided by the role that has its name' using errcode = 'restrict_violation';
    end if;
    if new.decided_for is not null and not exists (
      select from claim_stand_ins s
      join users person on person.id = s.person_id and person.role = new.stage
      join users other on other.id = s.stand_in_id and other.role = 'group_admin'
      join user_groups g on g.user_id = person.id and g.group_id = new.group_id
      where s.person_id = new.decided_for and s.stand_in_id = new.decided_by and s.ended_at is null
        -- Whichever timezone the days are in.
        and (new.decided_at at time zone 'UTC')::date between s.from_on - 1 and s.until_on + 1
    ) then
      raise exception 'nobody decides for somebody else unless they stand in for them' using errcode = 'restrict_violation';
    end if;
    if exists (
      select from claim_approvals a
      where a.claim_id = new.claim_id and a.stage <> new.stage and a.decided_by = new.decided_by
    ) then
      raise exception 'nobody decides two stages of one claim' using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
