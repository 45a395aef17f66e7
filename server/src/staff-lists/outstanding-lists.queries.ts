import { outstandingListsList } from "@milkwood/domain/staff-lists/outstanding-lists.list"
import { type OutstandingListRow, staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"

/** `findOutstandingList` for all active policies; a test compares both. One row per policy. */
export const outstandingListsSql = ({ today, timezone }: Pick<Cx, "today" | "timezone">): SQL => sql`
  select d.policy_id, d.group_id, d.month, d.due_on, greatest(${today}::date - d.due_on, 0) as days_late,
    case when d.due_on < ${today}::date then 'late' else 'expected' end as state, d.last_list_id, d.last_list_on
  from (
    select w.*, (w.month + (w.staff_list_day - 1)) as due_on
    from (
      select f.*, greatest(
          (date_trunc('month', f.since::timestamp)
            + case when extract(day from f.since) > f.staff_list_day then interval '1 month' else interval '0' end)::date,
          (date_trunc('month', f.last_list_on::timestamp) + interval '1 month')::date) as month
      from (
        select p.id as policy_id, p.group_id, p.staff_list_day, p.end_on, l.id as last_list_id, l.imported_on as last_list_on,
          greatest(p.start_on, p.staff_lists_from_on, (p.activated_at at time zone ${timezone})::date) as since
        from policies p
        left join lateral (
          select s.id, (s.committed_at at time zone ${timezone})::date as imported_on from staff_lists s
          where s.policy_id = p.id and s.status = 'completed' order by s.committed_at desc, s.id desc limit 1
        ) l on true
        where p.status = 'Active' and p.staff_list_day is not null
      ) f
    ) w
  ) d
  where d.month <= ${today}::date and (d.end_on is null or d.due_on <= d.end_on)`

export const outstandingLists = new List<typeof outstandingListsList, OutstandingListRow>(outstandingListsList, {
  select: (cx) => sql`
    select o.policy_id as id, p.number as "policyNumber", o.group_id as "groupId", g.name as "groupName", o.month,
      o.due_on as "dueOn", o.state, o.days_late as "daysLate", o.last_list_id as "lastListId",
      o.last_list_on as "lastListOn", o.group_id as "_groupId", lower(g.name) as _group, lower(p.number) as _policy
    from (${outstandingListsSql(cx)}) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id`,
  groupScoped: true,
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { groupName: ["_group", "_policy"], policyNumber: ["_policy"] },
  present: (row: OutstandingListRow) => row,
})

export const listOutstandingLists = query(staffListsContract.outstanding, (cx) => outstandingLists.page(cx, cx.input))
