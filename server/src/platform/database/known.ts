import { type Placeholder, type SQL, sql } from "drizzle-orm"

/** A moment at which something was known, or its place in a statement; without one, what is known now. */
export type KnownAt = string | Temporal.Instant | Placeholder | undefined

/** Rows of a table's alias as they are now, or as they were known at a moment: recorded by then, not superseded by then. */
export function known(table: string, at?: KnownAt): SQL {
  const of = sql.raw(`${table}.`)
  return at
    ? sql`(${of}recorded_at <= ${at}::timestamptz and (${of}superseded_at is null or ${of}superseded_at > ${at}::timestamptz))`
    : sql`${of}superseded_at is null`
}
