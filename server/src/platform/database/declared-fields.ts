import { columnOf, type DeclaredFields } from "@milkwood/domain/kernel/declared-field"
import { type SQL, sql } from "drizzle-orm"

/** The columns of declared fields, in SQL by the alias of their table: `m.first_name, m.last_name`. */
export const columnsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `${alias}.${columnOf(name)}`)
      .join(", "),
  )

/** The same, answered by the names of their fields: `m.first_name as "firstName"`. */
export const namedColumnsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `${alias}.${columnOf(name)} as "${name}"`)
      .join(", "),
  )

/** The arguments of `jsonb_build_object` for declared fields: `'firstName', r.first_name`. */
export const jsonPairsOf = (fields: DeclaredFields, alias: string): SQL =>
  sql.raw(
    Object.keys(fields)
      .map((name) => `'${name}', ${alias}.${columnOf(name)}`)
      .join(", "),
  )

/** The columns of declared fields by their names, as SQL text: `{ firstName: "m.first_name" }`. */
export const columnByName = <Name extends string>(names: readonly Name[], alias: string) =>
  Object.fromEntries(names.map((name) => [name, `${alias}.${columnOf(name)}`])) as Record<Name, string>
