import { createHmac } from "node:crypto"
import { connect } from "node:net"
import pg from "pg"
import { type Actor, actorUserId, seesAllGroups } from "../calls/actor.ts"
import { StorageUnavailable } from "../files/storage.ts"
import { toIsoInstant } from "./columns.ts"
import { Tx } from "./tx.ts"

export { Tx }

const parseSafeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError("an integer of the database is beyond 2^53")
  return value
}

pg.types.setTypeParser(pg.types.builtins.INT8, parseSafeInteger)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, toIsoInstant)

/** Lets the database detect a dead client within a minute and release its locks. */
export const keepaliveOptions = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"

/** Migrations grant each role's rights. Background jobs run as staff with longer time limits. */
export type DatabaseRole = "owner" | "staff" | "scoped" | "auth" | "jobs"

/** Connections for session-level locks, which cannot use a pooler. */
const maxSessionLocks = 4

export const pools: Record<DatabaseRole, { max: number; limits?: Record<string, string> }> = {
  owner: { max: 3 },
  staff: { max: 16, limits: { statement: "30s", lock: "10s", idle_in_transaction_session: "60s" } },
  scoped: { max: 16, limits: { statement: "30s", lock: "10s", idle_in_transaction_session: "60s" } },
  auth: { max: 8, limits: { statement: "10s", lock: "5s", idle_in_transaction_session: "60s" } },
  jobs: { max: 8, limits: { statement: "60min", lock: "0", idle_in_transaction_session: "0" } },
}

/** Derived from the owner's URL, so that no password has to be stored or passed around. */
export function rolePassword(ownerUrl: string, role: "staff" | "scoped" | "auth"): string {
  const { password } = new URL(ownerUrl)
  return createHmac("sha256", decodeURIComponent(password) || "milkwood")
    .update(`milkwood role ${role}`)
    .digest("hex")
}

export class Database {
  /** The database itself, never a pooler. */
  readonly ownerUrl: string
  readonly #pooledUrl: string | undefined
  #sessions: pg.Pool | undefined
  readonly #pools = new Map<DatabaseRole, pg.Pool>()
  readonly #max: number | undefined
  readonly #waitForDisk: string[]

  /**
   * With `isHurried` a commit does not wait for the disk: a crash may lose the latest commits, but no earlier one.
   *
   * `pooledUrl` is a pooler such as PgBouncer. Roles then use it in transaction mode, so no session state may be set
   * outside a transaction.
   */
  constructor(ownerUrl: string, options: { maxConnections?: number; isHurried?: boolean; pooledUrl?: string } = {}) {
    this.ownerUrl = ownerUrl
    this.#pooledUrl = options.pooledUrl
    this.#max = options.maxConnections
    this.#waitForDisk = options.isHurried ? ["-c synchronous_commit=off"] : []
  }

  url(role: DatabaseRole, address = this.ownerUrl): string {
    if (role === "owner") return this.ownerUrl
    const url = new URL(address)
    const identity = role === "jobs" ? "staff" : role
    url.username = `milkwood_${identity}`
    url.password = rolePassword(this.ownerUrl, identity)
    return url.href
  }

  pool(role: DatabaseRole): pg.Pool {
    let pool = this.#pools.get(role)
    if (!pool) {
      const { max } = pools[role]
      pool = this.#open(role, role === "owner" ? max : (this.#max ?? max), role !== "owner" && this.#pooledUrl)
      this.#pools.set(role, pool)
    }
    return pool
  }

