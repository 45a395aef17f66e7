import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/**
 * What a statement is asked of: one day, or each of several in one pass over its rows. Where there are several, the first
 * column of what it answers is `day`.
 *
 *     select ${at.key}group_id, count(*) from claims c ${at.joined} where c.submitted_at < ${at.day} group by ${at.key}group_id
 */
export interface AskedDays {
  /** The day, in conditions. */
  day: SQL
  /** Joins the days to a from-clause. */
  joined: SQL
  /** At the head of the columns that rows are read or grouped by; `kept` where they come from such rows. */
  key: SQL
  kept: SQL
}

export const oneDay = (day: Day): AskedDays => ({ day: sql`${day}::date`, joined: sql``, key: sql``, kept: sql`` })

/** `days` selects them, as one column `day`. */
export const eachDay = (days: SQL): AskedDays => ({
  day: sql`asked.day`,
  joined: sql`cross join (${days}) asked`,
  key: sql`asked.day, `,
  kept: sql`day, `,
})
