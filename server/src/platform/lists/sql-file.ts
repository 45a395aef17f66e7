import { readFileSync } from "node:fs"
import { type SQL, sql } from "drizzle-orm"
import { cursorCondition, orderBy, type SortOrder } from "./order.ts"

/**
 * The statements of a `.list.sql` file, which psql can run unchanged. Comments mark what the server changes:
 *
 *     -- name: page              the statement that follows
 *     and s.status = :'status' -- if status        only with a value for `status`; for several lines:
 *                                                  "-- if status" … "-- end"
 *     -- or masked: …            only with a value for `masked`; a comment for psql
 *     order by s.name, s.id -- sort                the requested order; "-- sort by id" has its direction
 *     and (s.name, s.id) > (select …) -- after     the rows after or before the row `key`
 *     and (s.name, s.id) <= (select …) -- until    the rows up to the row `key`
 *     left join … -- rule premium                  the SQL of a rule, given as the value of `premium`
 *
 * `select $$…$$ as part \gset` names a text that other statements contain as `:part`.
 */
export class SqlFile {
  readonly #parts = new Map<string, SqlFileLine[]>()
  readonly #statements = new Map<string, SqlFileLine[]>()

  constructor(path: string) {
    const text = readFileSync(path, "utf8")
    for (const [, body, name] of text.matchAll(/^select \$\$\n(.*?)\$\$ as (\w+) \\gset$/gms)) {
      this.#parts.set(name!, linesOf(body!))
    }
    for (const [, name, body] of text.matchAll(/^-- name: (\w+)\n(.*?);$/gms))
      this.#statements.set(name!, linesOf(body!))
  }

  get names(): string[] {
    return [...this.#statements.keys()]
  }

  /** Strings, dates and arrays become parameters; numbers and null are inlined. */
  statement(name: string, values: Values, sorting: SqlFileSorting): SQL {
    const lines = this.#statements.get(name)
    if (!lines) throw new Error(`There is no statement ${name}.`)
    return this.#write(lines, values, sorting)
  }

  #write(lines: SqlFileLine[], values: Values, sorting: SqlFileSorting): SQL {
    const blocks: boolean[] = []
    const written: SQL[] = []
    for (const { kind, name, text } of lines) {
      if (kind === "block") blocks.push(values[name!] !== undefined)
      else if (kind === "end") blocks.pop()
      else if (blocks.every(Boolean)) written.push(...this.#line({ kind, name, text }, values, sorting))
    }
    return sql.join(written, sql`\n`)
  }

  #line({ kind, name, text }: SqlFileLine, values: Values, { order, dir, back, side }: SqlFileSorting): SQL[] {
    const filled = () => [this.#fill(text, values, { order, dir, back, side })]
    if (kind === "sort") return [sql`order by ${orderBy(name ? { ...order, columns: [name] } : order, dir, back)}`]
    if (kind === "after") return side && side !== "until" ? [sql`and ${cursorCondition(order, dir, side)}`] : []
    if (kind === "until") return side === "until" ? [sql`and ${cursorCondition(order, dir, "before", "=")}`] : []
    if (kind === "rule") return [values[name!] as SQL]
    return kind === undefined || values[name!] !== undefined ? filled() : []
  }

  #fill(text: string, values: Values, sorting: SqlFileSorting): SQL {
    const pieces = text.split(/(?<!:):('\w+'|[a-z]\w*)/)
    return sql.join(
      pieces.map((piece, index) => {
        if (index % 2 === 0) return sql.raw(piece)
        if (!piece.startsWith("'")) return this.#write(this.#part(piece), values, sorting)
        return toSqlLiteral(values[piece.slice(1, -1)])
      }),
      sql``,
    )
  }

  #part(name: string): SqlFileLine[] {
    const part = this.#parts.get(name)
    if (!part) throw new Error(`There is no part ${name}.`)
    return part
  }
}

export type Values = Record<string, SQL | string | number | boolean | null | readonly string[] | undefined>

export interface SqlFileSorting {
  order: SortOrder
  dir: "asc" | "desc"
  back: boolean
  side?: "after" | "before" | "until" | undefined
}

interface SqlFileLine {
  kind?: "if" | "or" | "block" | "end" | "sort" | "after" | "until" | "rule" | undefined
  name?: string | undefined
  text: string
}

function linesOf(text: string): SqlFileLine[] {
  return text.split("\n").flatMap((line): SqlFileLine[] => {
    const [, or, alternative] = /^\s*-- or (\w+): (.*)$/.exec(line) ?? []
    if (or) return [{ kind: "or", name: or, text: alternative! }]
    const [, block] = /^\s*-- if (\w+)$/.exec(line) ?? []
    if (block) return [{ kind: "block", name: block, text: "" }]
    if (line.trim() === "-- end") return [{ kind: "end", text: "" }]
    if (line.trim() === "" || line.trim().startsWith("--")) return []
    const [, marked, kind, name] = /^(.*) -- (if|sort|after|until|rule)(?: by)?(?: (\w+))?$/.exec(line) ?? []
    return [
      marked === undefined ? { text: line } : { kind: kind as NonNullable<SqlFileLine["kind"]>, name, text: marked },
    ]
  })
}

function toSqlLiteral(value: Values[string]): SQL {
  if (value === undefined) throw new Error("A parameter of a statement has no value.")
  if (value === null || typeof value === "number" || typeof value === "boolean") return sql.raw(String(value))
  if (typeof value === "string") return sql`${value}`
  return Array.isArray(value) ? sql`${sql.param(value)}` : (value as SQL)
}
