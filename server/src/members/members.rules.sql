create function log_birth_date() returns trigger language plpgsql as $$
begin
  insert into former_birth_dates (group_id, member_id, born_on, superseded_at)
    values (old.group_id, old.id, old.date_of_birth, new.updated_at);
  return null;
end $$;
create trigger log_birth_date after update of date_of_birth on members for each row
  when (old.date_of_birth is distinct from new.date_of_birth and not is_forgetting()) execute function log_birth_date();

create function refuse_anonymous_member() returns trigger language plpgsql as $$
begin
  raise exception 'a member who was made anonymous is never changed' using errcode = 'restrict_violation';
end $$;
create trigger refuse_anonymous_member before update on members for each row
  when (old.forgotten_on is not null and not is_forgetting()) execute function refuse_anonymous_member();

-- Counts members by policy and status. It inserts the row first, because PostgreSQL checks the values of an `insert …
-- on conflict` before it finds the conflict. When a draft policy is deleted, its row is already gone.
create function count_members() returns trigger language plpgsql as $$
declare
  moved record;
begin
  for moved in execute format(
    'select policy_id, group_id, sum(one) filter (where status = ''Pending'') as pending,
      sum(one) filter (where status = ''Active'') as active, sum(one) filter (where status = ''Suspended'') as suspended,
      sum(one) filter (where status = ''Terminated'') as terminated
    from (select policy_id, group_id, status, sum(one) as one from (%s) each group by 1, 2, 3 having sum(one) <> 0) each
    group by 1, 2 order by 1',
    case tg_op
      when 'INSERT' then 'select policy_id, group_id, status, 1 as one from added'
      when 'DELETE' then 'select policy_id, group_id, status, -1 as one from removed'
      else 'select policy_id, group_id, status, 1 as one from added
        union all select policy_id, group_id, status, -1 from removed'
    end)
  loop
    if greatest(moved.pending, moved.active, moved.suspended, moved.terminated) > 0 then
      insert into member_counts (policy_id, group_id) values (moved.policy_id, moved.group_id) on conflict do nothing;
    end if;
    update member_counts set pending = pending + coalesce(moved.pending, 0), active = active + coalesce(moved.active, 0),
      suspended = suspended + coalesce(moved.suspended, 0), terminated = terminated + coalesce(moved.terminated, 0)
    where policy_id = moved.policy_id;
  end loop;
  return null;
end $$;
create trigger count_members_on_insert after insert on members
  referencing new table as added for each statement execute function count_members();
create trigger count_members_on_update after update on members
  referencing new table as added old table as removed for each statement execute function count_members();
create trigger count_members_on_delete after delete on members
  referencing old table as removed for each statement execute function count_members();

-- Clears employee number and language; `forget_person` clears the other fields.
create function clear_member_fields() returns trigger language plpgsql as $$
begin
  new.employee_number := '';
  new.preferred_language := null;
  return new;
end $$;
create trigger clear_member_fields before update of forgotten_on on members
  for each row when (old.forgotten_on is null and new.forgotten_on is not null) execute function clear_member_fields();

create function members_found(part text, sought text, also text[], from_name text, to_name text, at_most bigint)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  groups constant uuid[] := app_groups();
  is_like constant boolean := sought like '\%%';
  has constant text := case when is_like then ' like $2' else ' ~ $2' end;
  -- If a user's groups have over a tenth of all members, searching all names is faster than searching by group.
  sees_most constant boolean := cardinality(groups) > 10
    and case when is_like then sought ~ '[[:alnum:]]{3}' else from_name is not null or to_name is not null end
    and (select 10 * sum(n) filter (where group_id = any (groups)) > sum(n)
      from (select group_id, pending + active + suspended + terminated as n from member_counts) counted);
  shown constant text := '(name_key || E''\n'' || lower(number) || E''\n'' || lower(employee_number) || E''\n'' || lower(email))';
begin
  return query execute 'select id from members where '
    -- An expression without an index, so that the planner does not search by group.
    || case when sees_most then 'coalesce(group_id, id)' else 'group_id' end
    || ' = any ($1) and search_key' || has
    || case part when 'any' then '' when 'name' then ' and name_key' || has when 'shown' then ' and ' || shown || has end
    || case when also is null then '' else
        case part when 'any' then ' and search_key || ''''' when 'name' then ' and name_key || ''''' when 'shown' then ' and ' || shown end
        || ' like all ($3)' end
    || case when from_name is null then '' else ' and last_name_key >= $4' end
    || case when to_name is null then '' else ' and last_name_key <= $5' end
    || ' limit $6'
  using groups, sought, also, from_name, to_name, at_most;
