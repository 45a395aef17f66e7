-- A cover without an end ends on the day that never comes: all days of a policy add up to nothing, and who is covered on a
-- day is as well whoever ends after it, less who begins after it. Of today that is a few rows.

alter table member_covers no force row level security;
alter table cover_days no force row level security;
alter table cover_days disable trigger cover_days_follow;
insert into cover_days (policy_id, group_id, kind, on_day, covers)
select policy_id, group_id, kind, 'infinity', -count(*) from member_covers
where superseded_at is null and upper_inf(valid) group by 1, 2, 3;
alter table cover_days enable trigger cover_days_follow;
alter table cover_days force row level security;
alter table member_covers force row level security;

-- As in 0420, but for the end.
create or replace function keep_cover_days() returns trigger language plpgsql as $$
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
      select policy_id, group_id, kind, coalesce(upper(valid), ''infinity''), -one from (%1$s) c where superseded_at is null
    ) each group by 1, 2, 3, 4 having sum(one) <> 0 order by 1, 3, 4
    on conflict (policy_id, kind, on_day) do update set covers = kept.covers + excluded.covers', changed);
  return null;
end $$;
