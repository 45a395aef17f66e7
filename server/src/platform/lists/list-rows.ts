import { type SQL, sql } from "drizzle-orm"
import { isoInstant } from "../database/columns.ts"

/** How a record is called where it filters a list. */
export const recordNames: Record<string, SQL> = {
  group: sql`select id, name from employer_groups`,
  policy: sql`select id, number || ', ' || (select name from employer_groups g where g.id = policies.group_id) as name from policies`,
  member: sql`select id, first_name || ' ' || last_name as name from members`,
}

/** Moments come out of JSON with PostgreSQL's offset; the contract speaks Z. Their names end in "At". */
export function instants(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith("At") && typeof value === "string" ? isoInstant(value) : value,
    ]),
  )
}

/** What is sorted, searched and judged by is answered to nobody. */
export const withoutOwn = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("_")))
