import { createHmac } from "node:crypto"
import { connect } from "node:net"
import pg from "pg"
import { type Actor, actorUserId, seesAllGroups } from "../calls/actor.ts"
import { StorageAway } from "../files/storage.ts"
import { isoInstant } from "./columns.ts"
import { Tx } from "./tx.ts"

export { Tx }

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError("an integer of the database is beyond 2^53")
  return value
}

pg.types.setTypeParser(pg.types.builtins.INT8, safeInteger)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoInstant)

/** The database notices within a minute that the machine at the other end is gone, and lets go of what it held. */
export const noticeLoss = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"

/** The four identities; what each may touch is granted in the migrations. Background jobs are staff with more time. */
export type DatabaseRole = "owner" | "staff" | "scoped" | "auth" | "jobs"

/** How many connections hold locks that outlive a transaction, where the others go through a pooler. */
const mostSessions = 4

/** How many connections a role has, and how long its statements, its waits for a lock and its pauses may take. */
export const pools: Record<DatabaseRole, { max: number; limits?: Record<string, string> }> = {
  owner: { max: 3 },
  staff: { max: 16, limits: { statement: "30s", lock: "10s", idle_in_transaction_session: "60s" } },
  scoped: { max: 16, limits: { statement: "30s", lock: "10s", idle_in_transaction_session: "60s" } },
  auth: { max: 8, limits: { statement: "10s", lock: "5s", idle_in_transaction_session: "60s" } },
  jobs: { max: 8, limits: { statement: "60min", lock: "0", idle_in_transaction_session: "0" } },
}

/**
 * The password of one of our database roles. Every process that holds the owner's URL derives the same one, so
 * nothing has to be stored or handed around.
 */
export function rolePassword(ownerUrl: string, role: "staff" | "scoped" | "auth"): string {
  const { password } = new URL(ownerUrl)
  return createHmac("sha256", decodeURIComponent(password) || "milkwood")
    .update(`milkwood role ${role}`)
    .digest("hex")
}

export class Database {
  /** The database itself, never a pooler before it. */
  readonly ownerUrl: string
  readonly #pooledUrl: string | undefined
  #sessions: pg.Pool | undefined
  readonly #pools = new Map<DatabaseRole, pg.Pool>()
  readonly #max: number | undefined
  readonly #waitForDisk: string[]

  /**
   * With `isHurried` a commit does not wait for the disk: a crash may lose the last ones, never one and not those
   * after it.
   *
   * With `pooledUrl`, the address of a pooler such as PgBouncer, the roles' statements go by way of it, each transaction
   * on whatever connection is free there: nothing is said to a connection but inside a transaction and for it alone.
   */
  constructor(ownerUrl: string, options: { maxConnections?: number; isHurried?: boolean; pooledUrl?: string } = {}) {
    this.ownerUrl = ownerUrl
    this.#pooledUrl = options.pooledUrl
    this.#max = options.maxConnections
    this.#waitForDisk = options.isHurried ? ["-c synchronous_commit=off"] : []
  }

  /** The connection settings of a role. */
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