end $$;
revoke execute on function members_found(text,text,text[],text,text,bigint) from public;
grant execute on function members_found(text,text,text[],text,text,bigint) to milkwood_scoped;

create function members_of_dependents(sought text, also text[], at_most bigint) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select member_id from dependents where group_id = any ($1)
    and lower(first_name || '' '' || last_name) like $2'
    || case when also is null then '' else ' and lower(first_name || '' '' || last_name) like all ($3)' end || ' limit $4'
  using app_groups(), sought, also, at_most;
end $$;
revoke execute on function members_of_dependents(text,text[],bigint) from public;
grant execute on function members_of_dependents(text,text[],bigint) to milkwood_scoped;

-- An audit row about a member is encrypted as a whole.
create function seal_member_detail() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_group uuid := coalesce(new.group_id, (select group_id from members where id = new.record_id));
begin
  if of_group is not null then new.detail := sealed_for(new.record_id, of_group, new.detail); end if;
  return new;
end $$;
revoke execute on function seal_member_detail() from public;

-- A list of members is encrypted name by name.
create function seal_member_names() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.detail := jsonb_set(new.detail, '{names}', coalesce((
    select jsonb_agg(case when name ? 'id' then sealed_for((name ->> 'id')::uuid, new.group_id, name -> 'name') else name end order by at)
    from jsonb_array_elements(new.detail -> 'names') with ordinality names (name, at)), '[]'));
  return new;
end $$;
revoke execute on function seal_member_names() from public;

create function check_shares() returns trigger language plpgsql as $$
begin
  if (select sum(share_basis_points) from nominees where nomination_id = new.nomination_id) <> 10000 then
    raise exception 'the shares of a nomination add up to 100.00 %%'
      using errcode = 'check_violation', constraint = 'nominees_share_the_whole';
  end if;
  return null;
end $$;
create constraint trigger check_shares after insert on nominees
  deferrable initially deferred for each row execute function check_shares();

-- Triggers that call functions of other rooms.
-- A strike and a completed follow-up are final.
create trigger refuse_change_of_notes before update on member_notes for each row
  when (not is_forgetting() and (
    old.struck_at is not null and (new.struck_at, new.struck_reason) is distinct from (old.struck_at, old.struck_reason)
    or old.followed_up_at is not null
      and (new.followed_up_at, new.followed_up_by) is distinct from (old.followed_up_at, old.followed_up_by)
  ))
  execute function refuse_change();
create trigger refuse_change before update on nominations
  for each row when (old.superseded_at is not null) execute function refuse_change();
create trigger refuse_derived_figures before insert or update or delete on member_counts
  for each row when (pg_trigger_depth() = 0) execute function refuse_derived_figures();

-- Triggers on tables of other rooms.
create trigger seal_member_detail before insert on audit_log for each row
  when (new.record_kind = 'member' and new.record_id is not null and new.fact not in ('MembersAdded', 'MembersRemoved') and holds_personal(new.fact, new.detail))
  execute function seal_member_detail();
create trigger seal_member_names before insert on audit_log for each row
  when (new.fact in ('MembersAdded', 'MembersRemoved') and new.group_id is not null
    and jsonb_typeof(new.detail -> 'names') is not distinct from 'array')
  execute function seal_member_names();

