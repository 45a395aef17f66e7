import { bigint, customType, date, integer, uuid } from "drizzle-orm/pg-core"

/** timestamptz, read as ISO text with Z; also accepts a Temporal.Instant. */
export const instant = customType<{ data: string | Temporal.Instant; driverData: string }>({
  dataType: () => "timestamp with time zone",
  fromDriver: (value) => toIsoInstant(value),
  toDriver: (value) => value.toString(),
})

const utcTimestampPattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)\+00(?::00)?$/

/** PostgreSQL's `2026-11-21 01:02:03.4+00` (in JSON `2026-11-21T01:02:03.4+00:00`) as `2026-11-21T01:02:03.4Z`. */
export function toIsoInstant(text: string): string {
  // Fast path for the format of our own connections; a list has hundreds of instants.
  const [, day, time] = utcTimestampPattern.exec(text) ?? []
  if (day) return `${day}T${time}Z`
  return Temporal.Instant.from(text.replace(" ", "T")).toString()
}

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" })

export const id = () => uuid("id").primaryKey()
export const groupId = () => uuid("group_id").notNull()
/** Money: whole cents. */
export const cents = (name: string) => bigint(name, { mode: "number" })
/** A business day, `YYYY-MM-DD`. */
export const day = (name: string) => date(name, { mode: "string" })
export const version = () => integer("version").notNull().default(1)
