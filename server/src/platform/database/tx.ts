import { createHash } from "node:crypto"
import { fillPlaceholders, type SQL } from "drizzle-orm"
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres"
import { PgDialect } from "drizzle-orm/pg-core"
import type pg from "pg"

const dialect = new PgDialect()
const preparedNames = new Map<string, string>()

export interface Prepared {
  name: string
  text: string
  values: unknown[]
}

export function prepareStatement(query: SQL): Prepared {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { name: nameOf(text), text, values: params.map(toBindable) }
}

/** Binds placeholders (`sql.placeholder`): building a long statement takes longer than sending it. */
export const fillStatement = (statement: Prepared, values: Record<string, unknown>): Prepared => ({
  ...statement,
  values: fillPlaceholders(statement.values, values).map(toBindable),
})

/**
 * A database handle: raw SQL into a shape (`rows`, `row`), or drizzle's typed builders. `rows` returns days as
 * `YYYY-MM-DD`, instants as ISO text, bigints as numbers and numerics as text.
 *
 * A `sql` template spreads an array into a list; bind it whole with `sql.param(ids)`.
 */
export class Tx {
  readonly client: pg.ClientBase | pg.Pool
  readonly #prepares: boolean
  #db: NodePgDatabase | undefined

  /** Behind a pooler no statement is prepared: the next one may run on another connection. */
  constructor(client: pg.ClientBase | pg.Pool, { prepares = true } = {}) {
    this.client = client
    this.#prepares = prepares
  }

  get #builders(): NodePgDatabase {
    this.#db ??= drizzle(this.client as pg.Pool)
    return this.#db
  }

  get insert(): NodePgDatabase["insert"] {
    return this.#builders.insert.bind(this.#builders)
  }

  get update(): NodePgDatabase["update"] {
    return this.#builders.update.bind(this.#builders)
  }

  get delete(): NodePgDatabase["delete"] {
    return this.#builders.delete.bind(this.#builders)
  }

  get select(): NodePgDatabase["select"] {
    return this.#builders.select.bind(this.#builders)
  }

  async rows<T>(query: SQL): Promise<T[]> {
    const { sql, params } = dialect.sqlToQuery(query)
    const result = await this.client.query(sql, params.map(toBindable))
    return result.rows as T[]
  }

  async row<T>(query: SQL): Promise<T | undefined> {
    return (await this.rows<T>(query))[0]
  }

  /**
   * For frequent statements with many joins, where planning takes longer than running. Use it only if one plan fits all
   * parameters and there are few different texts.
   */
  async preparedRows<T>(query: SQL | Prepared): Promise<T[]> {
    const { name, ...statement } = "text" in query ? query : prepareStatement(query)
    const result = await this.client.query(this.#prepares ? { name, ...statement } : statement)
    return result.rows as T[]
  }

  async preparedRow<T>(query: SQL | Prepared): Promise<T | undefined> {
    return (await this.preparedRows<T>(query))[0]
  }

  preparing(): Tx {
    if (!this.#prepares) return this
    const { client } = this
    const query = (asked: string | pg.QueryConfig, values?: unknown[]) => {
      const config = typeof asked === "string" ? { text: asked } : asked
      return client.query({ name: nameOf(config.text), ...config, ...(values ? { values } : {}) })
    }
    return new Tx({ query } as unknown as pg.ClientBase)
  }

  /** Returns the number of affected rows. */
  async run(query: SQL): Promise<number> {
    const { sql, params } = dialect.sqlToQuery(query)
    const result = await this.client.query(sql, params.map(toBindable))
    return result.rowCount ?? 0
  }
}

function nameOf(text: string): string {
  const name = preparedNames.get(text) ?? createHash("sha1").update(text).digest("base64")
  preparedNames.set(text, name)
  return name
}

function toBindable(value: unknown): unknown {
  return value instanceof Temporal.Instant ? value.toString() : value
}
