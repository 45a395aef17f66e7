import { type Placeholder, type SQL, sql } from "drizzle-orm"

export type KnownAt = string | Temporal.Instant | Placeholder | undefined

/** Rows recorded by `at` and not superseded by then; without `at`, the current rows. */
export function isKnownAt(table: string, at?: KnownAt): SQL {
  const of = sql.raw(`${table}.`)
  return at
    ? sql`(${of}recorded_at <= ${at}::timestamptz and (${of}superseded_at is null or ${of}superseded_at > ${at}::timestamptz))`
    : sql`${of}superseded_at is null`
}
