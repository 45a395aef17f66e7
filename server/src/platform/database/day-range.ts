import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/** Both bounds are inclusive; undefined is unbounded. A null day matches no range. */
export function isWithinDays(day: SQL, from: Day | undefined, to: Day | undefined): SQL {
  return sql`(${from ? sql`${day} >= ${from}::date` : sql`true`} and ${to ? sql`${day} <= ${to}::date` : sql`true`})`
}