  /** Connections of jobs that go to the database itself, so that a lock is theirs until they end. */
  get sessions(): pg.Pool {
    if (!this.#pooledUrl) return this.pool("jobs")
    this.#sessions ??= this.#open("jobs", mostSessions)
    return this.#sessions
  }

  /** A pooler takes no settings with a connection: there the roles have them (runtime/migrate.ts). */
  #open(role: DatabaseRole, max: number, pooledUrl: string | false | undefined = undefined): pg.Pool {
    const timeouts = Object.entries(pools[role].limits ?? {}).map(([what, time]) => `-c ${what}_timeout=${time}`)
    const options = ["-c TimeZone=UTC", noticeLoss, ...this.#waitForDisk, ...timeouts].join(" ")
    const pool = new pg.Pool({
      connectionString: this.url(role, pooledUrl || this.ownerUrl),
      max,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      application_name: `milkwood ${role}`,
      ...(pooledUrl ? {} : { options }),
    })
    // An idle connection that breaks (the database restarted) is replaced at the next use.
    pool.on("error", () => {})
    // One that breaks in the same breath in which it is handed out has no other listener yet, and would end us.
    pool.on("connect", (client) => client.on("error", () => {}))
    return pool
  }

  #handle(client: pg.ClientBase | pg.Pool): Tx {
    return new Tx(client, { prepares: this.#pooledUrl === undefined })
  }

  /** A handle that runs each statement on its own, on whatever connection is free. */
  direct(role: DatabaseRole): Tx {
    return role === "owner" ? new Tx(this.pool(role)) : this.#handle(this.pool(role))
  }

  /**
   * One transaction as a database role. Serialization failures and deadlocks are tried again, five times in all. What
   * clashes with a change of the same moment is tried once more: then it finds that change, and says what is wrong.
   *
   * With `isOneMoment` all that it reads is of one moment, so that a sum is the sum of rows that are read later.
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
      ...(role === "jobs" && this.#pooledUrl ? limitsOfJobs : []),
      ...(scope ? [scopeStatement(scope)] : []),
    ].join("; ")
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#connected(role, signal, (connection) =>
          inTransaction(connection, (client) => work(this.#handle(client)), begin),
        )
      } catch (error) {
        if (attempt === 5 || !(isRetryable(error) || (attempt === 1 && isClash(error)))) throw error
      }
    }
  }

  /** Statements on their own, on one connection: for reads of roles that see every group. */
  read<T>(role: DatabaseRole, work: (tx: Tx) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#connected(role, signal, ({ client, whileThere }) => whileThere(() => work(this.#handle(client))))
  }

  /**
   * Work with a connection of its own. It fails as soon as the connection is lost, whatever it waits for, so that the
   * pool has its place back; and when `signal` says that nobody waits for the answer, its statement is cancelled.
   */
  async #connected<T>(
    role: DatabaseRole,
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw new CallerGone()
    const client = await this.#connect(role)
    if (signal?.aborted) {
      client.release()
      throw new CallerGone()
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
      lose(new CallerGone())
    }
    client.on("error", onError)
    client.on("end", onEnd)
    signal?.addEventListener("abort", onAbort)
    try {
      return await work({
        client,
        isBroken: () => broken !== undefined,
        lose,
        whileThere: (inner) => Promise.race([inner(), lost.promise]),
        finishing: () => signal?.removeEventListener("abort", onAbort),
      })
    } catch (error) {
      if (isAway(error)) broken ??= error as Error
      throw error
    } finally {
      client.removeListener("error", onError)
      client.removeListener("end", onEnd)
      signal?.removeEventListener("abort", onAbort)
      // A pooler cancels for nobody whose connection is gone.
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

  /** The role that an actor's work runs as: row-level security binds those who see only their groups. */
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
  /** Fails with the loss of the connection, when that comes before the work's end. */
  whileThere<T>(work: () => Promise<T>): Promise<T>
  /** From here on nobody's leaving cancels it. */
  finishing(): void
}

async function inTransaction<T>(
  { client, isBroken, lose, whileThere, finishing }: Connection,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: string,
): Promise<T> {
  try {
    await client.query(begin)
    const result = await whileThere(() => work(client))
    finishing()
    const wasBroken = isBroken()
    await client.query("commit").catch((error: unknown) => {
      // A connection that was broken before took no commit.
      throw isAway(error) && !wasBroken ? new OutcomeUnknown(error) : error
    })
    return result
  } catch (error) {
    if (!isBroken() && !isAway(error)) await client.query("rollback").catch(lose)
    throw error
  }
}

/** How long a cancellation may take to be taken. */
const cancelPatienceMs = 5_000

/**
 * Asks PostgreSQL to end what this connection runs, over a connection that needs no place in a pool and no password.
 * The connection is not used again: the cancellation may reach it when its statement is over. Done once it was taken,
 * which the other end tells by closing.
 */
function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Record<"host", string> &
    Record<"port" | "processID" | "secretKey", number>
  const request = Buffer.alloc(16)
  for (const [place, value] of [16, 80_877_102, processID, secretKey].entries()) request.writeInt32BE(value, place * 4)
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on("error", () => {})
  socket.setTimeout(cancelPatienceMs, () => socket.destroy())
  socket.write(request)
  // Nothing comes but the end, which is seen by reading.
  socket.resume()
  return new Promise((done) => socket.once("close", () => done()))
}

/** Whoever asked has gone; there is nobody to answer. */
export class CallerGone extends Error {}

/** Every connection of a pool is in use, and none came back in time. */
export class PoolExhausted extends Error {
  readonly code: string

  constructor(role: DatabaseRole) {
    super("no connection came free")
    this.code = role
  }
}

/** The database went away while it committed: nobody knows whether the change was kept. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the answer to a commit was lost", { cause })
  }
}

/** Jobs are staff with more time; behind a pooler they say so to each of their transactions. */
const limitsOfJobs = Object.entries(pools.jobs.limits!).map(([what, time]) => `set local ${what}_timeout = '${time}'`)

/** Sets what row-level security goes by, for this transaction; travels with its begin. */
function scopeStatement(actor: Actor): string {
  const groups = actor.kind === "user" ? actor.groupIds : []
  return `select set_config('app.groups', ${pg.escapeLiteral(`{${groups.join(",")}}`)}, true), set_config('app.user', ${pg.escapeLiteral(actorUserId(actor) ?? "")}, true)`
}

/** The SQLSTATE of a database error, also behind drizzle's wrapper, whose own message holds SQL and values. */
export function sqlState(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code
  }
  return undefined
}

/** Whether the disk, the database's or ours, had no room for it. */
export const isDiskFull = (error: unknown): boolean => ["53100", "ENOSPC", "EDQUOT"].includes(sqlState(error) ?? "")

/** Whether a row clashed with another: it would be there twice, or refers to one that is gone, or is referred to. */
export function isClash(error: unknown): boolean {
  return ["23503", "23505", "23P01"].includes(sqlState(error) ?? "")
}

/** The constraint that a database error names. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("constraint" in at && typeof at.constraint === "string") return at.constraint
  }
  return undefined
}

function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === "40001" || code === "40P01"
}

const awayCodes = new Set([
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

/** Whether the database could not be reached or went away, as against refusing the statement. */
export function isAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof StorageAway) return false
    if ("code" in at && typeof at.code === "string" && awayCodes.has(at.code)) {
      // A socket of the database that is not there, as against a file of ours.
      return at.code !== "ENOENT" || ("syscall" in at && at.syscall === "connect")
    }
    if (/Connection terminated|timeout exceeded when trying to connect|not queryable/.test(at.message)) return true
  }
  return false
}
