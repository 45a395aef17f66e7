import { addDays, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { type DaySelection, selectEachDay, selectOneDay } from "../platform/database/days.ts"

export const activeToday = sql`
  (select coalesce(sum(active), 0)::bigint from member_counts)`

/** The stored figure; without one, it is computed from the covers. */
export const activeAtMonthEnd = (monthEnd: Day, timezone: string): SQL => sql`
  case when exists (select from member_month_ends where month_end = ${monthEnd}::date)
    then (select coalesce(sum(active), 0)::bigint from member_month_ends where month_end = ${monthEnd}::date)
    else (select coalesce(sum(active), 0)::bigint from (${activeOn(monthEnd, timezone)}) found) end`

/**
 * Columns `day, policy_id, active`: stored figures; missing ones are computed from the covers. `days` selects one
 * column `day`.
 */
export const activeAtMonthEnds = (days: SQL, timezone: string): SQL => sql`
  select month_end as day, policy_id, active from member_month_ends where month_end in (${days})
  union all
  select day, policy_id, active
  from (${activeAt(selectEachDay(sql`select day from (${days}) d where day not in (select month_end from member_month_ends)`), timezone)}) found`

/**
 * Columns `policy_id, active`, computed from the covers. Counts members covered beyond the day, and members added by
 * then who start later.
 */
export const activeOn = (on: Day, timezone: string): SQL => activeAt(selectOneDay(on), timezone)

const activeAt = ({ day, joined, key }: DaySelection, timezone: string): SQL => sql`
  select ${key}k.policy_id, count(*) as active
  from member_covers k join members m on m.id = k.member_id ${joined}
  where k.kind = 'covered' and k.superseded_at is null and coalesce(m.end_on > ${day}, true) and (
    k.valid @> ${day} or (
      lower(k.valid) > ${day} and (m.created_at at time zone ${timezone})::date <= ${day}
      and not exists (select from member_covers e
        where e.member_id = k.member_id and e.superseded_at is null and lower(e.valid) < lower(k.valid))))
  group by ${key}k.policy_id`

export async function storeMonthEnd({ tx, today }: Pick<Cx, "tx" | "today">, timezone: string): Promise<number> {
  const monthEnd = addDays(firstOfMonth(today), -1)
  return tx.run(sql`
    insert into member_month_ends (month_end, policy_id, group_id, active)
    select ${monthEnd}::date, p.id, p.group_id, coalesce(found.active, 0)
    from policies p left join (${activeOn(monthEnd, timezone)}) found on found.policy_id = p.id
    where not exists (select from member_month_ends where month_end = ${monthEnd}::date)`)
}
