import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import type { ListRequest } from "./place.ts"

export const sourceColumn = (name: string): SQL => sql`s.${sql.identifier(name)}`

/** Without columns that all requested rows share; the id makes the order total. */
export interface SortOrder {
  columns: readonly string[]
  /** The first column is nullable; nulls sort last in both directions. */
  isNullsLast: boolean
}

export type SortColumns = Partial<Record<string, readonly string[]>>

/** `isShared`: true for columns with one value in all requested rows. */
export function sortOrderOf(
  declared: ListWords,
  own: SortColumns,
  sort: string,
  isShared: (column: string) => boolean = () => false,
): SortOrder {
  const named = own[sort] ?? [sortableColumn(declared, sort)]
  const isNullsLast = named[0]!.endsWith(" nulls last")
  const columns = named.map((name) => name.replace(" nulls last", "")).filter((name) => !isShared(name))
  return { columns: [...columns, "id"], isNullsLast }
}

function sortableColumn({ columns }: ListWords, sort: string): string {
  const found = Object.entries(columns).find(
    ([key, { sort: name }]) => name === sort || (name === true && key === sort),
  )
  return found ? (found[1].of ?? found[0]) : sort
}

/** Non-null columns get no `nulls last`, so that PostgreSQL can use an index. */
export function orderBy({ columns, isNullsLast }: SortOrder, dir: ListRequest["dir"], back = false): SQL {
  const way = (dir === "asc") === back ? "desc" : "asc"
  const empty = isNullsLast ? ` nulls ${back ? "first" : "last"}` : ""
  const by = columns.map((name) =>
    name === "id" ? sql`s.id ${sql.raw(way)}` : sql`${sourceColumn(name)} ${sql.raw(way + empty)}`,
  )
  return sql.join(by, sql`, `)
}

/** Rows `s` after or before the row `key`; `orSame` includes that row. */
export function cursorCondition(
  { columns, isNullsLast }: SortOrder,
  dir: ListRequest["dir"],
  side: "after" | "before",
  orSame: "" | "=" = "",
): SQL {
  const sides = (of: "s" | "k") =>
    sql.join(
      columns.map((name) => sql`${sql.raw(of)}.${sql.identifier(name)}`),
      sql`, `,
    )
  const way = sql.raw(((dir === "asc") === (side === "after") ? ">" : "<") + orSame)
  const compared = sql`(${sides("s")}) ${way} (select ${sides("k")} from key k)`
  const first = sql.identifier(columns[0]!)
  if (!isNullsLast) {
    // Repeats the condition on the first column, so that PostgreSQL can use a trigram index that contains it.
    return orSame ? sql`${compared} and s.${first} ${way} (select ${first} from key)` : compared
  }
  const empty = sql`(select ${first} is null from key)`
  const sameSide = sql`s.id ${way} (select id from key)`
  return side === "after"
    ? sql`(${compared} or s.${first} is null and (not ${empty} or ${sameSide}))`
    : sql`(${compared} or ${empty} and (s.${first} is not null or ${sameSide}))`
}
