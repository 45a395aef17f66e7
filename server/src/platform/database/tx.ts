import { createHash } from "node:crypto"
import { fillPlaceholders, type SQL } from "drizzle-orm"
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres"
import { PgDialect } from "drizzle-orm/pg-core"
import type pg from "pg"

const dialect = new PgDialect()
/** The names of prepared statements by their texts, which are few. */
const preparedNames = new Map<string, string>()

/** A statement put together once, which each connection that asks it has parsed and planned once. */
export interface Prepared {
  name: string
  text: string
  values: unknown[]
}

/** Puts a statement together, for who asks it again and again with the same values. */
export function prepared(query: SQL): Prepared {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { name: nameOf(text), text, values: params.map(bindable) }
}

/** The same with what stands in its places now (`sql.placeholder`): a long statement takes longer to put together than to send. */
export const filled = (statement: Prepared, values: Record<string, unknown>): Prepared => ({
  ...statement,
  values: fillPlaceholders(statement.values, values).map(bindable),
})

/**
 * A handle on the database: raw SQL straight into a shape (`rows`, `row`), or drizzle's typed builders.
 * In `rows`, days are `YYYY-MM-DD`, instants ISO text, bigints numbers, numerics text.
 *
 * An array in a `sql` template would be spread into a list: bind it whole with `sql.param(ids)`.
 */
export class Tx {
  readonly client: pg.ClientBase | pg.Pool
  readonly #prepares: boolean
  #db: NodePgDatabase | undefined

  /** Behind a pooler no statement is prepared: the next one may run on another connection, which does not know it. */
  constructor(client: pg.ClientBase | pg.Pool, { prepares = true } = {}) {
    this.client = client
    this.#prepares = prepares
  }

  /** Made when it is wanted: most handles only read. */
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
    const result = await this.client.query(sql, params.map(bindable))
    return result.rows as T[]
  }

  async row<T>(query: SQL): Promise<T | undefined> {
    return (await this.rows<T>(query))[0]
  }

  /**
   * The same for a statement that is asked all the time: each connection has it parsed and planned once, which takes
   * longer than running it where many tables are joined. Only where one plan is right for whatever the parameters say,
   * and where there are few such texts.
   */
  async preparedRows<T>(query: SQL | Prepared): Promise<T[]> {
    const { name, ...statement } = "text" in query ? query : prepared(query)
    const result = await this.client.query(this.#prepares ? { name, ...statement } : statement)
    return result.rows as T[]
  }

  async preparedRow<T>(query: SQL | Prepared): Promise<T | undefined> {
    return (await this.preparedRows<T>(query))[0]
  }

  /** The same handle for work that is done over and over: all its statements are parsed and planned once a connection. */
  preparing(): Tx {
    if (!this.#prepares) return this
    const { client } = this
    const query = (asked: string | pg.QueryConfig, values?: unknown[]) => {
      const config = typeof asked === "string" ? { text: asked } : asked
      return client.query({ name: nameOf(config.text), ...config, ...(values ? { values } : {}) })
    }
    return new Tx({ query } as unknown as pg.ClientBase)
  }

  /** Runs a statement for its effect; answers how many rows it touched. */
  async run(query: SQL): Promise<number> {
    const { sql, params } = dialect.sqlToQuery(query)
    const result = await this.client.query(sql, params.map(bindable))
    return result.rowCount ?? 0
  }
}

/** The name that a statement is prepared under. */
function nameOf(text: string): string {
  const name = preparedNames.get(text) ?? createHash("sha1").update(text).digest("base64")
  preparedNames.set(text, name)
  return name
}

function bindable(value: unknown): unknown {
  return value instanceof Temporal.Instant ? value.toString() : value
}
