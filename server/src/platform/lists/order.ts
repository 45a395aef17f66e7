import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import type { Asked } from "./place.ts"
import type { ListSource } from "./source.ts"

export const column = (name: string): SQL => sql`s.${sql.identifier(name)}`
const isId = (value: unknown): boolean => typeof value === "string" && !value.includes(",")

export class ListOrder<D extends ListWords, Row> {
  readonly declared: D
  readonly source: ListSource<D, Row>

  constructor(declared: D, source: ListSource<D, Row>) {
    this.declared = declared
    this.source = source
  }

  orderColumns(asked: { sort: string }): readonly string[] {
    const isOne = (name: string) => this.source.same?.[name]?.some((key) => isId((asked as Partial<Asked>)[key]))
    return [...this.#sortColumns(asked.sort).filter((name) => !isOne(name)), "id"]
  }

  #sortColumns(sort: string): readonly string[] {
    const own = this.source.order?.[sort as never]
    if (own) return own
    for (const [key, { sort: name, of = key }] of Object.entries(this.declared.columns)) {
      if (name === sort || (name === true && key === sort)) return [of]
    }
    return [sort]
  }

  /** NULLS LAST is omitted for non-nullable columns, so that an index can be used. */
  order(asked: { sort: string; dir: "asc" | "desc" }, back = false, columns = this.orderColumns(asked)): SQL {
    const way = (asked.dir === "asc") === back ? "desc" : "asc"
    const empty = this.mayBeEmpty(asked.sort) ? ` nulls ${back ? "first" : "last"}` : ""
    const by = columns.map((name) =>
      name === "id" ? sql`s.id ${sql.raw(way)}` : sql`${column(name)} ${sql.raw(way + empty)}`,
    )
    return sql.join(by, sql`, `)
  }

  protected mayBeEmpty(sort: string): boolean {
    return (this.source.emptyLast as readonly string[] | undefined)?.includes(sort) ?? false
  }

  protected key(asked: Asked, id: string): SQL {
    return sql`
key as materialized (select ${sql.join(this.orderColumns(asked).map(column), sql`, `)} from source s where s.id = ${id}
),`
  }

  protected beside(asked: Asked, side: "after" | "before", orSame = ""): SQL {
    const { sort, dir } = asked
    const by = this.orderColumns(asked)
    const sides = (of: "s" | "k") =>
      sql.join(
        by.map((name) => sql`${sql.raw(of)}.${sql.identifier(name)}`),
        sql`, `,
      )
    const way = sql.raw(((dir === "asc") === (side === "after") ? ">" : "<") + orSame)
    const compared = sql`(${sides("s")}) ${way} (select ${sides("k")} from key k)`
    const first = sql.identifier(by[0]!)
    if (!this.mayBeEmpty(sort)) {
      return orSame ? sql`${compared} and s.${first} ${way} (select ${first} from key)` : compared
    }
    const empty = sql`(select ${first} is null from key)`
    const sameSide = sql`s.id ${way} (select id from key)`
    return side === "after"
      ? sql`(${compared} or s.${first} is null and (not ${empty} or ${sameSide}))`
      : sql`(${compared} or ${empty} and (s.${first} is not null or ${sameSide}))`
  }
}