  /** Direct connections for jobs, so that a session lock lasts until they end. */
  get sessions(): pg.Pool {
    if (!this.#pooledUrl) return this.pool("jobs")
    this.#sessions ??= this.#open("jobs", maxSessionLocks)
    return this.#sessions
  }

  #open(role: DatabaseRole, max: number, pooledUrl: string | false | undefined = undefined): pg.Pool {
    const timeouts = Object.entries(pools[role].limits ?? {}).map(([what, time]) => `-c ${what}_timeout=${time}`)
    const options = ["-c TimeZone=UTC", keepaliveOptions, ...this.#waitForDisk, ...timeouts].join(" ")
    const pool = new pg.Pool({
      connectionString: this.url(role, pooledUrl || this.ownerUrl),
      max,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      application_name: `milkwood ${role}`,
      ...(pooledUrl ? {} : { options }),
    })
    // The pool replaces a broken idle connection at the next use.
    pool.on("error", () => {})
    // A connection in use has no other error listener. Without one, its error would end the process.
    pool.on("connect", (client) => client.on("error", () => {}))
    return pool
  }

  #handle(client: pg.ClientBase | pg.Pool): Tx {
    return new Tx(client, { prepares: this.#pooledUrl === undefined })
  }

  direct(role: DatabaseRole): Tx {
    return role === "owner" ? new Tx(this.pool(role)) : this.#handle(this.pool(role))
  }

  /**
   * Runs one transaction as a database role. Serialization failures and deadlocks are tried five times in all. A
   * constraint violation is retried once: the retry sees the concurrent change and can refuse properly.
   *
   * `isOneMoment` reads everything from one snapshot, so that sums match rows read later.
   */
  async transaction<T>(
    role: DatabaseRole,
    work: (tx: Tx) => Promise<T>,
    scope?: Actor,
    signal?: AbortSignal,
    { isOneMoment = false } = {},
  ): Promise<T> {
    const begin = [
      isOneMoment ? "begin isolation level repeatable read" : "begin",
      ...(role === "jobs" && this.#pooledUrl ? jobTimeoutStatements : []),
      ...(scope ? [scopeStatement(scope)] : []),
    ].join("; ")
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#connected(role, signal, (connection) =>
          inTransaction(connection, (client) => work(this.#handle(client)), begin),
        )
      } catch (error) {
        if (attempt === 5 || !(isRetryable(error) || (attempt === 1 && isConstraintViolation(error)))) throw error
      }
    }
  }

  /** Separate statements on one connection, for roles that see every employer. */
  read<T>(role: DatabaseRole, work: (tx: Tx) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#connected(role, signal, ({ client, failOnDisconnect }) =>
      failOnDisconnect(() => work(this.#handle(client))),
    )
  }

  /**
   * Fails as soon as the connection is lost, which frees its place in the pool. Cancels the statement when `signal`
   * aborts.
   */
  async #connected<T>(
    role: DatabaseRole,
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw new CallerDisconnected()
    const client = await this.#connect(role)
    if (signal?.aborted) {
      client.release()
      throw new CallerDisconnected()
    }
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => {})
    let broken: Error | undefined
    const lose = (error: Error): void => {
      broken ??= error
      lost.reject(error)
    }
    const onError = (error: Error): void => lose(error)
    const onEnd = (): void => lose(new Error("Connection terminated"))
    let cancelling: Promise<void> | undefined
    const onAbort = (): void => {
      cancelling = cancelStatement(client)
      lose(new CallerDisconnected())
    }
    client.on("error", onError)
    client.on("end", onEnd)
    signal?.addEventListener("abort", onAbort)
    try {
      return await work({
        client,
        isBroken: () => broken !== undefined,
        lose,
        failOnDisconnect: (inner) => Promise.race([inner(), lost.promise]),
        finishing: () => signal?.removeEventListener("abort", onAbort),
      })
    } catch (error) {
      if (isDatabaseUnavailable(error)) broken ??= error as Error
      throw error
    } finally {
      client.removeListener("error", onError)
      client.removeListener("end", onEnd)
      signal?.removeEventListener("abort", onAbort)
      // A pooler ignores a cancellation after its client has disconnected.
      if (cancelling) void cancelling.then(() => client.release(broken))
      else client.release(broken)
    }
  }

  async #connect(role: DatabaseRole): Promise<pg.PoolClient> {
    const pool = this.pool(role)
    try {
      return await pool.connect()
    } catch (error) {
      const waited = error instanceof Error && /timeout exceeded when trying to connect/.test(error.message)
      throw waited && pool.totalCount >= pool.options.max ? new PoolExhausted(role) : error
    }
  }

