import { type SQL, sql } from "drizzle-orm"
import { toIsoInstant } from "../database/columns.ts"

export const recordNames: Record<string, SQL> = {
  group: sql`select id, name from employer_groups`,
  user: sql`select id, name from users`,
  policy: sql`select id, number || ', ' || (select name from employer_groups g where g.id = policies.group_id) as name from policies`,
  member: sql`select id, first_name || ' ' || last_name as name from members`,
  bank_account: sql`select id, name from bank_accounts`,
  bank_statement: sql`select id, number as name from bank_statements`,
}

export const idOf = (text: SQL): SQL =>
  sql`overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`

/** Converts PostgreSQL's offset to Z in the columns whose names end in "At". Changes the row in place. */
export function formatInstants(row: object): object {
  const values = row as Record<string, unknown>
  for (const name in values) {
    if (!name.endsWith("At")) continue
    const value = values[name]
    if (typeof value === "string") values[name] = toIsoInstant(value)
  }
  return row
}

/** Strips internal `_` columns from the answer. */
export function omitInternalColumns(row: object): object {
  const answer: Record<string, unknown> = {}
  for (const name in row) if (!name.startsWith("_")) answer[name] = (row as Record<string, unknown>)[name]
  return answer
}
