-- Room month-end: what is excused from the checklist of a month, and the checklists that were signed off.

-- Why a policy is not billed for a month.
create table month_excuses (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  month date not null check (month = date_trunc('month', month)),
  reason text not null check (btrim(reason) <> ''),
  excused_by uuid,
  excused_at timestamptz not null,
  taken_back_by uuid,
  taken_back_at timestamptz,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
create unique index month_excuses_once on month_excuses (month, policy_id) where taken_back_at is null;

-- What is left of a receipt is credit on purpose.
create table kept_credits (
  id uuid primary key,
  group_id uuid not null,
  receipt_id uuid not null,
  reason text not null check (btrim(reason) <> ''),
  kept_by uuid,
  kept_at timestamptz not null,
  taken_up_by uuid,
  taken_up_at timestamptz,
  unique (id, group_id),
  foreign key (receipt_id, group_id) references receipts (id, group_id)
);
create unique index kept_credits_once on kept_credits (receipt_id) where taken_up_at is null;

-- The checklist as it was when the month was closed; its PDF is made and kept right after.
create table signed_checklists (
  closed_month_id uuid primary key references closed_months (id),
  checks jsonb not null,
  file_id uuid references files (id),
  sha256 text,
  check ((file_id is null) = (sha256 is null))
);

create function keep_what_was_said() returns trigger language plpgsql as $$
declare
  added text[] := case tg_table_name when 'month_excuses' then array['taken_back_by', 'taken_back_at']
    when 'kept_credits' then array['taken_up_by', 'taken_up_at'] else array['file_id', 'sha256'] end;
  ended text := case tg_table_name when 'month_excuses' then to_jsonb(old) ->> 'taken_back_at'
    when 'kept_credits' then to_jsonb(old) ->> 'taken_up_at' else to_jsonb(old) ->> 'sha256' end;
begin
  if ended is not null or (to_jsonb(old) - added) is distinct from (to_jsonb(new) - added) then
    raise exception 'what was said at the end of a month is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger month_excuses_are_kept before update on month_excuses for each row execute function keep_what_was_said();
create trigger kept_credits_are_kept before update on kept_credits for each row execute function keep_what_was_said();
create trigger signed_checklists_are_kept before update on signed_checklists for each row execute function keep_what_was_said();
create trigger month_excuses_stay before delete or truncate on month_excuses for each statement execute function refuse_change();
create trigger kept_credits_stay before delete or truncate on kept_credits for each statement execute function refuse_change();
create trigger signed_checklists_stay before delete or truncate on signed_checklists for each statement execute function refuse_change();

-- What is excused from a closed month stands.
create function refuse_excuse_of_closed_month() returns trigger language plpgsql as $$
begin
  if exists (select from closed_months where month >= new.month and reopened_at is null) then
    raise exception 'the month is closed' using errcode = 'restrict_violation', constraint = 'month_excuses_in_open_month';
  end if;
  return new;
end $$;
create trigger month_excuses_in_open_month before insert or update on month_excuses
  for each row execute function refuse_excuse_of_closed_month();

select protect('month_excuses');
select protect('kept_credits');
grant select, insert, update (taken_back_by, taken_back_at) on month_excuses to milkwood_staff;
grant select, insert, update (taken_up_by, taken_up_at) on kept_credits to milkwood_staff;
grant select, insert, update (file_id, sha256) on signed_checklists to milkwood_staff;