-- The cover of a member, or of a dependent, by a benefit for an incident, as known at a moment. `coverOf` in the domain
-- is the same rule. `max_cover_cents` 0 means no maximum; with a `gap` the benefit pays nothing, and the amounts are null.
create function cover_of(of_member uuid, of_dependent uuid, of_benefit uuid, incident date, known timestamptz default null)
returns table (
  tier_id uuid, product_type_id uuid, insured text, age integer, max_cover_cents bigint, cover_percentage integer,
  incident_limit_cents bigint, year_limit_cents bigint, cover_year text, gap text, covered_since date,
  waiting_period_months integer, salary_multiple numeric
) language sql stable as $$
  select person.tier_id, terms.product_type_id, person.insured, born.age, given.max_cover_cents,
    case when given.gap is null then given.percentage end, case when given.gap is null then given.incident_limit_cents end,
    case when given.gap is null then given.year_limit_cents end, case when given.gap is null then t.cover_year end, given.gap,
    case when person.member_since is not null and person.own_since is not null
      then greatest(person.member_since, person.own_since, without.until) end,
    terms.waiting_period_months, case when given.gap is null then given.salary_multiple end
  from (
    select m.id, m.policy_id, coalesce(mc.tier_id, m.tier_id) as tier_id,
      case when of_dependent is null then 'member' else coalesce(dc.relationship, d.relationship) end as insured,
      case when of_dependent is null then m.date_of_birth when dc.id is null then d.date_of_birth else dc.born_on end as born_on,
      first.member_since,
      case when of_dependent is null then first.member_since else (
        select min(lower(c.valid)) from dependent_covers c
        where c.dependent_id = of_dependent and is_known(c.recorded_at, c.superseded_at, known) and lower(c.valid) <= incident
      ) end as own_since
    from members m
    left join dependents d on d.id = of_dependent and d.member_id = m.id
    left join member_covers mc on mc.member_id = m.id and mc.valid @> incident and is_known(mc.recorded_at, mc.superseded_at, known)
    left join dependent_covers dc on dc.dependent_id = of_dependent and dc.member_id = m.id and dc.valid @> incident
      and is_known(dc.recorded_at, dc.superseded_at, known)
    cross join lateral (
      select min(lower(c.valid)) as member_since from member_covers c
      where c.member_id = m.id and c.policy_id = m.policy_id and is_known(c.recorded_at, c.superseded_at, known)
        and lower(c.valid) <= incident
    ) first
    where m.id = of_member
  ) person
  cross join lateral policy_terms_on(person.policy_id, incident, known) terms
  cross join lateral (
    select case when person.born_on > incident then -1 else extract(year from age(incident, person.born_on))::integer end as age
  ) born
  left join lateral (
    select max(upper(p.valid)) as until from policy_cover_terms p
    where p.policy_id = person.policy_id and p.term = 'product type' and is_known(p.recorded_at, p.superseded_at, known)
      and upper(p.valid) <= incident and not exists (
        select from product_benefits pb where pb.product_type_id = p.product_type_id and pb.benefit_id = of_benefit)
  ) without on true
  left join product_benefits pb on pb.product_type_id = terms.product_type_id and pb.benefit_id = of_benefit
    and pb.tier_id = person.tier_id
  left join product_benefit_terms t on t.product_benefit_id = pb.id and t.valid @> incident
    and is_known(t.recorded_at, t.superseded_at, known)
  left join lateral (
    select d.amount_cents, d.salary_multiple, d.percentage, d.incident_limit_cents, d.year_limit_cents, true as is_found
    from product_benefit_dependents d
    where d.terms_id = t.id and d.insured = person.insured
      and (d.age_from = 0 and d.age_to is null or d.age_from <= born.age and born.age <= coalesce(d.age_to, born.age))
  ) own on person.insured <> 'member' and not t.dependents_alike
  cross join lateral (
    select coalesce(person.insured = 'member' or t.dependents_alike, true) as as_member
  ) alike
  left join member_salaries s on s.member_id = person.id and s.valid @> incident
    and is_known(s.recorded_at, s.superseded_at, known)
  cross join lateral (
    select case when alike.as_member then t.amount_cents else own.amount_cents end as amount_cents,
      case when alike.as_member then t.salary_multiple else own.salary_multiple end as salary_multiple,
      case when alike.as_member then t.percentage else own.percentage end as percentage,
      case when alike.as_member then t.incident_limit_cents else own.incident_limit_cents end as incident_limit_cents,
      case when alike.as_member then t.year_limit_cents else own.year_limit_cents end as year_limit_cents
  ) amounts
  cross join lateral (
    select amounts.*, case
      when t.id is null then 'product'
      when person.insured <> 'member' and born.age < 0 then 'not born'
      when not alike.as_member and own.is_found is null then
        case when not exists (select from product_benefit_dependents d where d.terms_id = t.id and d.insured = person.insured)
          then 'person' when born.age is null then 'birth date' else 'age' end
      when amounts.salary_multiple is not null and s.id is null then 'salary'
    end as gap,
    case when amounts.salary_multiple is null then amounts.amount_cents
      else round(s.monthly_cents * amounts.salary_multiple)::bigint end as max_cover_cents_found
  ) found
  cross join lateral (
    select found.*, case when found.gap is null then found.max_cover_cents_found end as max_cover_cents
  ) given
$$;