  static roleOf(actor: Actor): "staff" | "scoped" {
    return seesAllGroups(actor) ? "staff" : "scoped"
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values(), ...(this.#sessions ? [this.#sessions] : [])]
    this.#pools.clear()
    this.#sessions = undefined
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

interface Connection {
  client: pg.PoolClient
  isBroken(): boolean
  lose(error: Error): void
  failOnDisconnect<T>(work: () => Promise<T>): Promise<T>
  finishing(): void
}

async function inTransaction<T>(
  { client, isBroken, lose, failOnDisconnect, finishing }: Connection,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: string,
): Promise<T> {
  try {
    await client.query(begin)
    const result = await failOnDisconnect(() => work(client))
    finishing()
    const wasBroken = isBroken()
    await client.query("commit").catch((error: unknown) => {
      throw isDatabaseUnavailable(error) && !wasBroken ? new OutcomeUnknown(error) : error
    })
    return result
  } catch (error) {
    if (!isBroken() && !isDatabaseUnavailable(error)) await client.query("rollback").catch(lose)
    throw error
  }
}

const cancelTimeoutMs = 5_000

/**
 * Sends a PostgreSQL cancel request over its own socket, which needs no pool place and no password. Do not reuse the
 * connection: the cancellation may arrive after its statement ended. Resolves when the server closes the socket.
 */
function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Record<"host", string> &
    Record<"port" | "processID" | "secretKey", number>
  const request = Buffer.alloc(16)
  for (const [place, value] of [16, 80_877_102, processID, secretKey].entries()) request.writeInt32BE(value, place * 4)
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on("error", () => {})
  socket.setTimeout(cancelTimeoutMs, () => socket.destroy())
  socket.write(request)
  // The end of the socket is only noticed while reading.
  socket.resume()
  return new Promise((done) => socket.once("close", () => done()))
}

/** The caller disconnected, so nobody reads the answer. */
export class CallerDisconnected extends Error {}

export class PoolExhausted extends Error {
  readonly code: string

  constructor(role: DatabaseRole) {
    super("no connection came free")
    this.code = role
  }
}

/** The database was lost during a commit, so it is unknown whether the change was saved. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the answer to a commit was lost", { cause })
  }
}

/** Behind a pooler, jobs set their longer timeouts in each transaction. */
const jobTimeoutStatements = Object.entries(pools.jobs.limits!).map(
  ([what, time]) => `set local ${what}_timeout = '${time}'`,
)

function scopeStatement(actor: Actor): string {
  const groups = actor.kind === "user" ? actor.groupIds : []
  return `select set_config('app.groups', ${pg.escapeLiteral(`{${groups.join(",")}}`)}, true), set_config('app.user', ${pg.escapeLiteral(actorUserId(actor) ?? "")}, true)`
}

/** Also looks behind drizzle's wrapper, whose message contains SQL and values. */
export function sqlState(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code
  }
  return undefined
}

export const isDiskFull = (error: unknown): boolean => ["53100", "ENOSPC", "EDQUOT"].includes(sqlState(error) ?? "")

/** Whether it is a unique, foreign-key or exclusion violation. */
export function isConstraintViolation(error: unknown): boolean {
  return ["23503", "23505", "23P01"].includes(sqlState(error) ?? "")
}

export function violatedConstraint(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("constraint" in at && typeof at.constraint === "string") return at.constraint
  }
  return undefined
}

/** The DETAIL of an exception that a database trigger raised. */
export function violationDetail(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("detail" in at && typeof at.detail === "string") return at.detail
  }
  return undefined
}

function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === "40001" || code === "40P01"
}

const connectionErrorCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "08006",
  "08001",
  "53300",
])

/** Whether the database was unreachable or lost, as opposed to refusing the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof StorageUnavailable) return false
    if ("code" in at && typeof at.code === "string" && connectionErrorCodes.has(at.code)) {
      // ENOENT counts only for the database's socket, not for a missing file.
      return at.code !== "ENOENT" || ("syscall" in at && at.syscall === "connect")
    }
    if (/Connection terminated|timeout exceeded when trying to connect|not queryable/.test(at.message)) return true
  }
  return false
}
