import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/**
 * The days of a statement: one day, or several in one pass over the rows. With several, the first column of the result
 * is `day`.
 *
 *     select ${at.key}group_id, count(*) from claims c ${at.joined} where c.submitted_at < ${at.day} group by ${at.key}group_id
 */
export interface DaySelection {
  day: SQL
  joined: SQL
  key: SQL
  kept: SQL
}

export const selectOneDay = (day: Day): DaySelection => ({
  day: sql`${day}::date`,
  joined: sql``,
  key: sql``,
  kept: sql``,
})

export const selectEachDay = (days: SQL): DaySelection => ({
  day: sql`asked.day`,
  joined: sql`cross join (${days}) asked`,
  key: sql`asked.day, `,
  kept: sql`day, `,
})
