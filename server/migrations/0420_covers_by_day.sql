-- How many covers of a kind begin on a day in a policy, less those that end on it, kept by the statements that change
-- covers: who is covered on a day is the sum of the days up to it.

create table cover_days (
  policy_id uuid not null,
  group_id uuid not null,
  kind text not null check (kind in ('covered', 'suspended')),
  on_day date not null,
  covers integer not null,
  primary key (policy_id, kind, on_day) include (covers),
  foreign key (policy_id, group_id) references policies (id, group_id) on update cascade on delete cascade
);
create index cover_days_group on cover_days (group_id);

alter table member_covers no force row level security;
insert into cover_days (policy_id, group_id, kind, on_day, covers)
select policy_id, group_id, kind, on_day, sum(one) from (
  select policy_id, group_id, kind, lower(valid) as on_day, 1 as one from member_covers where superseded_at is null
  union all
  select policy_id, group_id, kind, upper(valid), -1 from member_covers where superseded_at is null and not upper_inf(valid)
) each group by 1, 2, 3, 4 order by 1, 3, 4;
alter table member_covers force row level security;

-- The policy's members are held first, as whoever adds or ends one holds them (0413): two who change one policy wait for
-- each other, whichever of the two tables each of them comes to first.
create function keep_cover_days() returns trigger language plpgsql as $$
declare
  changed text := case tg_op when 'INSERT' then 'select *, 1 as one from added'
    when 'DELETE' then 'select *, -1 as one from removed'
    else 'select *, 1 as one from added union all select *, -1 from removed' end;
begin
  execute format('
    select from member_counts where policy_id in (select policy_id from (%s) c) order by policy_id for update', changed);
  execute format('
    insert into cover_days as kept (policy_id, group_id, kind, on_day, covers)
    select policy_id, group_id, kind, on_day, sum(one) from (
      select policy_id, group_id, kind, lower(valid) as on_day, one from (%1$s) c where superseded_at is null
      union all
      select policy_id, group_id, kind, upper(valid), -one from (%1$s) c where superseded_at is null and not upper_inf(valid)
    ) each group by 1, 2, 3, 4 having sum(one) <> 0 order by 1, 3, 4
    on conflict (policy_id, kind, on_day) do update set covers = kept.covers + excluded.covers', changed);
  return null;
end $$;
create trigger covers_added_are_counted after insert on member_covers
  referencing new table as added for each statement execute function keep_cover_days();
create trigger covers_changed_are_counted after update on member_covers
  referencing new table as added old table as removed for each statement execute function keep_cover_days();
create trigger covers_removed_are_counted after delete on member_covers
  referencing old table as removed for each statement execute function keep_cover_days();

-- Nobody else counts.
create trigger cover_days_follow before insert or update or delete on cover_days
  for each row when (pg_trigger_depth() = 0) execute function refuse_kept_figures();

select protect('cover_days');
grant select, insert, update on cover_days to milkwood_staff, milkwood_scoped;
