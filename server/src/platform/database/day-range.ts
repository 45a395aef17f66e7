import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/** Whether a day lies from one day to another, both included. A missing end is open; no day at all lies in no range. */
export function within(day: SQL, from: Day | undefined, to: Day | undefined): SQL {
  return sql`(${from ? sql`${day} >= ${from}::date` : sql`true`} and ${to ? sql`${day} <= ${to}::date` : sql`true`})`
}
