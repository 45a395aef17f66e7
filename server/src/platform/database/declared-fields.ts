import { columnOf, type DeclaredFields } from "@milkwood/domain/kernel/declared-field"
import { type SQL, sql } from "drizzle-orm"

/** `m.first_name, m.last_name` */
export const columnsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `${alias}.${columnOf(name)}`)
      .join(", "),
  )

/** `m.first_name as "firstName"` */
export const namedColumnsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `${alias}.${columnOf(name)} as "${name}"`)
      .join(", "),
  )

/** `'firstName', r.first_name`, for `jsonb_build_object`. */
export const jsonPairsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `'${name}', ${alias}.${columnOf(name)}`)
      .join(", "),
  )
